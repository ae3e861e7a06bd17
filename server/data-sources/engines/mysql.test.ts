import { createServer, type Server, type Socket, connect as tcp } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned } from "../../test/factories/certificates.ts";
import { mysql as admin, asAdmin, mysqlConnection } from "../../test/mysql.ts";
import type { Cell, Limits, Session, Source, Statement } from "./engine.ts";
import { mysql } from "./mysql.ts";

/** The engine against a real MySQL or MariaDB, with a login that may do everything. */
const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
const { database } = mysqlConnection;

let source: Source;

beforeAll(async () => {
  await admin.query(`
    create table orders (id integer primary key, amount decimal(10, 2));
    insert into orders values (1, 10.50), (2, null), (3, 7);
    create table plain (n integer) engine = MyISAM;
    insert into plain values (1);
    create table numbers (n integer primary key);
    insert into numbers with recursive s as (select 1 as n union all select n + 1 from s where n < 1000) select n from s;
    create function loosen() returns integer begin
      set session sql_select_limit = 5, max_statement_time = 0, tx_read_only = 0, @left = 1; return 1; end;
    create function store() returns integer begin insert into orders values (4, 1); return 1; end;
    create function store_plain() returns integer begin insert into plain values (2); return 1; end;
    create function keep() returns integer begin create temporary table kept (n integer); return 1; end;
    create function hold() returns integer return get_lock('held-${database}', 0);
  `);
  source = mysql.open(mysqlConnection, {
    allowedFunctions: ["loosen", "store", "store_plain", "keep", "hold"],
  });
});

afterAll(() => source.close());

const read = (text: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
  source.session((session) => session.read({ sql: text, parameters }, { ...ample, ...limits }));

async function firstRow(text: string, parameters: Statement["parameters"] = []): Promise<Cell[]> {
  return (await read(text, parameters)).rows[0] ?? [];
}

const processes = async () =>
  (
    await asAdmin("select id, command, info from information_schema.processlist where db = ?", [database])
  ).map(([id, command, info]) => ({ id: Number(id), command: String(command), info: String(info) }));

const isRunning = async (text: string) =>
  (await processes()).some(({ info }) => info.includes(text) && !info.includes("processlist"));

/** Everything that a statement could change. */
const content = async () => ({
  orders: await asAdmin("select id, amount from orders order by id"),
  plain: await asAdmin("select n from plain order by n"),
  tables: await asAdmin(
    "select table_name from information_schema.tables where table_schema = ? order by table_name",
    [database],
  ),
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error("It did not happen");
}

describe("values", () => {
  test("what JavaScript would round or reshape is exact text, in UTC", async () => {
    await admin.query(`
      create table kinds (
        big bigint, huge bigint unsigned, exact decimal(40, 20), small int, tiny tinyint(1), wide int unsigned,
        ratio float, weight double, zoned timestamp(6) null, local datetime(3), day date, hour time(6), made year,
        bits bit(3), many_bits bit(40), words varchar(10), bytes varbinary(10), note text, blob_ blob,
        pick enum('a', 'b'), picks set('a', 'b'), doc json);
      insert into kinds values (
        9007199254740993, 18446744073709551615, 1.10, 7, 1, 4294967295, 0.1, 0.30000000000000004,
        '2024-03-31 02:30:00.123456', '2024-03-31 02:30:00.5', '2024-03-31', '-838:59:59.000001', 2024,
        b'101', b'1000000000000000000000000000000000000001', 'ünï', x'00ff', '', x'', 'b', 'a,b', '{"a": 1.0}')`);
    const { columns, rows } = await read("select * from kinds");
    const shown = columns.map(({ name, type }, position) => [name, type, rows[0]?.[position]]);
    expect(shown).toEqual([
      ["big", "bigint", "9007199254740993"],
      ["huge", "bigint unsigned", "18446744073709551615"],
      ["exact", "decimal", "1.10000000000000000000"],
      ["small", "int", 7],
      ["tiny", "tinyint", 1],
      ["wide", "int unsigned", 4294967295],
      ["ratio", "float", 0.1],
      ["weight", "double", 0.30000000000000004],
      ["zoned", "timestamp", "2024-03-31 02:30:00.123456"],
      ["local", "datetime", "2024-03-31 02:30:00.500"],
      ["day", "date", "2024-03-31"],
      ["hour", "time", "-838:59:59.000001"],
      ["made", "year", 2024],
      ["bits", "bit", 5],
      ["many_bits", "bit", "549755813889"],
      ["words", "varchar", "ünï"],
      ["bytes", "varbinary", "0x00ff"],
      ["note", "text", ""],
      ["blob_", "blob", "0x"],
      ["pick", "enum", "b"],
      ["picks", "set", "a,b"],
      ["doc", "json", '{"a": 1.0}'],
    ]);
  });

  test("columns of one name all stay, and a result without rows has its columns", async () => {
    const empty = await read("select 1 as a, 'x' as a from orders where false");
    expect(empty).toMatchObject({ columns: [{ name: "a" }, { name: "a", type: "varchar" }], rows: [] });
    expect(await firstRow("select 'x' as a, 'y' as a")).toEqual(["x", "y"]);
  });

  test("parameters are bound, never pasted, whatever the server thinks of backslashes", async () => {
    const evil = "\\'; delete from orders -- \\";
    expect(
      await firstRow("select ?, cast(? as decimal(30, 0)) + 1, ?, ?, ?", [
        evil,
        "9007199254740993",
        0.1,
        true,
        null,
      ]),
    ).toEqual([evil, "9007199254740994", 0.1, expect.anything(), null]);
  });

  test("the server's own settings do not change how text is read and values are written", async () => {
    const before = await asAdmin("select @@global.sql_mode, @@global.time_zone");
    await admin.query(
      "set global sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', global time_zone = '+09:00'",
    );
    const fresh = mysql.open(mysqlConnection);
    const text = `select "it", 'a\\'b', (select zoned from kinds), timestampdiff(second, now(), utc_timestamp())`;
    try {
      // The second time the connection has been used, and is clean again.
      for (const _ of [1, 2]) {
        const { rows } = await fresh.session((session) => session.read({ sql: text, parameters: [] }, ample));
        expect(rows).toEqual([["it", "a'b", "2024-03-31 02:30:00.123456", "0"]]);
      }
    } finally {
      await fresh.close();
      await admin.query("set global sql_mode = ?, global time_zone = ?", before[0] as string[]);
    }
  });
});

describe("only reading", () => {
  test.each([
    ["COMMIT; DELETE FROM orders", "refused"],
    ["select 1; delete from orders", "refused"],
    ["delete from orders", "refused"],
    ["with gone as (select 1) delete from orders", "refused"],
    ["select * from orders into outfile '/tmp/plumbline-stolen'", "refused"],
    ["select 1 into dumpfile '/tmp/plumbline-stolen'", "refused"],
    ["select 1 into @x", "refused"],
    ["select /*!50000 1 into outfile '/tmp/plumbline-stolen' */", "refused"],
    ["select load_file('/etc/passwd')", "refused"],
    ["select `sys_exec`('id')", "refused"],
    ["select get_lock('x', 1)", "refused"],
    ["select * from orders for update", "refused"],
    ["select * from orders lock in share mode", "refused"],
    ["load data local infile '/etc/passwd' into table orders", "refused"],
    ["select store()", "statement"],
    ["select store_plain()", "statement"],
    ["select loosen(), store()", "statement"],
    ["select loosen(), store_plain()", "statement"],
  ])("%s changes nothing", async (text, kind) => {
    const before = await content();
    await expect(read(text)).rejects.toMatchObject({ name: "SourceError", kind });
    expect(await content()).toEqual(before);
  });

  test("without the gate, too, several statements and writing ones are refused by the server", async () => {
    const before = await content();
    const { connect } = await import("./mysql/connection.ts");
    const connection = await connect(mysqlConnection);
    const attempt = (sql: string) => connection.read({ sql, parameters: [] }, ample);
    try {
      for (const text of [
        "select 1; delete from orders",
        "rollback; delete from orders",
        "delete from orders",
        "insert into plain values (9)",
        "create table stolen (n integer)",
        "drop table orders",
        "truncate table orders",
        "alter table orders add x integer",
        "select * from orders for update",
        "load data local infile '/etc/hostname' into table plain",
      ])
        await expect(attempt(text), text).rejects.toMatchObject({ kind: "statement" });
      // What ends the transaction does not end the mode of the session; each statement begins anew besides.
      await attempt("commit");
      await attempt("set session transaction read write");
      await expect(attempt("delete from orders")).rejects.toMatchObject({ kind: "statement" });
      expect(await content()).toEqual(before);
    } finally {
      connection.drop();
    }
  });
});

describe("nothing is left behind", () => {
  test("settings, variables, locks and temporary tables end with their statement", async () => {
    await source.session(async (session) => {
      const ask = async (text: string) =>
        (await session.read({ sql: text, parameters: [] }, ample)).rows[0] ?? [];
      const [id] = await ask("select connection_id()");
      await ask("select loosen()");
      await ask("select @mine := 5, hold()");
      await ask("select keep()").catch(() => {});
      // The very same connection, so it is clean and not only new.
      expect(await ask("select connection_id()")).toEqual([id]);
      expect(
        await ask(
          "select @left, @mine, @@tx_read_only, @@sql_select_limit, @@max_statement_time, @@time_zone",
        ),
      ).toEqual([null, null, "1", "1001", 10, "+00:00"]);
      await expect(ask("select * from kept")).rejects.toMatchObject({ kind: "statement" });
      expect(String(await ask(`select is_free_lock('held-${database}')`))).toBe("1");
    });
    expect(await asAdmin(`select get_lock('held-${database}', 0), release_all_locks()`)).toEqual([[1, 1]]);
  });

  test("a statement that fails leaves no transaction open", async () => {
    await expect(read("select missing from orders")).rejects.toMatchObject({
      kind: "statement",
      message: expect.stringMatching(/^Unknown column 'missing' in /),
    });
    await expect(read("select (select n from numbers) from orders")).rejects.toMatchObject({
      message: "Subquery returns more than 1 row",
    });
    expect(await firstRow("select 'fine'")).toEqual(["fine"]);
    expect(
      await asAdmin("select count(*) from information_schema.innodb_trx where trx_query is null"),
    ).toEqual([["0"]]);
  });
});

describe("planning", () => {
  const check = (sql: string) =>
    source.session(async (session) => session.check?.({ sql, parameters: [] }, { timeoutMs: 5000 }));

  test("says whether a table would be read, and reads none", async () => {
    expect(await check("select max(n) from numbers")).toEqual({ scans: false });
    expect(await check("select max(amount) from orders")).toEqual({ scans: true });
    expect(await check("select max(n), (select count(*) from orders) from numbers")).toEqual({
      scans: false,
    });
    expect(
      await check("select count(*) from numbers a, numbers b, numbers c where a.n + b.n * c.n < 0"),
    ).toEqual({
      scans: true,
    });
  });

  test("tells who asks how many rows it expects to go through, and what that costs where the server says so", async () => {
    const estimates = (sql: string) =>
      source.session(async (session) =>
        session.check?.({ sql, parameters: [] }, { timeoutMs: 5000, estimates: true }),
      );
    await admin.query("analyze table numbers, orders");
    // MariaDB before version 11 tells no costs.
    const [[version]] = (await asAdmin("select version()")) as [[string]];
    const hasCost = !/mariadb/i.test(version) || Number.parseInt(version, 10) >= 11;
    const cost = hasCost ? { estimatedCost: expect.any(Number) } : {};
    expect(await estimates("select n from numbers")).toEqual({ scans: true, estimatedRows: 1000, ...cost });
    expect(await estimates("select * from numbers a, orders b, plain c")).toMatchObject({
      estimatedRows: 3000,
    });
    expect(await estimates("select n from numbers union all select id from orders")).toMatchObject({
      estimatedRows: 1003,
    });
    expect(await estimates("select max(n) from numbers")).toMatchObject({ scans: false, estimatedRows: 1 });
    expect(await estimates("select 1")).toMatchObject({ estimatedRows: 1 });
  });

  test("finds what is wrong with a statement, and takes none that writes", async () => {
    await expect(check("select max(missing) from numbers")).rejects.toMatchObject({ kind: "statement" });
    await expect(check("delete from orders")).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("limits", () => {
  const million = "numbers a cross join numbers b";

  test("of a million rows only what is wanted is fetched, and the connection stays", async () => {
    await source.session(async (session) => {
      const ask = (text: string) => session.read({ sql: text, parameters: [] }, { ...ample, maxRows: 700 });
      const [id] = (await ask("select connection_id()")).rows;
      const result = await ask(`select a.n from ${million}`);
      expect(result.rows).toHaveLength(700);
      expect(result.truncated).toBe(true);
      expect((await ask("select n from numbers limit 700")).truncated).toBe(false);
      expect((await ask("select connection_id()")).rows).toEqual([id]);
    });
  });

  test("a limit of the statement's own does not fetch more, either", async () => {
    const result = await read(`select a.n, repeat('x', 500) from ${million} limit 900000`, [], {
      maxRows: 700,
    });
    expect(result.rows).toHaveLength(700);
    expect(result.truncated).toBe(true);
    await until(async () => !(await isRunning("limit 900000")));
  });

  test("bytes are limited as well as rows, and what is left is not sent", async () => {
    // A row weighs 1000 + 4 bytes, so 99 of them fit into 100,000.
    const result = await read(`select repeat('x', 1000) from ${million} -- heavy`, [], {
      maxBytes: 100_000,
      maxRows: 1_000_000,
    });
    expect(result.rows).toHaveLength(99);
    expect(result.truncated).toBe(true);
    await until(async () => !(await isRunning("-- heavy")));
  });

  test("a huge value is not collected before it is judged", async () => {
    const before = process.memoryUsage().rss;
    await expect(read("select repeat('x', 15000000)")).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    const partly = await read(
      "select n, repeat('x', if(n > 5, 15000000, 1)) from numbers where n < 10 order by n",
    );
    expect(partly).toMatchObject({ truncated: true, columns: [{ type: "int" }, {}] });
    expect(partly.rows).toHaveLength(5);
    expect(await firstRow("select 'fine'")).toEqual(["fine"]);
  });
});

describe("rows beyond the limits are counted when that is asked for", () => {
  const many = "select a.n, repeat('x', 200) as x from numbers a cross join numbers b where b.n <= 200";

  test.each([
    [{ maxRows: 700 }, 700],
    [{ maxRows: 199_999 }, 199_999],
    [{ maxRows: 0 }, 0],
    // A row weighs 4 + 8 for the number and 4 + 200 for the text.
    [{ maxRows: 1_000_000, maxBytes: 216 * 1234 }, 1234],
  ])("of 200,000 rows within %j", async (limits, kept) => {
    const result = await read(many, [], { maxBytes: 1e9, countAll: true, ...limits });
    expect(result.rows).toHaveLength(kept);
    expect(result).toMatchObject({
      truncated: true,
      rowCount: 200_000,
      columns: [{ name: "n" }, { name: "x" }],
    });
  });

  test("of few rows it is their number, and without being asked that of those kept", async () => {
    const countAll = true;
    const few = "select n from numbers where n <= ?";
    expect(await read(few, [700], { maxRows: 700, countAll })).toMatchObject({
      truncated: false,
      rowCount: 700,
    });
    expect(await read(few, [0], { countAll })).toMatchObject({
      truncated: false,
      rowCount: 0,
      rows: [],
      columns: [{ name: "n", type: "int" }],
    });
    expect(await read(few, [999], { maxRows: 700 })).toMatchObject({ truncated: true, rowCount: 700 });
  });

  test("what is counted is not held, and the connection stays", async () => {
    const wide = "select repeat('x', 2000) from numbers a cross join numbers b where b.n <= 200";
    await source.session(async (session) => {
      const ask = (sql: string) =>
        session.read({ sql, parameters: [] }, { ...ample, maxRows: 10, timeoutMs: 30_000, countAll: true });
      const [id] = (await ask("select connection_id()")).rows;
      await ask(many);
      const before = process.memoryUsage().rss;
      expect(await ask(wide)).toMatchObject({ rowCount: 200_000 });
      expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
      expect((await ask("select connection_id()")).rows).toEqual([id]);
    });
  });

  test("a row that alone is too large fails the statement", async () => {
    const huge = "select repeat('x', if(n = 5, 15000000, 1)) from numbers where n < 10";
    await expect(read(huge, [], { countAll: true })).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
    expect(await firstRow("select 'fine'")).toEqual(["fine"]);
  });

  test("the time limit holds for the counting", async () => {
    const endless = "select a.n from numbers a, numbers b, numbers c -- endless";
    await expect(read(endless, [], { maxRows: 10, timeoutMs: 500, countAll: true })).rejects.toMatchObject({
      kind: "timeout",
    });
    await until(async () => !(await isRunning("-- endless")));
  });
});

describe("time", () => {
  const slow = "select count(*) from numbers a, numbers b, numbers c where a.n + b.n * c.n < 0";

  test("a slow statement is cancelled by the server, and gone from it; the connection stays", async () => {
    await source.session(async (session) => {
      const ask = (text: string, timeoutMs: number) =>
        session.read({ sql: text, parameters: [] }, { ...ample, timeoutMs });
      const [id] = (await ask("select connection_id()", 5000)).rows;
      const startedAt = performance.now();
      const timeout = expect(ask(`${slow} -- first`, 300)).rejects.toMatchObject({
        kind: "timeout",
        message: "The statement took longer than 0.3 s and was cancelled",
      });
      await until(() => isRunning("-- first"));
      await timeout;
      expect(performance.now() - startedAt).toBeLessThan(2000);
      await until(async () => !(await isRunning("-- first")));
      expect((await ask("select connection_id()", 5000)).rows).toEqual([id]);
    });
  });

  test("sleeping is no way around", async () => {
    await expect(
      read("select sleep(30) from orders -- asleep", [], { timeoutMs: 300 }),
    ).rejects.toMatchObject({
      kind: "timeout",
    });
    await until(async () => !(await isRunning("-- asleep")));
  });

  test("a statement that the server does not limit is killed from here", async () => {
    const startedAt = performance.now();
    const unlimited = read(`set statement max_statement_time = 0 for ${slow}`, [], { timeoutMs: 300 });
    await expect(unlimited).rejects.toMatchObject({ kind: "refused" });
    const { connect } = await import("./mysql/connection.ts");
    const connection = await connect(mysqlConnection);
    await expect(
      connection.read(
        { sql: `set statement max_statement_time = 0 for ${slow} -- second`, parameters: [] },
        { ...ample, timeoutMs: 300 },
      ),
    ).rejects.toMatchObject({ kind: "timeout" });
    expect(performance.now() - startedAt).toBeLessThan(4000);
    await until(async () => !(await isRunning("-- second")));
    // A kill that comes late would meet the next statement.
    expect(connection.alive()).toBe(false);
  });

  test("a server that falls silent does not hold the caller", async () => {
    const relay = await aRelay();
    const far = mysql.open({ ...mysqlConnection, port: relay.port });
    try {
      await far.test();
      const answer = far.session((session) =>
        session.read({ sql: `${slow} -- unheard`, parameters: [] }, { ...ample, timeoutMs: 1000 }),
      );
      const timeout = expect(answer).rejects.toMatchObject({ kind: "timeout" });
      await until(() => isRunning("-- unheard"));
      relay.fallSilent();
      await timeout;
      await until(async () => !(await isRunning("-- unheard")));
    } finally {
      await far.close();
      await relay.close();
    }
  });

  test("closing the source ends what runs on it", async () => {
    const other = mysql.open(mysqlConnection);
    const running = other.session((session) =>
      session.read({ sql: `${slow} -- third`, parameters: [] }, { ...ample, timeoutMs: 60_000 }),
    );
    const failed = expect(running).rejects.toMatchObject({ kind: "unreachable" });
    await until(() => isRunning("-- third"));
    await other.close();
    await failed;
    await until(async () => !(await isRunning("-- third")));
    await expect(other.test()).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("connections", () => {
  test("three at a time; the fourth waits its turn", async () => {
    const own = mysql.open(mysqlConnection);
    try {
      let most = 0;
      let now = 0;
      const ids = await Promise.all(
        Array.from({ length: 8 }, () =>
          own.session(async (session) => {
            most = Math.max(most, ++now);
            const { rows } = await session.read(
              { sql: "select connection_id(), sleep(0.02)", parameters: [] },
              ample,
            );
            now--;
            return rows[0]?.[0];
          }),
        ),
      );
      expect(most).toBe(3);
      expect(new Set(ids).size).toBe(3);
    } finally {
      await own.close();
    }
  });

  test("a killed connection fails its statement, and the next one works", async () => {
    const victim = read("select sleep(30) -- victim", [], { timeoutMs: 60_000 });
    const failed = expect(victim).rejects.toMatchObject({ name: "SourceError", kind: "unreachable" });
    await until(() => isRunning("-- victim"));
    for (const { id, info } of await processes())
      if (info.includes("-- victim") && !info.includes("processlist")) await admin.query(`kill ${id}`);
    await failed;
    expect(await firstRow("select 'fine'")).toEqual(["fine"]);
  });

  test("connections that were killed while they rested are replaced", async () => {
    await Promise.all([read("select sleep(0.05)"), read("select sleep(0.05)")]);
    const own = Number((await asAdmin("select connection_id()"))[0]?.[0]);
    for (const { id } of await processes()) if (id !== own) await admin.query(`kill ${id}`).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await firstRow("select 'fine'")).toEqual(["fine"]);
  });

  test("within a session, too, a broken connection is replaced for the next statement", async () => {
    await source.session(async (session: Session) => {
      const ask = (text: string) => session.read({ sql: text, parameters: [] }, ample);
      await expect(ask("select repeat('x', 15000000)")).rejects.toMatchObject({ kind: "statement" });
      expect((await ask("select 'fine'")).rows).toEqual([["fine"]]);
    });
  });
});

describe("names", () => {
  test("with backticks, quotes, dots and comments are names", async () => {
    const odd = "a.b`; drop table orders -- \"'";
    await admin.query(`create table ${mysql.quote(odd)} (${mysql.quote("the `column`.")} integer)`);
    const text = `select ${mysql.quote("the `column`.")} from ${mysql.quote(database)}.${mysql.quote(odd)}`;
    expect((await read(text)).columns).toEqual([{ name: "the `column`.", type: "int" }]);
    expect(await asAdmin("select count(*) from orders")).toEqual([["3"]]);
  });
});

describe("TLS", () => {
  /** Answers the wish for TLS, then goes on in it, passing everything on to the server, which knows nothing of it. */
  const tryWith = async (trustServerCertificate?: boolean) => {
    const { server, port } = await listening(offerTls);
    const other = mysql.open({ ...mysqlConnection, port, ssl: true, trustServerCertificate });
    try {
      return (await other.test()).serverVersion;
    } catch (error) {
      return error instanceof Error ? error.message : "";
    } finally {
      await other.close();
      server.close();
    }
  };

  test("a certificate is verified, unless the connection says to trust it", async () => {
    const untrusted = "The server's certificate is not trusted: it is self-signed";
    expect(await tryWith()).toBe(untrusted);
    expect(await tryWith(false)).toBe(untrusted);
    expect(await tryWith(true)).toMatch(/^(MariaDB|MySQL) \d/);
  });

  test("nothing is sent in the clear when the server has no TLS", async () => {
    let sent = 0;
    const { server, port } = await listening((near) => {
      const far = tcp({ host: mysqlConnection.host, port: mysqlConnection.port });
      near.on("data", (chunk: Buffer) => {
        sent += chunk.length;
      });
      near.on("close", () => far.destroy());
      far.once("data", (greeting: Buffer) => {
        const at = capabilitiesIn(greeting);
        greeting.writeUInt16LE(greeting.readUInt16LE(at) & ~hasTls, at);
        near.write(greeting);
      });
    });
    const other = mysql.open({ ...mysqlConnection, port, ssl: true, trustServerCertificate: true });
    await expect(other.test()).rejects.toMatchObject({
      message: "The server does not offer TLS: switch SSL off, or on at the server",
    });
    expect(sent).toBe(0);
    await other.close();
    server.close();
  });
});

describe("failures are told in words that help, and give nothing away", () => {
  const failureOf = async (changes: Partial<typeof mysqlConnection>) => {
    const other = mysql.open({ ...mysqlConnection, ...changes });
    const failure = await other.test().then(
      () => "worked",
      ({ kind, message }) => `${kind}: ${message}`,
    );
    await other.close();
    return failure;
  };

  test("a connection that cannot be made says why", async () => {
    expect(await failureOf({ port: 1 })).toBe(
      "unreachable: Nothing answers on this host and port: the connection was refused",
    );
    expect(await failureOf({ host: "database.invalid" })).toBe("unreachable: The host name is not known");
    expect(await failureOf({ host: "/run/mysqld/mysqld.sock" })).toMatch(/^unreachable: The host/);
    expect(await failureOf({ database: "no_such_database" })).toBe(
      "unreachable: The database does not exist",
    );
    expect(await failureOf({ user: "no_such_user", password: "hunter22" })).toBe(
      "unreachable: The user or the password is wrong",
    );
  });

  test("something that is no MySQL is left again, at once", async () => {
    let calls = 0;
    const words = ["HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail.example\r\n", "\x05\0\0\0\x0a\0\0\0\0"];
    for (const word of words) {
      const stranger = await listening((socket) => {
        calls++;
        socket.end(word);
      });
      expect(await failureOf({ port: stranger.port })).toMatch(/^unreachable: /);
      stranger.server.close();
    }
    const curt = await listening((socket) => socket.destroy());
    expect(await failureOf({ port: curt.port })).toMatch(/^unreachable: /);
    curt.server.close();
    expect(calls).toBe(words.length);
  });

  test("what the server says of a login does not leave", async () => {
    const reader = `r_${database.slice(-8)}`;
    await admin.query(`
      create user ${reader}@'%' identified by 'only reads';
      create table hidden (n integer);
      grant select on ${database}.orders to ${reader}@'%'`);
    const other = mysql.open({ ...mysqlConnection, user: reader, password: "only reads" });
    try {
      const attempt = (sql: string) =>
        other
          .session((session) => session.read({ sql, parameters: [] }, ample))
          .catch(({ message }) => message);
      const refused = await attempt("select * from hidden");
      expect(refused).toMatch(/^SELECT command denied to this login for table/);
      expect(refused).not.toContain(reader);
      expect(await attempt("select * frm orders")).toMatch(/^You have an error in your SQL syntax/);
      expect(await failureOf({ user: reader, password: "wrong" })).toBe(
        "unreachable: The user or the password is wrong",
      );
    } finally {
      await other.close();
      await admin.query(`drop user ${reader}@'%'`);
    }
  });
});

const hasTls = 0x0800;
/** They follow the version, the thread's number, eight bytes of salt and a zero. */
const capabilitiesIn = (greeting: Buffer) => greeting.indexOf(0, 5) + 1 + 4 + 8 + 1;

/** In front of the server: says that it has TLS, and answers what the client then wants. */
function offerTls(near: Socket): void {
  const far = tcp({ host: mysqlConnection.host, port: mysqlConnection.port });
  near.on("error", () => far.destroy()).on("close", () => far.destroy());
  far.on("error", () => near.destroy());
  far.once("data", (greeting: Buffer) => {
    const at = capabilitiesIn(greeting);
    greeting.writeUInt16LE(greeting.readUInt16LE(at) | hasTls, at);
    near.write(greeting);
    near.once("data", (wish: Buffer) => {
      // What follows those 36 bytes is TLS already.
      near.pause();
      if (wish.length > 36) near.unshift(wish.subarray(36));
      const inner = new TLSSocket(near, { isServer: true, ...selfSigned });
      inner.on("error", () => far.destroy());
      // The client has counted its wish for TLS as a packet; the server has not seen it.
      let isFirst = true;
      inner.on("data", (chunk: Buffer) => {
        if (isFirst) chunk.writeUInt8(1, 3);
        isFirst = false;
        far.write(chunk);
      });
      let isLogin = true;
      far.on("data", (chunk: Buffer) => {
        if (isLogin) chunk.writeUInt8(3, 3);
        isLogin = false;
        inner.write(chunk);
      });
      far.on("close", () => inner.destroy());
    });
  });
}

/** A server that passes everything on to the real one, until it falls silent. */
async function aRelay() {
  const sockets: Socket[] = [];
  let silent = false;
  const { server, port } = await listening((near) => {
    const far = tcp({ host: mysqlConnection.host, port: mysqlConnection.port });
    sockets.push(near, far);
    near.on("data", (chunk) => silent || far.write(chunk));
    far.on("data", (chunk) => silent || near.write(chunk));
    near.on("error", () => {}).on("close", () => far.destroy());
    far.on("error", () => {}).on("close", () => silent || near.destroy());
  });
  return {
    port,
    fallSilent: () => {
      silent = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listening(onConnection: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
}
