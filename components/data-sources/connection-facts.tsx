/** Connection details of a data source as fact rows, without secrets. */
import { type DataSource, isFiles, isRest } from "@/server/data-sources/schema.ts";
import { Fact } from "../ui/facts.tsx";
import { Access } from "./access.tsx";
import { serverOf } from "./address.ts";

export function ConnectionFacts({
  source: { connection, canWrite, allowedFunctions, ...secret },
}: {
  source: Pick<
    DataSource,
    "connection" | "hasPassword" | "secretReferences" | "canWrite" | "allowedFunctions"
  >;
}) {
  if (isRest(connection))
    return (
      <>
        <Fact label="Base URL" mono>
          {connection.baseUrl}
        </Fact>
        <Fact label="Headers">{Object.keys(connection.headers).join(", ") || "None"}</Fact>
        <SecretFact label="Secret headers" {...secret} />
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
      <SecretFact label="Password" {...secret} />
      <Fact label="Connection">
        {!connection.ssl
          ? "Not encrypted"
          : connection.trustServerCertificate
            ? "Encrypted, not verified"
            : connection.caCertificate
              ? "Encrypted, verified by its own CA"
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

/** Where a secret is kept is no secret. */
function SecretFact({
  label,
  hasPassword,
  secretReferences,
}: { label: string } & Pick<DataSource, "hasPassword" | "secretReferences">) {
  if (secretReferences.length > 0)
    return (
      <Fact label={label} mono>
        {secretReferences.join(", ")}
      </Fact>
    );
  return <Fact label={label}>{hasPassword ? "Stored, encrypted" : "None"}</Fact>;
}
