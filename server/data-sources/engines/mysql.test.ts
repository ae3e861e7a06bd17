import { type Socket, connect as tcp } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned } from "../../test/factories/certificates.ts";
import { listening, openSockets, until } from "../../test/listening.ts";
import { mysql as admin, asAdmin, mysqlConnection } from "../../test/mysql.ts";
import { fulfillsContract } from "./contract.fixture.ts";
import type { Limits, Source, Statement } from "./engine.ts";
import { connect } from "./mysql/connection.ts";
import { mysql } from "./mysql.ts";

/** The engine on a real MySQL or MariaDB, with a login that may do everything. */
const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
const { database } = mysqlConnection;

const allowedFunctions = ["loosen", "store", "store_plain", "keep", "hold"];

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
  source = mysql.open(mysqlConnection, { allowedFunctions });
});

afterAll(() => source.close());

const read = (text: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
  source.session((session) => session.read({ sql: text, parameters }, { ...ample, ...limits }));

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

const slow = "select count(*) from numbers a, numbers b, numbers c where a.n + b.n * c.n < 0";

fulfillsContract({
  engine: mysql,
  target: mysqlConnection,
  allowedFunctions,
  connectionId: "select connection_id() as id",
  numbers: (count) =>
    count <= 1000
      ? `(select n from numbers where n <= ${count}) as s`
      : `(select a.n from numbers a cross join numbers b where b.n <= ${count / 1000}) as s`,
  repeated: (text, times) => `repeat('${text}', ${times})`,
  content,
  isRunning,
  openTransactions: async () => {
    const [[count] = []] = await asAdmin(
      `select count(*) from information_schema.innodb_trx
       join information_schema.processlist on id = trx_mysql_thread_id where db = ? and trx_query is null`,
      [database],
    );
    return Number(count);
  },
  network: {
    target: mysqlConnection,
    failures: [
      [{ host: "/run/mysqld/mysqld.sock" }, /^unreachable: (The|Unknown) host/],
      [{ database: "no_such_database" }, /^unreachable: The database does not exist$/],
      [{ user: "no_such_user", password: "hunter22" }, /^unreachable: The user or password is wrong$/],
    ],
    strangers: ["HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail.example\r\n", "\x05\0\0\0\x0a\0\0\0\0"],
  },
  values: {
    sql: "select * from kinds",
    answer: [
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
    ],
  },
  twins: {
    sql: "select 'x' as a, 'y' as a",
    row: ["x", "y"],
    empty: "select 'x' as a, 'y' as a from orders where false",
    types: ["varchar", "varchar"],
  },
  // However the server interprets backslashes.
  bound: {
    sql: "select ?, cast(? as decimal(30, 0)) + 1, ?, ?, ?",
    parameters: ["\\'; delete from orders -- \\", "9007199254740993", 0.1, true, null],
    row: ["\\'; delete from orders -- \\", "9007199254740994", 0.1, expect.anything(), null],
  },
  writing: [
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
  ],
  ungated: {
    connect: () => connect(mysqlConnection),
    refused: [
      ["select 1; delete from orders", "statement"],
      ["rollback; delete from orders", "statement"],
      ["delete from orders", "statement"],
      ["insert into plain values (9)", "statement"],
      ["create table stolen (n integer)", "statement"],
      ["drop table orders", "statement"],
      ["truncate table orders", "statement"],
      ["alter table orders add x integer", "statement"],
      ["select * from orders for update", "statement"],
      ["load data local infile '/etc/hostname' into table plain", "statement"],
    ],
  },
  mistakes: [
    ["select missing from orders", [], /^Unknown column 'missing' in /],
    ["select (select n from numbers) from orders", [], /^Subquery returns more than 1 row$/],
    ["select * frm orders", [], /^You have an error in your SQL syntax/],
  ],
  upTo: { sql: "select n from numbers where n <= ?", type: "int" },
  huge: {
    length: 15_000_000,
    partly: "select n, repeat('x', if(n > 5, 15000000, 1)) from numbers where n < 10 order by n",
    types: [{ type: "int" }, {}],
  },
  slow,
  endless: "select a.n from numbers a, numbers b, numbers c",
  check: {
    mistakes: [["select max(missing) from numbers", [], /^Unknown column 'missing' in /]],
    refused: ["delete from orders", "select 1; delete from orders"],
    notRun: [slow],
    plans: [
      ["select max(n) from numbers", [], false],
      ["select max(amount) from orders", [], true],
      ["select max(n), (select count(*) from orders) from numbers", [], false],
    ],
  },
  kill: {
    running: async (text) => {
      for (const { id, info } of await processes())
        if (info.includes(text) && !info.includes("processlist")) await admin.query(`kill ${id}`);
    },
    resting: async () => {
      const own = Number((await asAdmin("select connection_id()"))[0]?.[0]);
      const others = (await processes()).filter(({ id }) => id !== own);
      const open = openSockets();
      // One may have ended since it was listed.
      for (const { id } of others)
        await admin.query(`kill ${id}`).catch((error) => {
          if (error.code !== "ER_NO_SUCH_THREAD") throw error;
        });
      await expect.poll(openSockets).toBeLessThanOrEqual(open - others.length);
    },
  },
  tls: { inFront: offerTls, version: /^(MariaDB|MySQL) \d/ },
});

describe("only on MySQL", () => {
  test("the server's settings do not change how text is parsed or values are formatted", async () => {
    const before = await asAdmin("select @@global.sql_mode, @@global.time_zone");
    await admin.query(
      "set global sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', global time_zone = '+09:00'",
    );
    const fresh = mysql.open(mysqlConnection);
    const text = `select "it", 'a\\'b', (select zoned from kinds), timestampdiff(second, now(), utc_timestamp())`;
    try {
      // The second time, the connection has been used and reset.
      for (const _ of [1, 2]) {
        const { rows } = await fresh.session((session) => session.read({ sql: text, parameters: [] }, ample));
        expect(rows).toEqual([["it", "a'b", "2024-03-31 02:30:00.123456", "0"]]);
      }
    } finally {
      await fresh.close();
      await admin.query("set global sql_mode = ?, global time_zone = ?", before[0] as string[]);
    }
  });

  test("ending the transaction does not end the session's read-only mode", async () => {
    const before = await content();
    const connection = await connect(mysqlConnection);
    const attempt = (sql: string) => connection.read({ sql, parameters: [] }, ample);
    try {
      // Each statement also starts a new transaction.
      await attempt("commit");
      await attempt("set session transaction read write");
      await expect(attempt("delete from orders")).rejects.toMatchObject({ kind: "statement" });
      expect(await content()).toEqual(before);
    } finally {
      connection.drop();
    }
  });

  test("settings, variables, locks, and temporary tables do not outlive their statement", async () => {
    await source.session(async (session) => {
      const ask = async (text: string) =>
        (await session.read({ sql: text, parameters: [] }, ample)).rows[0] ?? [];
      const [id] = await ask("select connection_id()");
      await ask("select loosen()");
      await ask("select @mine := 5, hold()");
      await ask("select keep()").catch(() => {});
      // The same connection: it was reset, not replaced.
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

  test("reports how many rows it expects to read, and the cost if the server reports one", async () => {
    const estimates = (sql: string) =>
      source.session(async (session) =>
        session.check?.({ sql, parameters: [] }, { timeoutMs: 5000, estimates: true }),
      );
    await admin.query("analyze table numbers, orders");
    // MariaDB before version 11 reports no costs.
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

  const million = "numbers a cross join numbers b";
  test("a statement's own limit does not fetch more rows either", async () => {
    const result = await read(`select a.n, repeat('x', 500) from ${million} limit 900000`, [], {
      maxRows: 700,
    });
    expect(result.rows).toHaveLength(700);
    expect(result.truncated).toBe(true);
    await until(async () => !(await isRunning("limit 900000")));
  });

  test("SLEEP cannot bypass the limit", async () => {
    await expect(
      read("select sleep(30) from orders -- asleep", [], { timeoutMs: 300 }),
    ).rejects.toMatchObject({
      kind: "timeout",
    });
    await until(async () => !(await isRunning("-- asleep")));
  });

  test("a statement that the server does not limit is killed by the client", async () => {
    const startedAt = performance.now();
    const unlimited = read(`set statement max_statement_time = 0 for ${slow}`, [], { timeoutMs: 300 });
    await expect(unlimited).rejects.toMatchObject({ kind: "refused" });
    const connection = await connect(mysqlConnection);
    await expect(
      connection.read(
        { sql: `set statement max_statement_time = 0 for ${slow} -- second`, parameters: [] },
        { ...ample, timeoutMs: 300 },
      ),
    ).rejects.toMatchObject({ kind: "timeout" });
    expect(performance.now() - startedAt).toBeLessThan(4000);
    await until(async () => !(await isRunning("-- second")));
    // A late kill would hit the next statement.
    expect(connection.alive()).toBe(false);
  });

  test("text in backticks with quotes, dots, and comments is a name", async () => {
    const odd = "a.b`; drop table orders -- \"'";
    await admin.query(
      `create table ${mysql.dialect.quote(odd)} (${mysql.dialect.quote("the `column`.")} integer)`,
    );
    const text = `select ${mysql.dialect.quote("the `column`.")} from ${mysql.dialect.quote(database)}.${mysql.dialect.quote(odd)}`;
    expect((await read(text)).columns).toEqual([{ name: "the `column`.", type: "int" }]);
    expect(await asAdmin("select count(*) from orders")).toEqual([["3"]]);
  });

  test("nothing is sent unencrypted if the server has no TLS", async () => {
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
      message: "The server does not offer TLS: turn off SSL here, or turn it on at the server",
    });
    expect(sent).toBe(0);
    await other.close();
    server.close();
  });

  const failureOf = async (changes: Partial<typeof mysqlConnection>) => {
    const other = mysql.open({ ...mysqlConnection, ...changes });
    const failure = await other.test().then(
      () => "worked",
      ({ kind, message }) => `${kind}: ${message}`,
    );
    await other.close();
    return failure;
  };

  test("the server's message about a login is not passed on", async () => {
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
        "unreachable: The user or password is wrong",
      );
    } finally {
      await other.close();
      await admin.query(`drop user ${reader}@'%'`);
    }
  });
});

const hasTls = 0x0800;
/** They follow the version, the thread id, eight bytes of salt, and a zero byte. */
const capabilitiesIn = (greeting: Buffer) => greeting.indexOf(0, 5) + 1 + 4 + 8 + 1;

/** A proxy for the server that offers TLS, then handles the client's request. */
function offerTls(near: Socket): void {
  const far = tcp({ host: mysqlConnection.host, port: mysqlConnection.port });
  near.on("error", () => far.destroy()).on("close", () => far.destroy());
  far.on("error", () => near.destroy());
  far.once("data", (greeting: Buffer) => {
    const at = capabilitiesIn(greeting);
    greeting.writeUInt16LE(greeting.readUInt16LE(at) | hasTls, at);
    near.write(greeting);
    near.once("data", (wish: Buffer) => {
      // What follows those 36 bytes is TLS.
      near.pause();
      if (wish.length > 36) near.unshift(wish.subarray(36));
      const inner = new TLSSocket(near, { isServer: true, ...selfSigned });
      inner.on("error", () => far.destroy());
      // The client counted its TLS request as a packet, which the server has not seen.
      let isFirst = true;
      inner.on("data", (chunk: Buffer) => {
        if (isFirst) {
          chunk.writeUInt8(1, 3);
          // Nor may it expect TLS of its own, if it offers that.
          chunk.writeUInt16LE(chunk.readUInt16LE(4) & ~hasTls, 4);
        }
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
