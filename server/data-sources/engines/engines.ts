import type { DatabaseKind, Kind } from "../kinds.ts";
import { bigquery } from "./bigquery.ts";
import { clickhouse } from "./clickhouse.ts";
import type { DatabaseEngine, Engine, RequestEngine } from "./engine.ts";
import { files } from "./files.ts";
import { mysql } from "./mysql.ts";
import { postgresql } from "./postgresql.ts";
import { restApi } from "./rest-api.ts";
import { snowflake } from "./snowflake.ts";
import { sqlserver } from "./sqlserver.ts";
import { trino } from "./trino.ts";

/** One for each kind of data source. */
const engines = {
  PostgreSql: postgresql,
  MySql: mysql,
  SqlServer: sqlserver,
  ClickHouse: clickhouse,
  Trino: trino,
  Snowflake: snowflake,
  BigQuery: bigquery,
  Files: files,
  RestApi: restApi,
} satisfies Record<DatabaseKind, DatabaseEngine> & Record<Exclude<Kind, DatabaseKind>, RequestEngine>;

export const getEngine = (kind: Kind): Engine => engines[kind];
