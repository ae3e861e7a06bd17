import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Source } from "../engine.ts";
import { postgresql } from "../postgresql.ts";

/** Hypertables on a PostgreSQL that has loaded TimescaleDB, if TEST_TIMESCALE_URL is a superuser's address of one. */
const address = process.env.TEST_TIMESCALE_URL;

describe.skipIf(address === undefined)("TimescaleDB", () => {
  const url = new URL(address ?? "postgres://nowhere");
  const database = `timescale_${process.pid}`;
  let sql: Sql;
  let source: Source;

  const onServer = async (statement: string) => {
    const server = postgres(url.href, { max: 1, onnotice: () => {} });
    await server.unsafe(statement);
    await server.end();
  };
  const read = async (statement: string, ownSql = false) =>
    (
      await source.session((session) =>
        session.read(
          { sql: statement, parameters: [], ownSql },
          { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 },
        ),
      )
    ).rows;
  const tables = async () =>
    (await source.introspect()).items.flatMap(({ schemaName, tables }) =>
      tables.map(({ tableName, rowEstimate }) => [schemaName, tableName, rowEstimate]),
    );
  const statistics = async () =>
    new Map(
      (await read(postgresql.dialect.tableStatistics, true)).map(([schema, name, ...figures]) => [
        `${schema}.${name}`,
        figures,
      ]),
    );

  beforeAll(async () => {
    await onServer(`drop database if exists ${database} with (force)`);
    await onServer(`create database ${database}`);
    sql = postgres({ ...postgresUrl(url, database), max: 1, onnotice: () => {} });
    await sql.unsafe("create extension if not exists timescaledb");
    await sql.unsafe(`
      create table plain (id integer primary key);
      insert into plain select generate_series(1, 100);
      create table metrics (at timestamptz not null, device text, value float8)`);
    await sql.unsafe("select create_hypertable('metrics', 'at', chunk_time_interval => interval '1 day')");
    await sql.unsafe(
      "insert into metrics select timestamptz '2024-01-01' + n * interval '1 minute', 'd' || n % 7, n from generate_series(1, 10000) n",
    );
    await sql.unsafe("select pg_stat_force_next_flush()");
    await sql.unsafe("analyze plain");
    await sql.unsafe("analyze metrics");
    const { hostname: host, port, username: user, password } = url;
    source = postgresql.open({
      ...{ host, port: Number(port), database, user, password, ssl: false },
    });
  });
  afterAll(async () => {
    await source.close();
    await sql.end();
    await onServer(`drop database ${database} with (force)`);
  });

  test("a hypertable is one table with the rows of its chunks, and nothing of the extension is listed", async () => {
    expect(await tables()).toEqual([
      ["public", "metrics", 10_000],
      ["public", "plain", 100],
    ]);
    expect(await statistics()).toEqual(
      new Map([
        ["public.metrics", [10_000, "10000"]],
        ["public.plain", [100, "100"]],
      ]),
    );
    expect((await source.test()).serverVersion).toMatch(/^PostgreSQL \d+\.\d+, TimescaleDB 2\./);
  });

  test("its functions that only read are allowed, and others are not", async () => {
    expect(
      await read(
        "select time_bucket('1 day', at), first(value, at), last(value, at) from metrics group by 1 order by 1 limit 1",
      ),
    ).toEqual([["2024-01-01 00:00:00+00", 1, 1439]]);
    await expect(read("select drop_chunks('metrics', interval '1 day')")).rejects.toMatchObject({
      kind: "refused",
    });
    expect(await read("select count(*) from metrics tablesample system (100)")).toEqual([["10000"]]);
  });

  // A compressed chunk looks empty, to PostgreSQL at once and to its counters after the next ANALYZE.
  test("once chunks are compressed, what is not known of it is not guessed", async () => {
    await sql.unsafe(
      "alter table metrics set (timescaledb.compress, timescaledb.compress_segmentby = 'device')",
    );
    await sql.unsafe("select compress_chunk(chunk) from show_chunks('metrics') chunk");
    await sql.unsafe("select pg_stat_force_next_flush()");
    expect(await tables()).toContainEqual(["public", "metrics", null]);
    expect((await statistics()).get("public.metrics")).toEqual([null, "10000"]);
    await sql.unsafe("analyze metrics");
    expect(await tables()).toContainEqual(["public", "metrics", 10_000]);
    expect(await read("select count(*) from metrics")).toEqual([["10000"]]);
  });

  test("a continuous aggregate is a view", async () => {
    await sql.unsafe(
      "create materialized view daily with (timescaledb.continuous) as select time_bucket('1 day', at) as day, device, avg(value) as mean from metrics group by 1, 2",
    );
    const { items } = await source.introspect();
    expect(items.map(({ schemaName }) => schemaName)).toEqual(["public"]);
    expect(items[0]?.tables.find(({ tableName }) => tableName === "daily")).toMatchObject({ kind: "View" });
    expect(await read("select count(*) from daily")).toEqual([["49"]]);
  });
});

const postgresUrl = ({ hostname: host, port, username, password }: URL, database: string) => ({
  ...{ host, port: Number(port), database, username, password },
});
