import { z } from "zod";
import { isBigQuery, isFiles, isRest, isServer, isSnowflake, type Kind } from "../kinds.ts";
import { type BigQueryConnection, bigQueryConnection, bigQueryConnectionInput } from "./bigquery.ts";
import { type DatabaseConnection, databaseConnection, databaseConnectionInput } from "./database-server.ts";
import {
  type FilesConnection,
  type FolderConnection,
  folderConnection,
  httpsConnection,
  httpsConnectionInput,
  s3Connection,
  s3ConnectionInput,
} from "./files.ts";
import { type RestConnection, restConnection, restConnectionInput } from "./rest-api.ts";
import { type SnowflakeConnection, snowflakeConnection, snowflakeConnectionInput } from "./snowflake.ts";

/** The part stored unencrypted and shown: never a password or a secret header. */
export const connectionSchema = z.union([
  databaseConnection,
  snowflakeConnection,
  bigQueryConnection,
  folderConnection,
  s3Connection,
  httpsConnection,
  restConnection,
]);
export type PublicConnection =
  | DatabaseConnection
  | SnowflakeConnection
  | BigQueryConnection
  | FilesConnection
  | RestConnection;

/** As sent: an omitted secret stays the same, or there is none. */
export const connectionInput = z.union([
  databaseConnectionInput,
  snowflakeConnectionInput,
  bigQueryConnectionInput,
  folderConnection,
  s3ConnectionInput,
  httpsConnectionInput,
  restConnectionInput,
]);
export type GivenConnection =
  | z.output<typeof databaseConnectionInput>
  | z.output<typeof restConnectionInput>
  | z.output<typeof bigQueryConnectionInput>
  | FolderConnection
  | z.output<typeof s3ConnectionInput>
  | z.output<typeof httpsConnectionInput>
  | z.output<typeof snowflakeConnectionInput>;

/** Whether it is a connection of this kind. */
export const fitsKind = ({ kind, connection }: { kind: Kind; connection: GivenConnection }) =>
  (kind === "RestApi") === isRest(connection) &&
  (kind === "Files") === isFiles(connection) &&
  (kind === "Snowflake") === isSnowflake(connection) &&
  (kind === "BigQuery") === isBigQuery(connection) &&
  hasOptionsOf(kind, connection);

/** Whether it has no options of another kind of server. */
export const hasOptionsOf = (kind: Kind, connection: GivenConnection): boolean =>
  kind === "SqlServer" || !isServer(connection) || connection.sqlServer === undefined;
