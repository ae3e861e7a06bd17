import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aRelay, until } from "../../test/listening.ts";
import { runOnTrino, trinoConnection, trinoTlsConnection } from "../../test/trino.ts";
import type { Limits, Source, Statement } from "./engine.ts";
import { trino } from "./trino.ts";

const ample: Limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 };
/** Takes minutes. */
const slow =
  "select count(*) from tpch.sf100.lineitem as a cross join tpch.sf100.lineitem as b where a.comment < b.comment";

/** On a real server, if TEST_TRINO_URL names one (CONTRIBUTING.md). */
describe.skipIf(!trinoConnection)("Trino", () => {
  const target = trinoConnection ?? ({} as NonNullable<typeof trinoConnection>);
  let source: Source;
  const read = (sql: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
    source.session((session) => session.read({ sql, parameters }, { ...ample, ...limits }));
  const run = (sql: string) => runOnTrino(target, sql);
  const isRunning = async (text: string) =>
    (
      await run(
        "select query from system.runtime.queries where state in ('QUEUED', 'PLANNING', 'STARTING', 'RUNNING')",
      )
    ).some(([query]) => String(query).includes(text) && !String(query).includes("system.runtime"));
  const empty = async () => {
    for (const name of ["orders", "odd"]) await run(`drop table if exists engine_test.${name}`);
    await run('drop table if exists engine_test."odd name.x"');
    await run("drop view if exists engine_test.large");
    await run("drop schema if exists engine_test");
  };

  beforeAll(async () => {
    source = trino.open(target);
    await empty();
    for (const sql of [
      "create schema engine_test",
      `create table engine_test.orders (
         id bigint not null, customer varchar(20) comment 'who', total decimal(20, 4), placed timestamp(3) with time zone
       ) comment 'what was bought'`,
      `insert into engine_test.orders select n, if(n % 10 = 0, null, 'ada'), cast(n as decimal(20, 4)) / 4,
         timestamp '2024-01-01 12:00:00.500 Europe/Berlin' from unnest(sequence(0, 999)) as t (n)`,
      'create table engine_test."odd name.x" ("a ""b""" bigint, "select" varchar)',
      "create view engine_test.large as select id from engine_test.orders where total > 100",
    ])
      await run(sql);
  }, 60_000);
  afterAll(async () => {
    await source.close();
    await empty();
  });

  test("the connection test names the version and says that the login may write", async () => {
    expect(await source.test()).toEqual({
      serverVersion: expect.stringMatching(/^Trino \w+/),
      canWrite: true,
    });
  });

  test("schemas, tables, views, columns, and comments are introspected", async () => {
    const { items } = await source.introspect();
    expect(items.map(({ schemaName }) => schemaName)).not.toContain("information_schema");
    const own = items.find(({ schemaName }) => schemaName === "engine_test");
    expect(own?.tables.map(({ tableName, kind }) => [tableName, kind])).toEqual([
      ["large", "View"],
      ["odd name.x", "Table"],
      ["orders", "Table"],
    ]);
    const [, odd, orders] = own?.tables ?? [];
    expect(orders?.comment).toBe("what was bought");
    const plain = { comment: null, isPrimaryKey: false };
    expect(orders?.columns).toEqual([
      { ...plain, name: "id", type: "bigint", nullable: false },
      { ...plain, name: "customer", type: "varchar(20)", nullable: true, comment: "who" },
      { ...plain, name: "total", type: "decimal(20,4)", nullable: true },
      { ...plain, name: "placed", type: "timestamp(3) with time zone", nullable: true },
    ]);
    expect(odd?.columns.map(({ name }) => name)).toEqual(['a "b"', "select"]);
  });

  test("what JavaScript would round or convert is exact text, with times in UTC", async () => {
    const { columns, rows } =
      await read(`select bigint '9223372036854775807' as wide, bigint '7' as big, 7 as small,
      decimal '12345678901234567890.1234' as price, 0.1e0 as tenth, real '0.1' as single, nan() as none, -infinity() as least,
      timestamp '2024-07-01 12:00:00.123456789012 Europe/Berlin' as zoned, timestamp '2024-01-01 12:00:00.5 -03:30' as shifted,
      timestamp '2024-07-01 12:00:00.123456' as plain, date '2024-02-29' as day, time '10:00:00.5' as clock,
      X'00FF' as bytes, uuid '61F0C404-5CB3-11E7-907B-A6006AD3DBA0' as id, json '{"a": [1, 2]}' as document,
      array[bigint '9223372036854775807', null] as list, map(array['a'], array[1]) as pairs,
      cast(row(1, 'x') as row(a bigint, b varchar)) as both, true as truth, cast(null as varchar) as nothing,
      cast('ab' as char(5)) as padded, interval '1' day as lapse`);
    expect(columns.map(({ name, type }, at) => [name, type, rows[0]?.[at]])).toEqual([
      ["wide", "bigint", "9223372036854775807"],
      ["big", "bigint", "7"],
      ["small", "integer", 7],
      ["price", "decimal(24, 4)", "12345678901234567890.1234"],
      ["tenth", "double", 0.1],
      ["single", "real", 0.1],
      ["none", "double", "NaN"],
      ["least", "double", "-Infinity"],
      ["zoned", "timestamp(12) with time zone", "2024-07-01 10:00:00.123456789012"],
      ["shifted", "timestamp(1) with time zone", "2024-01-01 15:30:00.5"],
      ["plain", "timestamp(6)", "2024-07-01 12:00:00.123456"],
      ["day", "date", "2024-02-29"],
      ["clock", "time(1)", "10:00:00.5"],
      ["bytes", "varbinary", "00ff"],
      ["id", "uuid", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
      ["document", "json", '{"a":[1,2]}'],
      ["list", "array(bigint)", "[9223372036854775807,null]"],
      ["pairs", "map(varchar(1), integer)", '{"a":1}'],
      ["both", "row(a bigint, b varchar)", '[1,"x"]'],
      ["truth", "boolean", true],
      ["nothing", "varchar", null],
      ["padded", "char(5)", "ab   "],
      ["lapse", "INTERVAL DAY TO SECOND", "1 00:00:00.000"],
    ]);
  });

  test("parameters are bound by the type of their value, and never looked for in texts", async () => {
    const hostile = "it's \\ ? '' \"\n\t'; drop table x -- ü 漢";
    const sql = "select ?, ?, ?, ?, ?, '? it''s' -- ?\n;";
    expect((await read(sql, [hostile, 5, 0.5, null, true])).rows).toEqual([
      [hostile, "5", 0.5, null, true, "? it's"],
    ]);
  });

  test("rows and bytes are limited, and counted beyond on request", async () => {
    const numbers = (count: number) =>
      `unnest(sequence(1, 1000)) as a (m) cross join unnest(sequence(1, ${count / 1000})) as b (n)`;
    const all = await read("select id from engine_test.orders", [], { maxRows: 1000 });
    expect(all).toMatchObject({ truncated: false, rowCount: 1000 });
    const few = await read(`select n from ${numbers(1_000_000)}`, [], { maxRows: 700 });
    expect(few).toMatchObject({ truncated: true, rowCount: 700 });
    const light = await read(`select rpad('x', 1000, 'x') as x from ${numbers(1_000_000)}`, [], {
      ...{ maxBytes: 100_000, maxRows: 1_000_000 },
    });
    // A row weighs 1000 + 4 bytes.
    expect(light).toMatchObject({ truncated: true, rowCount: 99 });
    const counted = await read(`select n from ${numbers(200_000)}`, [], { maxRows: 7, countAll: true });
    expect(counted).toMatchObject({ truncated: true, rowCount: 200_000 });
    expect(counted.rows).toHaveLength(7);
    expect(await read("select 1 as n where 1 = 0")).toEqual({
      ...{ columns: [{ name: "n", type: "integer" }], rows: [] },
      ...{ truncated: false, rowCount: 0 },
    });
  });

  test("what is not read to its end is cancelled on the server", async () => {
    const rows = "select l.*, 'abandoned' as x from tpch.sf100.lineitem as l";
    expect(await read(rows, [], { maxRows: 10 })).toMatchObject({ truncated: true, rowCount: 10 });
    await until(async () => !(await isRunning("'abandoned'")));
  });

  test("a row that is too large fails the statement", async () => {
    const tooLarge = { kind: "statement", message: "A row of the result is too large to be read" };
    const huge = "select array_join(transform(sequence(1, 100), n -> rpad('x', 100000, 'x')), '') as x";
    await expect(read(huge, [], { maxBytes: 1000 })).rejects.toMatchObject(tooLarge);
    await expect(read("select rpad('x', 2000, 'x') as x", [], { maxBytes: 1000 })).rejects.toMatchObject(
      tooLarge,
    );
  });

  test("a statement ends at its time limit, on the server as well", async () => {
    const startedAt = performance.now();
    await expect(read(`${slow} and 'late' = 'late'`, [], { timeoutMs: 700 })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.7 s and was cancelled",
    });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await until(async () => !(await isRunning("'late'")));
  });

  test("the server ends a statement by itself when it cannot be cancelled from here", async () => {
    const relay = await aRelay(target);
    const far = trino.open({ ...target, port: relay.port });
    try {
      const lost = far.session((session) =>
        session.read({ sql: `${slow} and 'lost' = 'lost'`, parameters: [] }, { ...ample, timeoutMs: 1_500 }),
      );
      const ended = expect(lost).rejects.toMatchObject({ kind: "timeout" });
      await until(() => isRunning("'lost'"));
      relay.fallSilent();
      await ended;
      await until(async () => !(await isRunning("'lost'")));
    } finally {
      await far.close();
      await relay.close();
    }
  }, 20_000);

  test("an aborted statement is cancelled on the server and throws the reason, and closing ends what runs", async () => {
    const stop = new AbortController();
    const aborted = read(`${slow} and 'unwanted' = 'unwanted'`, [], {
      signal: stop.signal,
      timeoutMs: 60_000,
    });
    const rejection = expect(aborted).rejects.toThrow("Enough");
    await until(() => isRunning("'unwanted'"));
    stop.abort(new Error("Enough"));
    await rejection;
    await until(async () => !(await isRunning("'unwanted'")));
    const other = trino.open(target);
    const running = other.session((session) =>
      session.read({ sql: `${slow} and 'third' = 'third'`, parameters: [] }, { ...ample, timeoutMs: 60_000 }),
    );
    const ended = expect(running).rejects.toMatchObject({ kind: "unreachable" });
    await until(() => isRunning("'third'"));
    await other.close();
    await ended;
    await until(async () => !(await isRunning("'third'")));
    await expect(other.test()).rejects.toMatchObject({ kind: "unreachable" });
  });

  test.each([
    "insert into engine_test.orders select * from engine_test.orders",
    "drop table engine_test.orders",
    "delete from engine_test.orders",
    "with session query_max_run_time = '10h' select 1",
    "select * from table(memory.system.query('drop table engine_test.orders'))",
    "call system.runtime.kill_query('x')",
    "select 1; drop table engine_test.orders",
    "explain analyze delete from engine_test.orders",
    "execute immediate 'drop table engine_test.orders'",
  ])("%s changes nothing", async (sql) => {
    await expect(read(sql)).rejects.toMatchObject({ kind: "refused" });
    await expect(read(sql, [1])).rejects.toMatchObject({ kind: "refused" });
    expect((await read("select count(*) from engine_test.orders")).rows).toEqual([["1000"]]);
  });

  test("the server's own functions and inner table functions are allowed", async () => {
    const sql =
      "select count_if(n > 1), approx_distinct(n), json_extract_scalar('{\"a\":1}', '$.a') from table(sequence(1, 3)) as t (n)";
    expect((await read(sql)).rows).toEqual([["2", "3", "1"]]);
  });

  test.each([
    ["select (1", [], /^mismatched input '<EOF>'/, { line: 1, column: 10 }],
    ["select nope from engine_test.orders", [], /^Column 'nope' cannot be resolved$/, { line: 1, column: 8 }],
    [
      "select 'it''s',\n  nope, ? from engine_test.orders",
      [1],
      /^Column 'nope' cannot/,
      { line: 2, column: 3 },
    ],
    ["select nope, ? from engine_test.orders", [1], /^Column 'nope' cannot/, { line: 1, column: 8 }],
    ["select * from engine_test.missing", [], /does not exist$/, { line: 1, column: 15 }],
    ["select 1 / 0", [], /^Division by zero$/, null],
  ] as const)(
    "%s is told in the server's words, with its place",
    async (sql, parameters, message, sentPlace) => {
      await expect(read(sql, parameters)).rejects.toMatchObject({
        kind: "statement",
        message: expect.stringMatching(message),
        sentPlace,
      });
    },
  );

  test("an error after the first rows is one", async () => {
    const late = "select 1 / (14000 - n) from table(sequence(1, 15000)) as t (n)";
    await expect(read(late, [], { countAll: true })).rejects.toMatchObject({
      kind: "statement",
      message: "Division by zero",
    });
  });

  test("a mistake is found without running, with its place, and the rows are estimated", async () => {
    const check = (sql: string, parameters: Statement["parameters"] = []) =>
      source.session(async (session) =>
        session.check?.({ sql, parameters }, { timeoutMs: 20_000, estimates: true }),
      );
    await expect(check("select nope from engine_test.orders")).rejects.toMatchObject({
      kind: "statement",
      sentPlace: { line: 1, column: 8 },
    });
    await expect(check("select nope from engine_test.orders where id = ?", [1])).rejects.toMatchObject({
      kind: "statement",
      sentPlace: { line: 1, column: 8 },
    });
    await expect(check("select 1,\n  from from")).rejects.toMatchObject({ kind: "statement" });
    expect(await check("select orderkey from tpch.tiny.orders")).toEqual({
      scans: true,
      estimatedRows: 15_000,
    });
    expect(await check(slow)).toMatchObject({ scans: true });
  });

  test("a plan is a tree with tables, conditions, and estimates", async () => {
    const sql = "select count(*) from tpch.tiny.orders where orderkey < ?";
    const plan = await source.session(async (session) => session.explain?.({ sql, parameters: [10] }, ample));
    const text = JSON.stringify(plan);
    expect(text).toContain("tpch:tiny:orders");
    expect(text).toMatch(/"rows":\d+/);
  });

  test("a login that may only read is told from one that may write", async () => {
    const reader = trino.open({ ...target, user: "reader" });
    try {
      expect(await reader.test()).toMatchObject({ canWrite: false });
    } finally {
      await reader.close();
    }
  });

  const failing = async (changes: Partial<typeof target>, of = target) => {
    const other = trino.open({ ...of, ...changes });
    try {
      return await other.test();
    } catch (error) {
      return error;
    } finally {
      await other.close();
    }
  };

  test("a wrong port, another protocol, and a missing catalog are told apart", async () => {
    expect(await failing({ port: 1 })).toMatchObject({
      kind: "unreachable",
      message: "Connection refused: nothing is listening on this host and port",
    });
    expect(await failing({ ssl: true })).toMatchObject({
      kind: "unreachable",
      message: "TLS negotiation failed",
    });
    expect(await failing({ database: "missing" })).toMatchObject({
      kind: "unreachable",
      message: "The catalog cannot be read: Catalog 'missing' not found",
    });
  });

  test.skipIf(!trinoTlsConnection)("by TLS, a password is checked, and so is the certificate", async () => {
    const secure = trinoTlsConnection ?? target;
    expect(await failing({}, secure)).toMatchObject({ canWrite: true });
    const other = trino.open({ ...secure, user: "jürgen", password: "pass-jürgen" });
    const { rows } = await other.session((session) =>
      session.read({ sql: "select current_user", parameters: [] }, ample),
    );
    await other.close();
    expect(rows).toEqual([["jürgen"]]);
    expect(await failing({ password: "wrong" }, secure)).toMatchObject({
      kind: "unreachable",
      message: "The login failed: user or password is wrong",
    });
    expect(await failing({ trustServerCertificate: false }, secure)).toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("certificate is not trusted"),
    });
  });
});
