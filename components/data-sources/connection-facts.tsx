/** Connection details of a data source as fact rows, without secrets. */

import type { BigQueryConnection } from "@/server/data-sources/connections/bigquery.ts";
import type { S3Connection } from "@/server/data-sources/connections/files.ts";
import type { SnowflakeConnection } from "@/server/data-sources/connections/snowflake.ts";
import { costText } from "@/server/data-sources/cost.ts";
import {
  isBigQuery,
  isFiles,
  isFolder,
  isHttps,
  isRest,
  isS3,
  isSnowflake,
} from "@/server/data-sources/kinds.ts";
import { serverOf } from "@/server/data-sources/place.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { Fact } from "../ui/facts.tsx";
import { Access } from "./access.tsx";

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
  if (isSnowflake(connection))
    return (
      <>
        <SnowflakeFacts connection={connection} secret={secret} />
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
  if (isFiles(connection))
    return (
      <>
        {isFolder(connection) && (
          <Fact label="Folder" mono>
            {connection.folder}
          </Fact>
        )}
        {isS3(connection) && <BucketFacts connection={connection} secret={secret} />}
        {isHttps(connection) && (
          <>
            <Fact label="Addresses" mono>
              {connection.addresses.join(", ")}
            </Fact>
            <SecretFact label="Secret headers" {...secret} />
          </>
        )}
        {connection.patterns.length > 0 && (
          <Fact label="Patterns" mono>
            {connection.patterns.join(", ")}
          </Fact>
        )}
      </>
    );
  if (isBigQuery(connection))
    return (
      <>
        <BigQueryFacts connection={connection} />
        <SecretFact label="Service account key" {...secret} />
        <AllowedFunctions names={allowedFunctions} />
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
      <AllowedFunctions names={allowedFunctions} />
    </>
  );
}

function AllowedFunctions({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Fact label="Allowed functions" mono>
      {names.join(", ")}
    </Fact>
  );
}

function BigQueryFacts({
  connection: { billingProject, dataProject, dataset, location, maxBytesBilled, endpoint },
}: {
  connection: BigQueryConnection;
}) {
  return (
    <>
      <Fact label="Billing project" mono>
        {billingProject}
      </Fact>
      {dataProject && (
        <Fact label="Data project" mono>
          {dataProject}
        </Fact>
      )}
      <Fact label="Dataset" mono={dataset !== undefined}>
        {dataset ?? "All that the service account may see"}
      </Fact>
      {location && (
        <Fact label="Location" mono>
          {location}
        </Fact>
      )}
      {endpoint && (
        <Fact label="Endpoint" mono>
          {endpoint}
        </Fact>
      )}
      <Fact label="Most billed by a statement">{costText({ unit: "bytes", amount: maxBytesBilled })}</Fact>
    </>
  );
}

type Secret = Pick<DataSource, "hasPassword" | "secretReferences">;

function BucketFacts({
  connection: { bucket, prefix, region, endpoint, accessKeyId },
  secret,
}: {
  connection: S3Connection;
  secret: Secret;
}) {
  return (
    <>
      <Fact label="Bucket" mono>
        {[bucket, prefix].filter(Boolean).join("/")}
      </Fact>
      <Fact label={endpoint ? "Endpoint" : "Region"} mono>
        {endpoint ?? region}
      </Fact>
      <Fact label="Access key ID" mono>
        {accessKeyId ?? "None: the bucket is public"}
      </Fact>
      {accessKeyId && <SecretFact label="Secret access key" {...secret} />}
    </>
  );
}

function SnowflakeFacts({
  connection: { account, user, authentication, database, schema, warehouse, role, queryTag },
  secret,
}: {
  connection: SnowflakeConnection;
  secret: Secret;
}) {
  return (
    <>
      <Fact label="Account" mono>
        {account}
      </Fact>
      <Fact label="Database" mono>
        {database}.{schema}
      </Fact>
      <Fact label="Warehouse" mono={warehouse !== undefined}>
        {warehouse ?? "The user's default"}
      </Fact>
      <Fact label="User" mono>
        {user}
      </Fact>
      <Fact label="Role" mono={role !== undefined}>
        {role ?? "The user's default"}
      </Fact>
      <SecretFact label={authentication === "OAuth" ? "OAuth access token" : "Private key"} {...secret} />
      <Fact label="Query tag" mono>
        {queryTag || "None"}
      </Fact>
    </>
  );
}

/** Where a secret is kept is no secret. */
function SecretFact({ label, hasPassword, secretReferences }: { label: string } & Secret) {
  if (secretReferences.length > 0)
    return (
      <Fact label={label} mono>
        {secretReferences.join(", ")}
      </Fact>
    );
  return <Fact label={label}>{hasPassword ? "Stored, encrypted" : "None"}</Fact>;
}
