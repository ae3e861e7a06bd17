import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clickHouseConnection, runOnClickHouse } from "../../test/clickhouse.ts";
import { clickhouse } from "./clickhouse.ts";
import type { Limits, Source, Statement } from "./engine.ts";

const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };

/** On a real server, if TEST_CLICKHOUSE_URL names one (CONTRIBUTING.md). */
describe.skipIf(!clickHouseConnection)("ClickHouse", () => {
  const target = clickHouseConnection ?? ({} as NonNullable<typeof clickHouseConnection>);
  let source: Source;
  const read = (sql: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
    source.session((session) => session.read({ sql, parameters }, { ...ample, ...limits }));

  beforeAll(async () => {
    source = clickhouse.open(target);
    for (const sql of [
      "drop database if exists engine_test",
      "create database engine_test",
      `create table engine_test.orders (
         id UInt64, customer LowCardinality(Nullable(String)) comment 'who', total Decimal(20, 4),
         placed DateTime64(3, 'Europe/Berlin')
       ) engine = MergeTree order by id comment 'what was bought'`,
      `insert into engine_test.orders select number, if(number % 10 = 0, null, 'ada'), number / 4,
         toDateTime64('2024-01-01 12:00:00.5', 3, 'Europe/Berlin') from numbers(1000)`,
      "create table engine_test.states (id UInt32, state String) engine = ReplacingMergeTree order by id",
      "insert into engine_test.states values (1, 'new')",
      "insert into engine_test.states values (1, 'paid')",
      "create view engine_test.large as select id from engine_test.orders where total > 100",
    ])
      await runOnClickHouse(target, sql);
  });
  afterAll(async () => {
    await source.close();
    await runOnClickHouse(target, "drop database if exists engine_test");
  });

  test("the connection test names the version and says that the login may write", async () => {
    expect(await source.test()).toEqual({
      serverVersion: expect.stringMatching(/^ClickHouse \d+\.\d+/),
      canWrite: true,
    });
  });

  test("databases, tables, views, columns, comments, and row counts are introspected", async () => {
    const { items } = await source.introspect();
    const own = items.find(({ schemaName }) => schemaName === "engine_test");
    expect(items.map(({ schemaName }) => schemaName)).not.toContain("system");
    expect(own?.tables.map(({ tableName, kind, rowEstimate }) => [tableName, kind, rowEstimate])).toEqual([
      ["large", "View", null],
      ["orders", "Table", 1000],
      ["states", "Table", 2],
    ]);
    const [, orders, states] = own?.tables ?? [];
    expect(orders?.comment).toBe("what was bought");
    expect(orders?.columns).toEqual([
      { name: "id", type: "UInt64", nullable: false, comment: null, isPrimaryKey: false },
      { name: "customer", type: "String", nullable: true, comment: "who", isPrimaryKey: false },
      { name: "total", type: "Decimal(20, 4)", nullable: false, comment: null, isPrimaryKey: false },
      {
        ...{ name: "placed", type: "DateTime64(3, 'Europe/Berlin')" },
        ...{ nullable: false, comment: null, isPrimaryKey: false },
      },
    ]);
    expect(states?.columns.map(({ isPrimaryKey }) => isPrimaryKey)).toEqual([true, false]);
  });

  test("what JavaScript would round or convert is exact text, with times in UTC", async () => {
    const { columns, rows } =
      await read(`select 18446744073709551615 as wide, cast('1.5' as Decimal(20, 4)) as price,
      toDateTime64('2024-01-01 12:00:00.5', 3, 'Europe/Berlin') as zoned, toDateTime('2024-07-01 12:00:00') as moment,
      toDate('2024-02-29') as day, toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') as id, nan as none, 7 as small,
      [18446744073709551615] as list, map('a', 1) as pairs, (1, 'x') as both, true as truth,
      cast(null as Nullable(String)) as nothing, cast('x' as LowCardinality(Nullable(String))) as word`);
    expect(columns.map(({ name, type }, at) => [name, type, rows[0]?.[at]])).toEqual([
      ["wide", "UInt64", "18446744073709551615"],
      ["price", "Decimal(20, 4)", "1.5000"],
      ["zoned", "DateTime64(3, 'Europe/Berlin')", "2024-01-01 11:00:00.500"],
      ["moment", "DateTime", "2024-07-01 12:00:00"],
      ["day", "Date", "2024-02-29"],
      ["id", "UUID", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
      ["none", "Float64", "nan"],
      ["small", "UInt8", 7],
      ["list", "Array(UInt64)", '["18446744073709551615"]'],
      ["pairs", "Map(String, UInt8)", '{"a":1}'],
      ["both", "Tuple(UInt8, String)", '[1,"x"]'],
      ["truth", "Bool", true],
      ["nothing", "String", null],
      ["word", "String", "x"],
    ]);
  });

  test("parameters are bound by the type of their value, and never looked for in texts", async () => {
    const hostile = "it's \\ {p2:String}\n\t'; drop table x";
    const sql = `select {p1:String}, {p2:String}, {p3:String}, {p4:String}, '{p1:String}'`;
    expect((await read(sql, [hostile, 5, 0.5, null])).rows).toEqual([
      [hostile, "5", 0.5, null, "{p1:String}"],
    ]);
  });

  test("rows and bytes are limited, and counted beyond on request", async () => {
    const all = await read("select id from engine_test.orders", [], { maxRows: 1000 });
    expect(all).toMatchObject({ truncated: false, rowCount: 1000 });
    const few = await read("select number from numbers(1000000)", [], { maxRows: 700 });
    expect(few).toMatchObject({ truncated: true, rowCount: 700 });
    const light = await read("select repeat('x', 1000) as x from numbers(1000)", [], { maxBytes: 100_000 });
    // A row weighs 1000 + 4 bytes.
    expect(light).toMatchObject({ truncated: true, rowCount: 99 });
    const counted = await read("select number from numbers(200000)", [], { maxRows: 7, countAll: true });
    expect(counted).toMatchObject({ truncated: true, rowCount: 200_000 });
    expect(counted.rows).toHaveLength(7);
    expect(await read("select 1 as n where 1 = 0")).toEqual({
      ...{ columns: [{ name: "n", type: "UInt8" }], rows: [] },
      ...{ truncated: false, rowCount: 0 },
    });
  });

  test("a row that is too large fails the statement", async () => {
    await expect(
      read("select arrayStringConcat(arrayMap(n -> repeat('x', 1000000), range(10))) as x", [], {
        maxBytes: 1000,
      }),
    ).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
  });

  test("a statement ends at its time limit", async () => {
    await expect(
      read("select sleepEachRow(1) from numbers(3)", [], { timeoutMs: 300 }),
    ).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.3 s and was cancelled",
    });
  });

  test("an aborted statement throws the reason, and closing ends what runs", async () => {
    const stop = new AbortController();
    const aborted = read("select sleep(3)", [], { signal: stop.signal });
    const rejection = expect(aborted).rejects.toThrow("Enough");
    stop.abort(new Error("Enough"));
    await rejection;
    const other = clickhouse.open(target);
    const running = other.session((session) =>
      session.read({ sql: "select sleep(3)", parameters: [] }, ample),
    );
    const ended = expect(running).rejects.toMatchObject({ kind: "unreachable" });
    await other.close();
    await ended;
    await expect(other.test()).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("even without the gate, the server rejects writes", async () => {
    const { connect } = await import("./clickhouse/client.ts");
    const client = connect(target);
    try {
      for (const sql of [
        "insert into engine_test.orders select * from engine_test.orders",
        "drop table engine_test.orders",
        "set readonly = 0",
      ])
        await expect(client.read({ sql, parameters: [] }, ample), sql).rejects.toMatchObject({
          name: "SourceError",
        });
    } finally {
      await client.close();
    }
    expect((await read("select count() from engine_test.orders")).rows).toEqual([["1000"]]);
  });

  test.each([
    "select * from url('http://127.0.0.1/', CSV, 'a String')",
    "select * from numbers(1), file('/etc/passwd', LineAsString)",
    "select file('secret.txt')",
    "select * from remote('127.0.0.1', system.one)",
    "select * from `s3`('https://example.com/x.csv')",
    "select * from executable('x.sh', TabSeparated, 'a String')",
    "select * from mysql('127.0.0.1:3306', 'a', 'b', 'c', 'd')",
    "select aiGenerate('x')",
    "select ninety_nine(1)",
  ])("%s reaches outside and is refused", async (sql) => {
    await expect(read(sql)).rejects.toMatchObject({ kind: "refused" });
  });

  test("the server's own functions and inner table functions are allowed, and what an Admin allows", async () => {
    const sql =
      "select sumIf(number, number > 1), uniqExact(toString(number)), quantile(0.5)(number) from numbers(4)";
    expect((await read(sql)).rows).toEqual([["5", "4", 1.5]]);
    const allowing = clickhouse.open(target, { allowedFunctions: ["merge"] });
    try {
      const merged = "select count() from merge('engine_test', '^orders$')";
      await expect(read(merged)).rejects.toMatchObject({ kind: "refused" });
      const { rows } = await allowing.session((session) =>
        session.read({ sql: merged, parameters: [] }, ample),
      );
      expect(rows).toEqual([["1000"]]);
    } finally {
      await allowing.close();
    }
  });

  test("FINAL merges rows when it is asked for, in the statement or by a setting", async () => {
    const count = async (sql: string) => (await read(sql)).rows[0]?.[0];
    expect(await count("select count() from engine_test.states")).toBe("2");
    expect(await count("select count() from engine_test.states final")).toBe("1");
    expect(await count("select count() from engine_test.states settings final = 1")).toBe("1");
  });

  test.each([
    ["select (1", [], /^Syntax error/],
    ["select nope from engine_test.orders", [], "Unknown expression identifier `nope`"],
    ["select * from engine_test.missing", [], /does not exist|Unknown table/],
  ] as const)("%s is told in the server's words", async (sql, parameters, message) => {
    await expect(read(sql, parameters)).rejects.toMatchObject({
      kind: "statement",
      message: expect.stringMatching(message),
    });
  });

  test("an error after the first rows is one", async () => {
    const late = "select throwIf(number = 150000) from numbers(200000)";
    await expect(read(late, [], { countAll: true })).rejects.toMatchObject({
      kind: "statement",
      message: expect.stringContaining("throwIf"),
    });
  });

  test("a mistake is found without running, with its place", async () => {
    const check = (sql: string) =>
      source.session(async (session) =>
        session.check?.({ sql, parameters: [] }, { timeoutMs: 5_000, estimates: true }),
      );
    await expect(check("select nope from engine_test.orders")).rejects.toMatchObject({ kind: "statement" });
    await expect(check("select 1,\n  from from")).rejects.toMatchObject({ kind: "statement" });
    expect(await check("select id from engine_test.orders")).toEqual({ scans: true, estimatedRows: 1000 });
    expect(await check("select sleep(3)")).toEqual({ scans: true });
  });

  test("a plan is a tree that says what an index leaves to read", async () => {
    const sql = "select count(customer) from engine_test.orders where id = 7";
    const plan = await source.session(async (session) => session.explain?.({ sql, parameters: [] }, ample));
    const text = JSON.stringify(plan);
    expect(text).toContain("ReadFromMergeTree");
    expect(text).toContain("reads 1 of 1 granules");
  });

  test("a wrong password, a wrong port, and another protocol are told apart", async () => {
    const failing = async (changes: Partial<typeof target>) => {
      const other = clickhouse.open({ ...target, ...changes });
      try {
        return await other.test();
      } catch (error) {
        return error;
      } finally {
        await other.close();
      }
    };
    expect(await failing({ password: "wrong" })).toMatchObject({
      kind: "unreachable",
      message: "The login failed: user or password is wrong",
    });
    expect(await failing({ port: 1 })).toMatchObject({
      kind: "unreachable",
      message: "Connection refused: nothing is listening on this host and port",
    });
    expect(await failing({ ssl: true })).toMatchObject({ kind: "unreachable" });
    expect(await failing({ database: "missing" })).toMatchObject({
      kind: "unreachable",
      message: "The database does not exist, or the login may not see it",
    });
  });
});
