import type { CostUnit } from "./cost.ts";

/** What data sources can be. Pages load this file without Zod. */

/** The databases behind a server. */
export const serverKinds = ["PostgreSql", "MySql", "SqlServer", "ClickHouse", "Trino"] as const;
export type ServerKind = (typeof serverKinds)[number];

/** The kinds with SQL, which data contracts can target. */
export const databaseKinds = [...serverKinds, "Snowflake", "BigQuery", "Files"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

export const kinds = [...databaseKinds, "RestApi"] as const;
export type Kind = (typeof kinds)[number];

export const isDatabaseKind = (kind: Kind): kind is DatabaseKind =>
  (databaseKinds as readonly Kind[]).includes(kind);

export const isServerKind = (kind: Kind): kind is ServerKind =>
  (serverKinds as readonly Kind[]).includes(kind);

/** The unit of each kind whose statements cost money; others have no costs and no budget. */
const costUnitBy: Partial<Record<Kind, CostUnit>> = { Snowflake: "seconds", BigQuery: "bytes" };

export const costUnitOf = (kind: Kind): CostUnit | null => costUnitBy[kind] ?? null;

/** Whether it is a REST API rather than a database. */
export const isRest = <C extends object>(connection: C): connection is Extract<C, { baseUrl: string }> =>
  "baseUrl" in connection;

/** Whether it is an account of Snowflake. */
export const isSnowflake = <C extends object>(connection: C): connection is Extract<C, { account: string }> =>
  "account" in connection;

/** Whether it is a project of BigQuery. */
export const isBigQuery = <C extends object>(
  connection: C,
): connection is Extract<C, { billingProject: string }> => "billingProject" in connection;

/** Whether it is a folder of files on the server. */
export const isFolder = <C extends object>(connection: C): connection is Extract<C, { folder: string }> =>
  "folder" in connection;

/** Whether it is a bucket of S3-compatible storage. */
export const isS3 = <C extends object>(connection: C): connection is Extract<C, { bucket: string }> =>
  "bucket" in connection;

/** Whether it is a list of files on the web. */
export const isHttps = <C extends object>(connection: C): connection is Extract<C, { addresses: string[] }> =>
  "addresses" in connection;

/** Whether it is files of any of these kinds. */
export const isFiles = <C extends object>(
  connection: C,
): connection is Extract<C, { folder: string } | { bucket: string } | { addresses: string[] }> =>
  isFolder(connection) || isS3(connection) || isHttps(connection);

/** Whether it is a database behind a server. */
export const isServer = <C extends object>(connection: C): connection is Extract<C, { host: string }> =>
  "host" in connection;
