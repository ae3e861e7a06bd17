import type { BigQueryConnection } from "../data-sources/connections/bigquery.ts";
import type { DatabaseConnection } from "../data-sources/connections/database-server.ts";
import type { FilesConnection } from "../data-sources/connections/files.ts";
import type { SnowflakeConnection } from "../data-sources/connections/snowflake.ts";
import { dialectOf } from "../data-sources/dialects/dialects.ts";
import { nameAsMeant } from "../data-sources/dialects/snowflake.ts";
import {
  type DatabaseKind,
  isBigQuery,
  isFiles,
  isHttps,
  isS3,
  isSnowflake,
  type ServerKind,
} from "../data-sources/kinds.ts";
import type { NamedTable } from "./schema.ts";

/** Which table an OpenLineage dataset is, and which dataset a table is, by its naming specification. Pure. */

export type Source = { id: number; defaultSchema: string } & (
  | { kind: ServerKind; connection: Pick<DatabaseConnection, "host" | "port" | "database"> }
  | { kind: "BigQuery"; connection: Pick<BigQueryConnection, "billingProject" | "dataProject"> }
);

/** Schemes of namespaces, and whether their names begin with the database. */
const schemes: Record<string, { kind: ServerKind; hasSchema: boolean; port: number }> = {
  postgres: { kind: "PostgreSql", hasSchema: true, port: 5432 },
  postgresql: { kind: "PostgreSql", hasSchema: true, port: 5432 },
  mysql: { kind: "MySql", hasSchema: false, port: 3306 },
  mariadb: { kind: "MySql", hasSchema: false, port: 3306 },
  mssql: { kind: "SqlServer", hasSchema: true, port: 1433 },
  sqlserver: { kind: "SqlServer", hasSchema: true, port: 1433 },
  clickhouse: { kind: "ClickHouse", hasSchema: false, port: 8123 },
  trino: { kind: "Trino", hasSchema: true, port: 8080 },
};

/**
 * `postgres://db.example.com:5432` and `shop.public.orders`, of a data source with this server and database; a dataset of
 * none of them keeps its name.
 */
export function tableOf(
  { namespace, name }: { namespace: string; name: string },
  sources: readonly Source[],
): NamedTable {
  const parts = name.split(".");
  const tableName = parts.at(-1) ?? name;
  const unknown = { dataSourceId: null, schemaName: parts.slice(0, -1).join("."), tableName };
  if (/^bigquery$/i.test(namespace)) return tableOfBigQuery(parts, sources) ?? unknown;
  const [, scheme = "", host = "", port] = /^(\w+):\/\/([^:/]+)(?::(\d+))?/.exec(namespace) ?? [];
  const known = schemes[scheme.toLowerCase()];
  if (!known || parts.length < 2) return unknown;
  const [database = "", second] = parts;
  const source = sources.find(
    ({ kind, connection }) =>
      kind === known.kind &&
      "host" in connection &&
      connection.host.toLowerCase() === host.toLowerCase() &&
      connection.port === Number(port ?? known.port) &&
      (!known.hasSchema ||
        parts.length < 3 ||
        dialectOf(known.kind).connection.databaseNamed(connection.database) === database),
  );
  if (!source) return unknown;
  const schemaName = known.hasSchema ? (parts.length > 2 ? (second ?? "") : database) : database;
  return { dataSourceId: source.id, schemaName: schemaName || source.defaultSchema, tableName };
}

/** The naming specification has no host here: `acme-dw.shop.orders`. */
function tableOfBigQuery(parts: readonly string[], sources: readonly Source[]): NamedTable | null {
  const [project, schemaName, tableName] = parts;
  if (parts.length !== 3 || schemaName === undefined || tableName === undefined) return null;
  const source = sources.find(
    ({ connection }) => !("host" in connection) && projectOf(connection) === project,
  );
  return source ? { dataSourceId: source.id, schemaName, tableName } : null;
}

/** The first scheme of each kind is the naming specification's own. */
const schemeOf = (kind: PublicSource["kind"]) =>
  Object.entries(schemes).find(([, each]) => each.kind === kind);

/** Files are named by where they are: their folder, bucket, or server. */
function fileDatasetOf(
  connection: FilesConnection,
  { schemaName, tableName }: { schemaName: string; tableName: string },
) {
  const below = [...(schemaName === "main" ? [] : [schemaName]), tableName];
  if (isS3(connection)) {
    const prefix = connection.prefix.split("/").filter(Boolean);
    return { namespace: `s3://${connection.bucket}`, name: [...prefix, ...below].join("/") };
  }
  if (isHttps(connection)) {
    const [first = ""] = connection.addresses;
    return { namespace: URL.canParse(first) ? new URL(first).origin : "https", name: below.join("/") };
  }
  return { namespace: "file", name: [connection.folder, ...below].join("/") };
}

const projectOf = ({
  dataProject,
  billingProject,
}: Pick<BigQueryConnection, "billingProject" | "dataProject">) => dataProject ?? billingProject;

/** A database as it is stored. */
type PublicSource = {
  kind: DatabaseKind;
  connection: DatabaseConnection | SnowflakeConnection | BigQueryConnection | FilesConnection;
};

/** The dataset that a table is; `tableOf` finds the table of a server again. A file is one by its folder and table. */
export function datasetOf(
  { kind, connection }: PublicSource,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): { namespace: string; name: string } {
  if (isFiles(connection)) return fileDatasetOf(connection, { schemaName, tableName });
  if (isSnowflake(connection)) {
    const { account, database } = connection;
    return {
      namespace: `snowflake://${account}`,
      name: [nameAsMeant(database), schemaName, tableName].join("."),
    };
  }
  if (isBigQuery(connection))
    return { namespace: "bigquery", name: [projectOf(connection), schemaName, tableName].join(".") };
  const [scheme = "", known] = schemeOf(kind) ?? [];
  const { host, port, database } = connection;
  return {
    namespace: `${scheme}://${host}:${port}`,
    name: [
      ...(known?.hasSchema ? [dialectOf(known.kind).connection.databaseNamed(database)] : []),
      ...[schemaName, tableName],
    ].join("."),
  };
}
