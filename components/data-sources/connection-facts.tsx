/** Connection details of a data source as fact rows, without secrets. */
import { type DataSource, isFiles, isRest } from "@/server/data-sources/schema.ts";
import { Fact } from "../ui/facts.tsx";
import { Access } from "./access.tsx";
import { serverOf } from "./address.ts";

const stored = (hasSecret: boolean) => (hasSecret ? "Stored, encrypted" : "None");

export function ConnectionFacts({
  source: { connection, hasPassword, canWrite, allowedFunctions },
}: {
  source: Pick<DataSource, "connection" | "hasPassword" | "canWrite" | "allowedFunctions">;
}) {
  if (isRest(connection))
    return (
      <>
        <Fact label="Base URL" mono>
          {connection.baseUrl}
        </Fact>
        <Fact label="Headers">{Object.keys(connection.headers).join(", ") || "None"}</Fact>
        <Fact label="Secret headers">{stored(hasPassword)}</Fact>
      </>
    );
  if (isFiles(connection))
    return (
      <>
        <Fact label="Folder" mono>
          {connection.folder}
        </Fact>
        {connection.patterns.length > 0 && (
          <Fact label="Patterns" mono>
            {connection.patterns.join(", ")}
          </Fact>
        )}
      </>
    );
  return (
    <>
      <Fact label="Server" mono>
        {serverOf(connection)}
      </Fact>
      <Fact label="Database" mono>
        {connection.database}
      </Fact>
      <Fact label="User" mono>
        {connection.user}
      </Fact>
      <Fact label="Password">{stored(hasPassword)}</Fact>
      <Fact label="Connection">
        {!connection.ssl
          ? "Not encrypted"
          : connection.trustServerCertificate
            ? "Encrypted, not verified"
            : "Encrypted, verified"}
      </Fact>
      <Fact label="Login">
        <Access canWrite={canWrite} />
      </Fact>
      {allowedFunctions.length > 0 && (
        <Fact label="Allowed functions" mono>
          {allowedFunctions.join(", ")}
        </Fact>
      )}
    </>
  );
}
