import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LeftOut, ownSchema, sqlServerAdmin, sqlServerConnection } from "../../test/sqlserver.ts";
import type { Cell, ConnectionWithPassword, Limits, Source, Statement } from "./engine.ts";
import { isOlderThan2016, versionName } from "./sqlserver/login-rights.ts";
import { sqlserver } from "./sqlserver.ts";

test.each([
  ["orders", "[orders]"],
  ["a]b", "[a]]b]"],
  ["dbo.orders", "[dbo.orders]"],
  ["]; drop table orders --", "[]]; drop table orders --]"],
  ['"[', '["[]'],
])("%s is quoted as %s", (name, quoted) => {
  expect(sqlserver.dialect.quote(name)).toBe(quoted);
});

test("versions have their common names", () => {
  expect(versionName("16.0.4135.4", 3)).toBe("SQL Server 2022 (16.0.4135.4)");
  expect(versionName("99.0.1.2", 3)).toBe("SQL Server 99.0.1.2");
  expect(versionName("12.0.2000.8", 5)).toBe("Azure SQL Database (12.0.2000.8)");
});

test.each([
  ["11.0.7001.0", 3, true],
  ["12.0.6024.0", 3, true],
  ["13.0.5026.0", 3, false],
  ["16.0.4135.4", 2, false],
  // Azure's database always reports 12.
  ["12.0.2000.8", 5, false],
])("%s, edition %s, is too old: %s", (version, edition, isTooOld) => {
  expect(isOlderThan2016(version, edition)).toBe(isTooOld);
});

describe("a server that is not SQL Server, or cannot be trusted", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** A server that answers everything with the same bytes. */
  async function answering(bytes: Buffer | null, heard: Buffer[] = []): Promise<Source> {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      if (bytes === null) socket.destroy();
      socket.on("data", (chunk) => {
        heard.push(chunk);
        if (bytes) socket.write(bytes);
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("The server has no port");
    return sqlserver.open(loginAt(address.port));
  }

  const loginAt = (port: number): ConnectionWithPassword => ({
    host: "127.0.0.1",
    port,
    database: "shop",
    user: "reader",
    password: "Tr0ub4dor",
    ssl: true,
  });

  /** The response to a client's first message: a version, and no encryption. */
  const withoutTls = Buffer.from([
    ...[4, 1, 0, 26, 0, 0, 1, 0],
    ...[0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 255],
    ...[16, 0, 0, 0, 0, 0, 2],
  ]);

  test("nothing is listening", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as { port: number };
    await new Promise((resolve) => gone.close(resolve));
    await expect(sqlserver.open(loginAt(port)).test()).rejects.toMatchObject({
      kind: "unreachable",
      message: "Connection refused: nothing is listening on this host and port",
    });
  });

  test("it disconnects", async () => {
    await expect((await answering(null)).test()).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("a server that does not encrypt never gets the password", async () => {
    const heard: Buffer[] = [];
    await expect((await answering(withoutTls, heard)).test()).rejects.toMatchObject({
      kind: "unreachable",
      message: "The server does not offer TLS: turn off SSL here, or turn it on at the server",
    });
    // Only the first message was sent, not a login (16).
    expect(heard.map((message) => message[0])).toEqual([18]);
  });
});

/** The engine on a real SQL Server, with a login that may do everything in its database. */
describe.runIf(sqlServerConnection)("on a real SQL Server", () => {
  const target = sqlServerConnection as ConnectionWithPassword;
  const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
  const leftOut = new LeftOut();
  let source: Source;
  let admin: Awaited<ReturnType<typeof sqlServerAdmin>>;

  beforeAll(async () => {
    admin = await sqlServerAdmin(target);
    await admin.run(`create schema ${ownSchema}`);
    await admin.run(`
      create table ${ownSchema}.customers (id int primary key, name nvarchar(50));
      create table ${ownSchema}.orders (
        id int primary key, customer_id int references ${ownSchema}.customers (id),
        amount decimal(10, 2) not null, note nvarchar(max), at datetime2(3));
      insert into ${ownSchema}.customers values (1, N'Ada');
      insert into ${ownSchema}.orders values (1, 1, 10.50, N'x', '2024-03-31 02:30:00.5');
    `);
    await leftOut.unlessImpossible("comments on tables", () =>
      admin.run(
        `exec sys.sp_addextendedproperty N'MS_Description', N'What was sold', N'SCHEMA', N'${ownSchema}', N'TABLE', N'orders'`,
      ),
    );
    await leftOut.unlessImpossible("names with brackets", () =>
      admin.run(`create table ${ownSchema}.[odd]]table] ([odd]]name] int)`),
    );
    await leftOut.unlessImpossible("types of one's own", async () => {
      await admin.run(`create type ${ownSchema}.Email from nvarchar(200)`);
      await admin.run(`create table ${ownSchema}.people (email ${ownSchema}.Email)`);
    });
    await admin.run(`create view ${ownSchema}.sums as select sum(amount) as total from ${ownSchema}.orders`);
    source = sqlserver.open(target);
  });

  afterAll(async () => {
    await source?.close();
    // What could not be created need not be dropped.
    for (const what of ["table people", "type Email", "table [odd]]table]"])
      await admin?.run(`drop ${what.replace(" ", ` ${ownSchema}.`)}`).catch(() => {});
    await admin?.run(`
      drop view ${ownSchema}.sums; drop table ${ownSchema}.orders; drop table ${ownSchema}.customers;
      drop schema ${ownSchema};`);
    admin?.end();
  });

  const read = (text: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
    source.session((session) => session.read({ sql: text, parameters }, { ...ample, ...limits }));
  const firstRow = async (text: string, parameters: Statement["parameters"] = []): Promise<Cell[]> =>
    (await read(text, parameters)).rows[0] ?? [];
  const million = "sys.all_columns as a cross join sys.all_columns as b";

  test("reports its version, and that this login can write", async () => {
    expect(await source.test()).toEqual({
      serverVersion: expect.stringMatching(/^(SQL Server|Azure)/),
      canWrite: true,
    });
  });

  test("values are exact, in UTC, and columns with the same name are all kept", async () => {
    const { columns, rows } = await read(`
      select cast(9007199254740993 as bigint) as big, cast(1.1 as decimal(5, 2)) as d, cast(1 as bit) as yes,
        cast('2024-03-31T02:30:00.1234567+02:00' as datetimeoffset(7)) as zoned, cast(0.1 as real) as r,
        cast(0x00ff as varbinary(2)) as bytes, 1 as a, N'ü' as a`);
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...["big bigint", "d decimal", "yes bit", "zoned datetimeoffset", "r real", "bytes varbinary"],
      ...["a int", "a nvarchar"],
    ]);
    expect(rows).toEqual([
      ["9007199254740993", "1.10", true, "2024-03-31 00:30:00.1234567 +00:00", 0.1, "0x00ff", 1, "ü"],
    ]);
  });

  test("parameters are bound, never interpolated", async () => {
    const evil = "'; drop table orders --";
    expect(
      await firstRow("select @p1, cast(@p2 as decimal(30, 0)) + 1, @p3, @p4, @p5, @p6", [
        ...[evil, "12345678901", 0.1, true, null, 9007199254740991],
      ]),
    ).toEqual([evil, "12345678902", 0.1, true, null, "9007199254740991"]);
  });

  test("rows and bytes are limited while reading, and the connection stays usable", async () => {
    await source.session(async (session) => {
      const ask = (text: string, limits: Partial<Limits> = {}) =>
        session.read({ sql: text, parameters: [] }, { ...ample, ...limits });
      const [before] = (await ask("select @@spid")).rows;
      const rows = await ask(`select a.name from ${million}`, { maxRows: 700 });
      expect(rows.rows).toHaveLength(700);
      expect(rows.truncated).toBe(true);
      const bytes = await ask(`select replicate('x', 1000) as x from ${million}`, {
        maxBytes: 100_000,
        maxRows: 1_000_000,
      });
      expect(bytes.rows).toHaveLength(99);
      expect(bytes.truncated).toBe(true);
      expect((await ask("select @@spid")).rows).toEqual([before]);
    });
  });

  test("rows beyond the limit are counted on request", async () => {
    const numbers = `select top 200000 row_number() over (order by (select null)) as n from ${million} cross join sys.all_columns as c`;
    const result = await read(numbers, [], { maxRows: 7, countAll: true });
    expect(result.rows).toHaveLength(7);
    expect(result).toMatchObject({ truncated: true, rowCount: 200_000 });
  });

  test("a statement is checked without running it", async () => {
    const check = (text: string, parameters: Statement["parameters"] = []) =>
      source.session(async (session) => session.check?.({ sql: text, parameters }, { timeoutMs: 5_000 }));
    const orders = `${ownSchema}.orders`;
    expect(await check(`select count(*) from ${orders} where amount > @p1`, [5])).toEqual({ scans: true });
    expect(
      await check(`select id from ${orders} where note like @p1 and @p2 = 1 and amount < @p3`, [
        "x%",
        true,
        0.5,
      ]),
    ).toEqual({ scans: true });
    expect(await check("select 1 / 0 as never")).toEqual({ scans: true });
    for (const [text, message] of [
      [`select missing from ${orders}`, "Invalid column name 'missing'."],
      [`select * from ${ownSchema}.nowhere`, `Invalid object name '${ownSchema}.nowhere'.`],
      ["select 1 +", /^Incorrect syntax/],
      ["select @p2", /@p2/],
    ] as const)
      await expect(check(text, [1]), text).rejects.toMatchObject({
        kind: "statement",
        message: expect.stringMatching(message),
      });
  });

  test("a statement that takes too long is cancelled on the server", async () => {
    const slow = `select count_big(*) as slowly from ${million} cross join sys.all_columns as c where a.object_id * 1.0 + c.column_id < b.object_id - 1e12`;
    await expect(read(slow, [], { timeoutMs: 500 })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.5 s and was cancelled",
    });
    expect(
      await admin.run(`
        select r.session_id from sys.dm_exec_requests as r cross apply sys.dm_exec_sql_text(r.sql_handle) as t
        where t.text like '%as slowly%' and r.session_id <> @@spid`),
    ).toEqual([]);
    expect(await firstRow("select 'fine'")).toEqual(["fine"]);
  });

  test("locked rows are not waited for forever", async () => {
    const other = await sqlServerAdmin(target);
    await other.run(`begin tran; update ${ownSchema}.orders set amount = 1`);
    try {
      await expect(
        read(`select * from ${ownSchema}.orders with (readcommittedlock)`, [], { timeoutMs: 500 }),
      ).rejects.toMatchObject({ kind: "timeout" });
    } finally {
      other.end();
    }
  });

  test("no transaction or setting carries over to the connection's next user", async () => {
    await expect(read("select 1 / 0")).rejects.toMatchObject({ kind: "statement" });
    await expect(read("select missing from nowhere")).rejects.toMatchObject({ kind: "statement" });
    expect(await firstRow("select @@trancount, @@lock_timeout")).toEqual([1, 10_000]);
    const open = await admin.run(`
      select s.session_id from sys.dm_exec_sessions as s
      where s.program_name = N'Plumbline' and s.open_transaction_count > 0 and s.database_id = db_id()`);
    expect(open).toEqual([]);
  });

  test("writes are rolled back even without the gate", async () => {
    const { connect } = await import("./sqlserver/connection.ts");
    const connection = await connect(target);
    try {
      const sql = `delete from ${ownSchema}.orders; select count(*) from ${ownSchema}.orders`;
      expect((await connection.read({ sql, parameters: [] }, ample)).rows).toEqual([[0]]);
      expect(await firstRow(`select count(*) from ${ownSchema}.orders`)).toEqual([1]);
    } finally {
      connection.drop();
    }
  });

  const tableNamed = async (name: string) =>
    (await source.introspect()).items
      .find(({ schemaName }) => schemaName === ownSchema)
      ?.tables.find(({ tableName }) => tableName === name);

  test("comments are found", async (context) => {
    leftOut.skipWithout("comments on tables", context);
    expect((await tableNamed("orders"))?.comment).toBe("What was sold");
  });

  test("names with brackets are found, and can be queried", async (context) => {
    leftOut.skipWithout("names with brackets", context);
    expect((await tableNamed("odd]table"))?.columns).toMatchObject([{ name: "odd]name", type: "int" }]);
    const [column, table] = [sqlserver.dialect.quote("odd]name"), sqlserver.dialect.quote("odd]table")];
    expect((await read(`select ${column} from ${ownSchema}.${table}`)).rows).toEqual([]);
  });

  test("a column of a user-defined type is reported with its base type", async (context) => {
    leftOut.skipWithout("types of one's own", context);
    expect((await tableNamed("people"))?.columns).toMatchObject([{ name: "email", type: "nvarchar(200)" }]);
  });

  test("decimals, money and sql_variant keep every digit", async () => {
    expect(
      await firstRow(`
        select cast('12345678901234.5678' as numeric(18, 4)), cast('922337203685477.5807' as money),
          cast('-0.0000000001' as decimal(38, 10)), cast('214748.3647' as smallmoney),
          cast(cast('922337203685477.5807' as money) as sql_variant),
          cast(cast('2024-03-31' as date) as sql_variant), cast(cast('23:59:00' as time(0)) as sql_variant),
          cast(cast('2024-03-31T02:30:00+02:00' as datetimeoffset(0)) as sql_variant)`),
    ).toEqual([
      ...["12345678901234.5678", "922337203685477.5807", "-0.0000000001", "214748.3647"],
      ...["922337203685477.5807", "2024-03-31", "23:59:00", "2024-03-31 02:30:00 +02:00"],
    ]);
  });

  test("tables, views, columns and keys are found", async () => {
    const { items } = await source.introspect();
    const own = items.find(({ schemaName }) => schemaName === ownSchema);
    const found = new Map(own?.tables.map((table) => [table.tableName, table]));
    expect(found.get("customers")).toMatchObject({ kind: "Table", rowEstimate: 1 });
    expect(found.get("orders")).toMatchObject({ kind: "Table", rowEstimate: 1 });
    expect(found.get("sums")).toMatchObject({ kind: "View", rowEstimate: null });
    const orders = found.get("orders");
    expect(orders?.columns).toEqual([
      { name: "id", type: "int", nullable: false, comment: null, isPrimaryKey: true },
      {
        name: "customer_id",
        type: "int",
        nullable: true,
        comment: null,
        isPrimaryKey: false,
        references: { schemaName: ownSchema, tableName: "customers", columnName: "id" },
      },
      { name: "amount", type: "decimal(10,2)", nullable: false, comment: null, isPrimaryKey: false },
      { name: "note", type: "nvarchar(max)", nullable: true, comment: null, isPrimaryKey: false },
      { name: "at", type: "datetime2(3)", nullable: true, comment: null, isPrimaryKey: false },
    ]);
  });
});
