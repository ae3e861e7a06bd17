import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../../env.ts";
import { bigQueryConnection, runOnBigQuery } from "../../test/bigquery.ts";
import { bigquery as dialect } from "../dialects/bigquery.ts";
import { bigquery } from "./bigquery.ts";
import type { Limits, Source, Statement } from "./engine.ts";

const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };

/** On an emulator that runs SQL, if TEST_BIGQUERY_URL names one (CONTRIBUTING.md). */
describe.skipIf(!bigQueryConnection)("an emulator of BigQuery", () => {
  const target = bigQueryConnection ?? ({} as NonNullable<typeof bigQueryConnection>);
  let source: Source;
  const read = (sql: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
    source.session((session) => session.read({ sql, parameters }, { ...ample, ...limits }));
  const own = (sql: string) =>
    source.session((session) => session.read({ sql, parameters: [], ownSql: true }, ample));

  beforeAll(async () => {
    env().OUTBOUND_ALLOW = "127.0.0.1";
    source = bigquery.open(target);
    for (const sql of [
      "drop schema if exists engine_test cascade",
      "create schema engine_test",
      `create table engine_test.orders (id int64 not null, customer string options (description = 'who'),
         total numeric, placed timestamp) options (description = 'what was "bought"')`,
      `insert into engine_test.orders select n, if(mod(n, 10) = 0, null, 'ada'), cast(n / 4 as numeric),
         timestamp '2024-01-01 12:00:00.5+01' from unnest(generate_array(0, 999)) as n`,
      "create view engine_test.large as select id from engine_test.orders where total > 100",
    ])
      await runOnBigQuery(target, sql);
  }, 60_000);
  afterAll(async () => {
    await source.close();
    await runOnBigQuery(target, "drop schema if exists engine_test cascade");
    env().OUTBOUND_ALLOW = undefined;
  });

  test("the connection is tested by a statement", async () => {
    expect(await source.test()).toEqual({ serverVersion: "BigQuery" });
  });

  test("datasets, tables, views, columns, and comments are introspected", async () => {
    const { items } = await source.introspect();
    const tables = items.find(({ schemaName }) => schemaName === "engine_test")?.tables;
    expect(tables?.map(({ tableName, kind }) => [tableName, kind])).toEqual([
      ["large", "View"],
      ["orders", "Table"],
    ]);
    const orders = tables?.[1];
    expect(orders?.rowEstimate).toBe(1000);
    expect(orders?.comment).toBe('what was "bought"');
    expect(orders?.columns).toEqual([
      { name: "id", type: "INT64", nullable: false, comment: null, isPrimaryKey: false },
      { name: "customer", type: "STRING", nullable: true, comment: "who", isPrimaryKey: false },
      { name: "total", type: "NUMERIC", nullable: true, comment: null, isPrimaryKey: false },
      { name: "placed", type: "TIMESTAMP", nullable: true, comment: null, isPrimaryKey: false },
    ]);
    const one = bigquery.open({ ...target, dataset: "engine_test" });
    expect((await one.introspect()).items).toEqual([expect.objectContaining({ schemaName: "engine_test" })]);
    await one.close();
  });

  test("what the catalog keeps of tables and views is read", async () => {
    const { rows } = await own(dialect.tableStatistics);
    expect(rows).toContainEqual(["engine_test", "orders", 1000, expect.stringMatching(/^\d+ 1000 \d+$/)]);
    const views = await own(dialect.viewDefinitions);
    expect(views.rows).toEqual([["engine_test", "large", expect.stringMatching(/total\W+>\W+100/), null]]);
    const columns = dialect.tableColumns({
      ...{ schemaName: "engine_test", tableName: "orders", table: "", bind: () => "'orders'" },
    });
    expect((await own(columns)).rows[0]).toEqual(["id", "INT64", "NO"]);
  });

  test("what JavaScript would round or convert is exact text, with times in UTC", async () => {
    const { columns, rows } = await read(`select 9007199254740993 as wide, cast('1.5' as numeric) as price,
      timestamp '2024-01-01 12:00:00.5+01' as zoned, datetime '2024-07-01 12:00:00' as local, date '2024-02-29' as day,
      cast('nan' as float64) as none, 0.5 as half, true as truth, [9007199254740993] as list,
      struct(1 as id, 'x' as code) as both, cast(null as string) as nothing, from_hex('00ff') as bytes`);
    expect(columns.map(({ name, type }, at) => [name, type, rows[0]?.[at]])).toEqual([
      ["wide", "INT64", "9007199254740993"],
      ["price", "NUMERIC", "1.5"],
      ["zoned", "TIMESTAMP", "2024-01-01 11:00:00.5+00"],
      ["local", "DATETIME", "2024-07-01 12:00:00"],
      ["day", "DATE", "2024-02-29"],
      ["none", "FLOAT64", "NaN"],
      ["half", "FLOAT64", 0.5],
      ["truth", "BOOL", true],
      ["list", "ARRAY<INT64>", "[9007199254740993]"],
      ["both", "STRUCT<id INT64, code STRING>", '{"id":1,"code":"x"}'],
      ["nothing", "STRING", null],
      ["bytes", "BYTES", "0x00ff"],
    ]);
  });

  test("parameters are bound by the type of their value, and never looked for in texts", async () => {
    const hostile = "it's \\ @p2\n\t'; drop table x";
    expect((await read("select @p1, @p2, @p3, @p4, '@p1'", [hostile, 5, 0.5, true])).rows).toEqual([
      [hostile, "5", 0.5, true, "@p1"],
    ]);
  });

  test("rows and bytes are limited, and counted beyond on request", async () => {
    const numbers = (count: number) => `select n from unnest(generate_array(1, ${count})) as n`;
    expect(await read("select id from engine_test.orders")).toMatchObject({
      truncated: false,
      rowCount: 1000,
    });
    expect(await read(numbers(10_000), [], { maxRows: 700 })).toMatchObject({
      truncated: true,
      rowCount: 700,
    });
    const light = await read(`select repeat('x', 1000) as x from (${numbers(1000)})`, [], {
      maxBytes: 100_000,
    });
    // A row weighs 1000 + 4 bytes.
    expect(light).toMatchObject({ truncated: true, rowCount: 99 });
    const counted = await read(numbers(20_000), [], { maxRows: 7, countAll: true });
    expect(counted).toMatchObject({ truncated: true, rowCount: 20_000 });
  });

  test.each([
    ["select nope from engine_test.orders", /nope/],
    ["select 1 from engine_test.nope", /Not found: Table/],
    ["select 1 +", /./],
  ])("a check finds mistakes without running, in the server's words: %s", async (sql, message) => {
    const failure = { kind: "statement", message: expect.stringMatching(message) };
    await expect(read(sql)).rejects.toMatchObject(failure);
    const check = source.session(async (session) => session.check?.({ sql, parameters: [] }, ample));
    await expect(check).rejects.toMatchObject(failure);
  });

  test.each([
    "delete from engine_test.orders where true",
    "select 1; drop table engine_test.orders",
    "create table engine_test.more as select 1 as n",
    "select * from external_query('us.crm', 'select 1')",
  ])("%s changes nothing", async (sql) => {
    await expect(read(sql)).rejects.toMatchObject({ kind: "refused" });
    expect((await read("select count(*) from engine_test.orders")).rows).toEqual([["1000"]]);
  });

  test("a statement ends at its time limit, and its job with it", async () => {
    const slow = `select count(*) from unnest(generate_array(1, 100000)) as a
      join unnest(generate_array(1, 100000)) as b on mod(a * b, 7) = 3`;
    await expect(read(slow, [], { timeoutMs: 500 })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.5 s and was cancelled",
    });
  });
});
