import type { DatabaseKind, Kind, ServerKind } from "../kinds.ts";
import { bigquery } from "./bigquery.ts";
import { clickhouse } from "./clickhouse.ts";
import type { Dialect, DialectName, ServerDialect } from "./dialect.ts";
import { duckdb } from "./duckdb.ts";
import { mysql } from "./mysql.ts";
import { postgresql } from "./postgresql.ts";
import { snowflake } from "./snowflake.ts";
import { sqlserver } from "./sqlserver.ts";
import { trino } from "./trino.ts";

/** The dialects by name. A missing engine is a compile error. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  postgresql,
  mysql,
  sqlserver,
  clickhouse,
  trino,
  snowflake,
  bigquery,
  duckdb,
};

/** The display name of a kind of data source. */
export const kindLabels: Readonly<Record<Kind, string>> = {
  PostgreSql: postgresql.label,
  MySql: mysql.label,
  SqlServer: sqlserver.label,
  ClickHouse: clickhouse.label,
  Trino: trino.label,
  Snowflake: snowflake.label,
  BigQuery: bigquery.label,
  Files: duckdb.label,
  RestApi: "REST API",
};

/** By kind of data source; a REST API has no SQL. */
const byKind = {
  PostgreSql: postgresql,
  MySql: mysql,
  SqlServer: sqlserver,
  ClickHouse: clickhouse,
  Trino: trino,
  Snowflake: snowflake,
  BigQuery: bigquery,
  Files: duckdb,
  RestApi: null,
} as const satisfies Record<ServerKind, ServerDialect> &
  Record<DatabaseKind, Dialect> &
  Record<Kind, Dialect | null>;

export function dialectOf(kind: ServerKind): ServerDialect;
export function dialectOf(kind: DatabaseKind): Dialect;
export function dialectOf(kind: Kind): Dialect | null;
export function dialectOf(kind: Kind): Dialect | null {
  return byKind[kind];
}
