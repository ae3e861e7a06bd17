import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bigquery } from "../../data-sources/engines/bigquery.ts";
import { clickhouse } from "../../data-sources/engines/clickhouse.ts";
import type { DatabaseEngine, OpenConnection } from "../../data-sources/engines/engine.ts";
import { files } from "../../data-sources/engines/files.ts";
import { mysql } from "../../data-sources/engines/mysql.ts";
import { postgresql } from "../../data-sources/engines/postgresql.ts";
import { snowflake } from "../../data-sources/engines/snowflake.ts";
import { sqlserver } from "../../data-sources/engines/sqlserver.ts";
import { trino } from "../../data-sources/engines/trino.ts";
import { sql } from "../../db/client.ts";
import { env } from "../../env.ts";
import { bigQueryConnection, runOnBigQuery } from "../../test/bigquery.ts";
import { clickHouseConnection, runOnClickHouse } from "../../test/clickhouse.ts";
import { ownConnection } from "../../test/factories/data-sources.ts";
import { allowedTestFolder, filesConnection } from "../../test/files.ts";
import { asAdmin, mysqlConnection } from "../../test/mysql.ts";
import { runOnSnowflake, snowflakeConnection } from "../../test/snowflake.ts";
import { ownSchema, sqlServerAdmin, sqlServerConnection } from "../../test/sqlserver.ts";
import { runOnTrino, trinoConnection } from "../../test/trino.ts";
import { overallScore, roundScore } from "../score.ts";
import { MeasurementQueue } from "../service/measurement-queue.ts";
import { type ColumnKind, musicShop, type ShopTable, shopContracts } from "./music-shop.fixture.ts";

/**
 * The same music shop on every engine that is there, and the same contracts on it: equal measurements, verdicts, and scores.
 * PostgreSQL's figures are the ones that the others are compared with; what passes and what scores was worked out by hand.
 */
const shop = musicShop(Date.now());
const schemaName = "music_shop";

type Types = Record<ColumnKind, string>;
const duckTypes: Types = {
  ...{ integer: "integer", price: "decimal(10, 2)", double: "double", text: "varchar", time: "timestamp" },
};
const literal = (value: string | null) => (value === null ? "null" : `'${value}'`);
const tuplesOf = ({ rows }: ShopTable, cell: (value: string | null, at: number) => string) =>
  rows.map((row) => `(${row.map((value, at) => cell(value, at)).join(", ")})`).join(", ");
const columnsOf = ({ columns }: ShopTable, types: Types, quote = (name: string) => name) =>
  columns.map(([name, kind]) => `${quote(name)} ${types[kind]}`).join(", ");

/** Creates each table and fills it, with the statements of one engine. */
async function load(
  run: (statement: string) => Promise<unknown>,
  types: Types,
  {
    prefix = "",
    options = "",
    quote = (name: string) => name,
    cell = (_kind: ColumnKind) => literal as (value: string | null) => string,
  } = {},
): Promise<void> {
  for (const table of shop) {
    const name = prefix + quote(table.name);
    await run(`create table ${name} (${columnsOf(table, types, quote)})${options}`);
    const cells = table.columns.map(([, kind]) => cell(kind));
    await run(`insert into ${name} values ${tuplesOf(table, (value, at) => (cells[at] ?? literal)(value))}`);
  }
}

/** Files of a format in a folder. */
async function writeFiles(folder: string, format: string): Promise<void> {
  mkdirSync(folder);
  if (format === "sqlite") {
    const database = new DatabaseSync(join(folder, `${schemaName}.sqlite`));
    const types = { ...duckTypes, integer: "integer", price: "numeric", double: "real", text: "text" };
    await load(async (statement) => database.exec(statement), types);
    database.close();
    return;
  }
  const file = format === "duckdb" ? join(folder, `${schemaName}.duckdb`) : ":memory:";
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await load((statement) => connection.run(statement), duckTypes);
  const options = { parquet: "format parquet", csv: "format csv, header" }[format];
  if (options)
    for (const { name } of shop)
      await connection.run(`copy ${name} to '${join(folder, `${name}.${format}`)}' (${options})`);
  connection.closeSync();
  instance.closeSync();
}

type Place = {
  name: string;
  engine: DatabaseEngine;
  schema: string;
  connection(): OpenConnection;
  fill(): Promise<unknown>;
  empty?(): Promise<unknown>;
};
const folder = allowedTestFolder();

const places: Place[] = [
  {
    ...{ name: "PostgreSQL", engine: postgresql, schema: schemaName, connection: ownConnection },
    async fill() {
      await sql.unsafe(`create schema ${schemaName}`);
      const types = { ...duckTypes, double: "double precision", text: "text" };
      await load((statement) => sql.unsafe(statement), types, { prefix: `${schemaName}.` });
    },
  },
  {
    ...{ name: "MySQL or MariaDB", engine: mysql, schema: mysqlConnection.database },
    connection: () => mysqlConnection,
    fill: () =>
      load((statement) => asAdmin(statement), { ...duckTypes, text: "varchar(100)", time: "datetime" }),
  },
  ...["parquet", "csv", "duckdb", "sqlite"].map((format): Place => {
    const own = join(folder, format);
    return {
      ...{ name: `files of ${format}`, engine: files },
      schema: format === "duckdb" || format === "sqlite" ? schemaName : "main",
      connection: () => filesConnection(own),
      fill: () => writeFiles(own, format),
    };
  }),
];

const clickHouse = clickHouseConnection;
if (clickHouse)
  places.push({
    ...{ name: "ClickHouse", engine: clickhouse, schema: schemaName, connection: () => clickHouse },
    async fill() {
      await this.empty?.();
      await runOnClickHouse(clickHouse, `create database ${schemaName}`);
      const types = {
        ...{ integer: "Nullable(Int32)", price: "Nullable(Decimal(10, 2))", double: "Nullable(Float64)" },
        ...{ text: "Nullable(String)", time: "Nullable(DateTime)" },
      };
      const options = " engine = MergeTree order by tuple()";
      await load((statement) => runOnClickHouse(clickHouse, statement), types, {
        ...{ prefix: `${schemaName}.`, options },
      });
    },
    empty: () => runOnClickHouse(clickHouse, `drop database if exists ${schemaName}`),
  });

const cluster = trinoConnection;
if (cluster)
  places.push({
    ...{ name: "Trino", engine: trino, schema: schemaName, connection: () => cluster },
    async fill() {
      await this.empty?.();
      await runOnTrino(cluster, `create schema ${schemaName}`);
      const types: Types = { ...duckTypes, time: "timestamp(6)" };
      await load((statement) => runOnTrino(cluster, statement), types, {
        prefix: `${schemaName}.`,
        cell: (kind) => (value) => `cast(${literal(value)} as ${types[kind]})`,
      });
    },
    async empty() {
      for (const { name } of shop) await runOnTrino(cluster, `drop table if exists ${schemaName}.${name}`);
      await runOnTrino(cluster, `drop schema if exists ${schemaName}`);
    },
  });

const warehouse = snowflakeConnection;
if (warehouse)
  places.push({
    ...{
      name: "Snowflake",
      engine: snowflake,
      schema: schemaName.toUpperCase(),
      connection: () => warehouse,
    },
    async fill() {
      await this.empty?.();
      await runOnSnowflake(`create schema ${this.schema}`);
      const types = {
        ...{ integer: "int", price: "number(10, 2)", double: "double", text: "varchar" },
        time: "timestamp_ntz",
      };
      await load(runOnSnowflake, types, { prefix: `${this.schema}.`, quote: snowflake.dialect.quote });
    },
    empty: () => runOnSnowflake(`drop schema if exists ${schemaName.toUpperCase()} cascade`),
  });

const lake = bigQueryConnection;
if (lake)
  places.push({
    ...{ name: "BigQuery", engine: bigquery, schema: schemaName, connection: () => lake },
    async fill() {
      env().OUTBOUND_ALLOW = "127.0.0.1";
      await this.empty?.();
      await runOnBigQuery(lake, `create schema ${schemaName}`);
      const types = {
        ...{
          integer: "INT64",
          price: "NUMERIC(10, 2)",
          double: "FLOAT64",
          text: "STRING",
          time: "TIMESTAMP",
        },
      };
      await load((statement) => runOnBigQuery(lake, statement), types, {
        prefix: `${schemaName}.`,
        cell: (kind) => (value) =>
          value === null ? "null" : `cast('${value}' as ${types[kind].replace(/\(.*/, "")})`,
      });
    },
    empty: () => runOnBigQuery(lake, `drop schema if exists ${schemaName} cascade`),
  });

const server = sqlServerConnection;
if (server)
  places.push({
    ...{ name: "SQL Server", engine: sqlserver, schema: ownSchema, connection: () => server },
    async fill() {
      const admin = await sqlServerAdmin(server);
      await admin.run(`create schema ${ownSchema}`);
      const types = {
        ...{ integer: "int", price: "decimal(10, 2)", double: "float", text: "nvarchar(100)" },
        time: "datetime2(3)",
      };
      await load(admin.run, types, { prefix: `${ownSchema}.` });
      admin.end();
    },
    async empty() {
      const admin = await sqlServerAdmin(server);
      for (const { name } of shop) await admin.run(`drop table if exists ${ownSchema}.${name}`);
      await admin.run(`drop schema if exists ${ownSchema}`);
      admin.end();
    },
  });

/** What the contracts say on one engine: by table, each rule's verdict and what it measured. */
async function evaluate({ engine, connection, schema }: Place) {
  const { dialect } = engine;
  const source = engine.open(connection());
  const contracts = shopContracts({
    quote: dialect.quote,
    relation: (table) => `${dialect.quote(schema)}.${dialect.quote(table)}`,
    // SQL Server has no regular expressions.
    code: dialect.pattern.language === "regex" ? "^PL-[0-9]{4}$" : "PL-[0-9][0-9][0-9][0-9]",
  });
  try {
    const { items } = await source.introspect();
    const evaluations = Object.entries(contracts).map(async ([tableName, expected]) => {
      const found = items.flatMap(({ schemaName, tables }) =>
        schemaName === schema ? tables.filter((each) => each.tableName === tableName) : [],
      );
      const columnTypes = new Map(found[0]?.columns.map(({ name, type }) => [name, type]));
      const rules = expected.map(([type, configuration]) => ({
        type,
        configuration,
        severity: "Medium" as const,
        weight: 1,
      }));
      const queue = new MeasurementQueue(
        rules,
        { schemaName: schema, tableName, columnTypes },
        { report: async () => {} },
        true,
      );
      queue.plan(dialect);
      await source.session(async (session) => {
        await queue.check(session);
        for (let scan = queue.take(); scan; scan = queue.take()) await queue.read(session, scan);
      });
      const results = await queue.results();
      return {
        tableName,
        expected,
        verdicts: results.map(({ rule, verdict }) => ({ ...verdict, type: rule.type })),
        score: overallScore(results.map(({ rule, verdict }) => ({ ...rule, score: verdict.score }))),
      };
    });
    return await Promise.all(evaluations);
  } finally {
    await source.close();
  }
}
type Evaluations = Awaited<ReturnType<typeof evaluate>>;

/** What was measured, apart from what is written as the engine writes it, and from the age of rows. */
const measuredIn = (evaluations: Evaluations) =>
  evaluations.map(({ tableName, verdicts, score }) => ({
    tableName,
    score,
    measured: verdicts.map(({ type, passed, score, expectedValue, actualValue }) => ({
      ...{ type, passed, score: roundScore(score) },
      ...(!writtenByEngine.has(type) && { expectedValue }),
      ...(type !== "Freshness" && { actualValue }),
    })),
  }));
/** Their expectation has SQL, a pattern, or a time in it. */
const writtenByEngine = new Set(["RowCondition", "CustomSql", "Pattern", "Freshness"]);

describe("one music shop everywhere", () => {
  let onPostgres: Evaluations;
  afterAll(() => Promise.all(places.map((place) => place.empty?.())));
  beforeAll(async () => {
    const [first] = places;
    if (!first) throw new Error("There is no first place");
    await first.fill();
    onPostgres = await evaluate(first);
  });

  test("its contracts say what was worked out by hand", () => {
    for (const { tableName, expected, verdicts, score } of onPostgres) {
      expect(
        verdicts.map(({ type, passed, score }) => [type, passed, roundScore(score)]),
        tableName,
      ).toEqual(expected.map(([type, , passed, score]) => [type, passed, score]));
      const mean = expected.reduce((sum, [, , , each]) => sum + each, 0) / expected.length;
      expect(score, tableName).toBeCloseTo(mean, 1);
    }
  });

  test.each(places.slice(1).map((place) => [place.name, place] as const))(
    "%s: equal measurements, verdicts, and scores",
    async (_, place) => {
      await place.fill();
      expect(measuredIn(await evaluate(place))).toEqual(measuredIn(onPostgres));
    },
    60_000,
  );
});
