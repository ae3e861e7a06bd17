import { createServer, type Server, type Socket, connect as tcp } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../db/client.ts";
import { selfSigned } from "../../test/factories/certificates.ts";
import { ownConnection } from "../../test/factories/data-sources.ts";
import type { Cell, Limits, Session, Source, Statement } from "./engine.ts";
import { postgresql } from "./postgresql.ts";

/** The engine against a real server: the test file's own database, with a login that may do everything. */
const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
const database = ownConnection().database;

const allowedFunctions = ["shop.loosen", "shop.write", "shop.keep", "shop.open_up", "pg_advisory_lock"];

let source: Source;

beforeAll(async () => {
  await sql.unsafe(`
    create schema shop;
    create table shop.orders (id integer primary key, amount numeric);
    insert into shop.orders values (1, 10.50), (2, null), (3, 7);
    -- What a function that is allowed does, no gate can see.
    create function shop.loosen() returns text language sql as
      $$ select set_config('statement_timeout', '0', false) $$;
    create function shop.write() returns integer language plpgsql as
      $$ begin insert into shop.orders values (4, 1); return 1; end $$;
    create function shop.keep() returns integer language plpgsql as
      $$ begin create temp table kept (n integer); return 1; end $$;
  `);
  source = postgresql.open(ownConnection(), { allowedFunctions });
});

afterAll(() => source.close());

const read = (text: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
  source.session((session) => session.read({ sql: text, parameters }, { ...ample, ...limits }));

async function firstRow(text: string, parameters: Statement["parameters"] = []): Promise<Cell[]> {
  return (await read(text, parameters)).rows[0] ?? [];
}

/** What the engine's own connections are doing, as the server sees it. */
const statements = () =>
  sql<{ pid: number; state: string; query: string }[]>`
    select pid, state, query from pg_stat_activity
    where datname = ${database} and application_name = 'plumbline' and pid <> pg_backend_pid()
      and query not like '%pg_stat_activity%'`;

const orders = () => sql<{ id: number }[]>`select id from shop.orders order by id`;

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error("It did not happen");
}

describe("values", () => {
  test("what JavaScript would round or reshape is exact text, in UTC", async () => {
    const { columns, rows } = await read(
      `select 9007199254740993::bigint as big, 1.10::numeric(40, 20) as exact, 7::integer as small,
         1.5::double precision as float, 'NaN'::double precision as nan, true as yes, null::text as nothing,
         '2024-03-31 02:30:00.123456+02'::timestamptz as zoned, '2024-03-31 02:30'::timestamp as local,
         '2024-03-31'::date as day, '{"a": 1.0}'::jsonb as json, array[1, 2] as list, '\\x00ff'::bytea as bytes`,
    );
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "big bigint",
      "exact numeric",
      "small integer",
      "float double precision",
      "nan double precision",
      "yes boolean",
      "nothing text",
      "zoned timestamp with time zone",
      "local timestamp without time zone",
      "day date",
      "json jsonb",
      "list integer[]",
      "bytes bytea",
    ]);
    expect(rows).toEqual([
      [
        "9007199254740993",
        "1.10000000000000000000",
        7,
        1.5,
        "NaN",
        true,
        null,
        "2024-03-31 00:30:00.123456+00",
        "2024-03-31 02:30:00",
        "2024-03-31",
        '{"a": 1.0}',
        "{1,2}",
        "\\x00ff",
      ],
    ]);
  });

  test("columns of one name all stay, and a result without rows has its columns", async () => {
    expect(await read("select 1 as a, 2 as a where false")).toEqual({
      columns: [
        { name: "a", type: "integer" },
        { name: "a", type: "integer" },
      ],
      rows: [],
      truncated: false,
      rowCount: 0,
    });
    expect(await firstRow("select 1 as a, 2 as a")).toEqual([1, 2]);
  });

  test("parameters are bound as the type that the server expects, never pasted", async () => {
    expect(
      await firstRow("select $1::text, $2::bigint + 1, $3::numeric, $4::boolean, $5::boolean, $6::date", [
        "'; delete from shop.orders --",
        "9007199254740993",
        "0.1",
        false,
        "true",
        null,
      ]),
    ).toEqual(["'; delete from shop.orders --", "9007199254740994", "0.1", false, true, null]);
  });

  test("the login's own settings do not change how values are written", async () => {
    await sql.unsafe(`alter database ${database} set timezone = 'Asia/Tokyo'`);
    await sql.unsafe(`alter database ${database} set datestyle = 'German'`);
    const fresh = postgresql.open(ownConnection());
    try {
      const { rows } = await fresh.session((session) =>
        session.read(
          { sql: "select '2024-01-02 00:00+00'::timestamptz, '2024-01-02'::date", parameters: [] },
          ample,
        ),
      );
      expect(rows).toEqual([["2024-01-02 00:00:00+00", "2024-01-02"]]);
    } finally {
      await fresh.close();
      await sql.unsafe(`alter database ${database} reset all`);
    }
  });
});

describe("only reading", () => {
  test.each([
    ["COMMIT; DELETE FROM shop.orders", "refused"],
    ["rollback; create table shop.stolen (n integer)", "refused"],
    ["select 1; delete from shop.orders", "refused"],
    ["copy shop.orders to program 'touch /tmp/stolen'", "refused"],
    ["with gone as (delete from shop.orders returning 1) select * from gone", "statement"],
    ["with more as (insert into shop.orders values (9) returning 1) select count(*) from more", "statement"],
    ["select * into shop.stolen from shop.orders", "statement"],
    ["select * into temp stolen from shop.orders", "statement"],
    ["select * from shop.orders for update", "statement"],
    ["select shop.write()", "statement"],
    ["select shop.keep()", "statement"],
  ])("%s changes nothing", async (text, kind) => {
    await expect(read(text)).rejects.toMatchObject({ name: "SourceError", kind });
    expect((await orders()).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(
      await firstRow("select to_regclass('shop.stolen')::text, to_regclass('pg_temp.kept')::text"),
    ).toEqual([null, null]);
  });

  test("a statement cannot turn its transaction into one that writes", async () => {
    await sql.unsafe(
      `create or replace function shop.open_up() returns text language sql as
         $$ select set_config('transaction_read_only', 'off', true) $$`,
    );
    await expect(read("select shop.open_up()")).rejects.toMatchObject({ kind: "statement" });
    await expect(read("select shop.open_up(), shop.write()")).rejects.toMatchObject({ kind: "statement" });
    expect(await orders()).toHaveLength(3);
  });

  test("several statements do not pass even without the gate: the protocol refuses them", async () => {
    const { connect } = await import("./postgresql/connection.ts");
    const connection = await connect(ownConnection());
    try {
      await expect(
        connection.read({ sql: "rollback; delete from shop.orders", parameters: [] }, ample),
      ).rejects.toMatchObject({ kind: "refused", message: "Only one statement is allowed" });
      await expect(
        connection.read({ sql: "set transaction read write", parameters: [] }, ample),
      ).rejects.toMatchObject({ kind: "statement" });
      expect(await orders()).toHaveLength(3);
    } finally {
      connection.drop();
    }
  });
});

describe("nothing is left behind", () => {
  test("settings, locks, and temporary tables end with their statement", async () => {
    await source.session(async (session) => {
      const ask = async (text: string) =>
        (await session.read({ sql: text, parameters: [] }, ample)).rows[0] ?? [];
      const [pid] = await ask("select pg_backend_pid()");
      await ask("select shop.loosen()");
      await ask("select pg_advisory_lock(4711)");
      // The very same connection, so it is clean and not only new.
      expect(await ask("select pg_backend_pid()")).toEqual([pid]);
      expect(await ask("select current_setting('statement_timeout')")).toEqual(["10s"]);
      expect(await ask("select count(*)::integer from pg_locks where locktype = 'advisory'")).toEqual([0]);
    });
    const [free] = await sql`select pg_try_advisory_lock(4711) as locked, pg_advisory_unlock(4711)`;
    expect(free?.locked).toBe(true);
  });

  test("a statement that fails leaves no transaction open", async () => {
    await expect(read("select 1 / 0")).rejects.toMatchObject({
      kind: "statement",
      message: "division by zero",
    });
    await expect(read("select 1 / (600 - n) from generate_series(1, 900) n")).rejects.toMatchObject({
      message: "division by zero",
    });
    expect(await firstRow("select 1")).toEqual([1]);
    expect((await statements()).filter(({ state }) => state !== "idle")).toEqual([]);
  });
});

describe("limits", () => {
  test("of a million rows only what is wanted is fetched", async () => {
    const result = await read("select n from generate_series(1, 1000000) n", [], { maxRows: 700 });
    expect(result.rows).toHaveLength(700);
    expect(result.rows[699]).toEqual([700]);
    expect(result.truncated).toBe(true);
    expect((await read("select n from generate_series(1, 700) n", [], { maxRows: 700 })).truncated).toBe(
      false,
    );
  });

  test("bytes are limited as well as rows", async () => {
    // A row weighs 1000 + 4 bytes, so 99 of them fit into 100,000.
    const result = await read("select repeat('x', 1000) from generate_series(1, 100000)", [], {
      maxBytes: 100_000,
    });
    expect(result.rows).toHaveLength(99);
    expect(result.truncated).toBe(true);
  });

  test("a huge value is not collected before it is judged", async () => {
    const before = process.memoryUsage().rss;
    await expect(read("select repeat('x', 200000000)")).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    const partly = await read(
      "select n, repeat('x', case when n > 5 then 50000000 else 1 end) from generate_series(1, 9) n",
    );
    expect(partly).toMatchObject({ truncated: true, columns: [{ type: "integer" }, { type: "text" }] });
    expect(partly.rows).toHaveLength(5);
    expect(await firstRow("select 1")).toEqual([1]);
  });
});

describe("rows beyond the limits are counted when that is asked for", () => {
  const many = "select n, repeat('x', 200) as x from generate_series(1, 200000) n";

  test.each([
    [{ maxRows: 700 }, 700],
    [{ maxRows: 199_999 }, 199_999],
    [{ maxRows: 0 }, 0],
    // A row weighs 4 + 8 for the number and 4 + 200 for the text.
    [{ maxRows: 1_000_000, maxBytes: 216 * 1234 }, 1234],
  ])("of 200,000 rows within %j", async (limits, kept) => {
    const all = { maxBytes: 1e9, countAll: true, ...limits };
    const result = await read(many, [], all);
    expect(result.rows).toHaveLength(kept);
    expect(result).toMatchObject({
      truncated: true,
      rowCount: 200_000,
      columns: [{ name: "n" }, { name: "x" }],
    });
  });

  test("of few rows it is their number, and without being asked that of those kept", async () => {
    const countAll = true;
    const few = "select n from generate_series(1, $1) n";
    expect(await read(few, [700], { maxRows: 700, countAll })).toMatchObject({
      truncated: false,
      rowCount: 700,
    });
    expect(await read(few, [0], { countAll })).toMatchObject({
      truncated: false,
      rowCount: 0,
      rows: [],
      columns: [{ name: "n", type: "integer" }],
    });
    expect(await read(few, [999], { maxRows: 700 })).toMatchObject({ truncated: true, rowCount: 700 });
    expect(await read("values (1), (2), (3);", [], { maxRows: 1, countAll })).toMatchObject({ rowCount: 3 });
    expect(
      await read("with a as (table shop.orders) (select * from a)", [], { maxRows: 1, countAll }),
    ).toMatchObject({ rowCount: 3 });
  });

  test("what is counted is not held", async () => {
    await read(many, [], { maxRows: 10, countAll: true });
    const before = process.memoryUsage().rss;
    const wide = "select repeat('x', 2000) from generate_series(1, 200000)";
    expect(await read(wide, [], { maxRows: 10, countAll: true })).toMatchObject({ rowCount: 200_000 });
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  });

  test("a row that alone is too large fails the statement", async () => {
    const huge = "select repeat('x', case when n = 5 then 50000000 else 1 end) from generate_series(1, 9) n";
    await expect(read(huge, [], { countAll: true })).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
    expect(await firstRow("select 1")).toEqual([1]);
  });

  test("mistakes, writing and the time limit are what they are without it", async () => {
    const countAll = true;
    await expect(read("select missing", [], { countAll })).rejects.toMatchObject({
      kind: "statement",
      message: 'column "missing" does not exist',
    });
    await expect(
      read("with d as (delete from shop.orders returning 1) select * from d", [], { countAll }),
    ).rejects.toMatchObject({ kind: "statement" });
    await expect(read("select 1; select 2", [], { countAll })).rejects.toMatchObject({ kind: "refused" });
    await expect(read("select shop.write()", [], { countAll })).rejects.toMatchObject({ kind: "statement" });
    // The first rows come at once; it is the counting that takes long.
    const slow = "select n, case when n > 900 then pg_sleep(0.05) end from generate_series(1, 100000) n";
    await expect(read(slow, [], { maxRows: 10, timeoutMs: 700, countAll })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.7 s and was cancelled",
    });
    await until(async () => (await statements()).every(({ state }) => state === "idle"));
    expect(await orders()).toHaveLength(3);
  });
});

describe("time", () => {
  const isRunning = async (text: string) =>
    (await statements()).some(({ state, query }) => state === "active" && query.includes(text));

  test("a slow statement is cancelled, and gone from the server", async () => {
    const startedAt = performance.now();
    const slow = read("select pg_sleep(30) -- first", [], { timeoutMs: 300 });
    const timeout = expect(slow).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.3 s and was cancelled",
    });
    await until(() => isRunning("-- first"));
    await timeout;
    expect(performance.now() - startedAt).toBeLessThan(2000);
    await until(async () => !(await isRunning("-- first")));
    expect(await firstRow("select 1")).toEqual([1]);
  });

  test("many quick rows do not stretch the time", async () => {
    const slow = read("select n, pg_sleep(0.01) from generate_series(1, 100000) n", [], {
      timeoutMs: 300,
      maxRows: 100_000,
    });
    await expect(slow).rejects.toMatchObject({ kind: "timeout" });
  });

  test("a statement that has switched off the server's limit is cancelled from here", async () => {
    const startedAt = performance.now();
    // Rows come in batches of 500; from the second on the server no longer limits the time.
    const slow = read(
      "select shop.loosen(), pg_sleep(0.0005) from generate_series(1, 100000) -- second",
      [],
      {
        timeoutMs: 900,
        maxRows: 100_000,
      },
    );
    await expect(slow).rejects.toMatchObject({ kind: "timeout" });
    expect(performance.now() - startedAt).toBeLessThan(4000);
    await until(async () => !(await isRunning("-- second")));
  });

  test("a server that falls silent does not hold the caller", async () => {
    const relay = await aRelay();
    const far = postgresql.open({ ...ownConnection(), port: relay.port });
    try {
      await far.test();
      const answer = far.session((session) =>
        session.read(
          { sql: "select pg_sleep(30) -- unheard", parameters: [] },
          { ...ample, timeoutMs: 1000 },
        ),
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
    const other = postgresql.open(ownConnection());
    const slow = other.session((session) =>
      session.read({ sql: "select pg_sleep(30) -- third", parameters: [] }, { ...ample, timeoutMs: 60_000 }),
    );
    const failed = expect(slow).rejects.toMatchObject({ kind: "unreachable" });
    await until(() => isRunning("-- third"));
    await other.close();
    await failed;
    await until(async () => !(await isRunning("-- third")));
    await expect(other.test()).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("connections", () => {
  test("three at a time; the fourth waits its turn", async () => {
    const own = postgresql.open(ownConnection());
    try {
      let most = 0;
      let now = 0;
      const pids = await Promise.all(
        Array.from({ length: 8 }, () =>
          own.session(async (session) => {
            most = Math.max(most, ++now);
            const { rows } = await session.read(
              { sql: "select pg_backend_pid(), pg_sleep(0.02)::text", parameters: [] },
              ample,
            );
            now--;
            return rows[0]?.[0];
          }),
        ),
      );
      expect(most).toBe(3);
      expect(new Set(pids).size).toBe(3);
    } finally {
      await own.close();
    }
  });

  test("the statements of one session follow each other", async () => {
    const results = await source.session((session) =>
      Promise.all(
        [1, 2, 3].map((n) => session.read({ sql: `select ${n}, pg_backend_pid()`, parameters: [] }, ample)),
      ),
    );
    expect(results.map(({ rows }) => rows[0]?.[0])).toEqual([1, 2, 3]);
    expect(new Set(results.map(({ rows }) => rows[0]?.[1])).size).toBe(1);
  });

  test("a killed backend fails its statement, and the next one works", async () => {
    const victim = read("select pg_sleep(30) -- victim", [], { timeoutMs: 60_000 });
    const failed = expect(victim).rejects.toMatchObject({ name: "SourceError", kind: "unreachable" });
    const killed = async () =>
      (
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = ${database} and state = 'active' and query like '%-- victim'`
      ).length === 1;
    await until(killed);
    await failed;
    expect(await firstRow("select 1")).toEqual([1]);
  });

  test("backends that were killed while they rested are replaced", async () => {
    await Promise.all([read("select pg_sleep(0.05)"), read("select pg_sleep(0.05)")]);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${database} and pid <> pg_backend_pid() and query = 'discard all'`;
    await until(async () => !(await statements()).some(({ query }) => query === "discard all"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await firstRow("select 1")).toEqual([1]);
  });

  test("within a session, too, a broken connection is replaced for the next statement", async () => {
    await source.session(async (session: Session) => {
      const ask = (text: string) => session.read({ sql: text, parameters: [] }, ample);
      await expect(ask("select repeat('x', 50000000)")).rejects.toMatchObject({ kind: "statement" });
      expect((await ask("select 1")).rows).toEqual([[1]]);
    });
  });
});

describe("TLS", () => {
  /** Answers the wish for TLS, then goes on in it, passing everything on to PostgreSQL. */
  const aServer = (answer: string) =>
    listening((near) => {
      near.once("data", () => {
        near.write(answer);
        if (answer !== "S") return;
        const inner = new TLSSocket(near, { isServer: true, ...selfSigned });
        const far = tcp({ host: ownConnection().host, port: ownConnection().port });
        inner.on("error", () => far.destroy());
        far.on("error", () => inner.destroy());
        inner.pipe(far).pipe(inner);
      });
    });
  const tryWith = async (answer: string, trustServerCertificate?: boolean) => {
    const { server, port } = await aServer(answer);
    const other = postgresql.open({ ...ownConnection(), port, ssl: true, trustServerCertificate });
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
    expect(await tryWith("S")).toBe(untrusted);
    expect(await tryWith("S", false)).toBe(untrusted);
    expect(await tryWith("S", true)).toMatch(/^PostgreSQL \d/);
  });

  test("nothing is sent in the clear when the server has no TLS, or adds something to its answer", async () => {
    const none = "The server does not offer TLS: switch SSL off, or on at the server";
    expect(await tryWith("N", true)).toBe(none);
    expect(await tryWith("SR\0\0\0\x08\0\0\0\0", true)).toBe(none);
  });
});

describe("failures are told in words that help, and give nothing away", () => {
  const failureOf = async (changes: Partial<ReturnType<typeof ownConnection>>) => {
    const other = postgresql.open({ ...ownConnection(), ...changes });
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
    expect(await failureOf({ host: "/var/run/postgresql" })).toMatch(/^unreachable: The host/);
    expect(await failureOf({ host: "127.0.0.1,127.0.0.2" })).toMatch(/^unreachable: The host name/);
    expect(await failureOf({ database: "no_such_database" })).toBe(
      "unreachable: The database does not exist",
    );
    // A server that asks for passwords does not tell which users there are.
    expect(await failureOf({ user: "no_such_user" })).toMatch(
      /^unreachable: (The server does not accept this login|The user or the password is wrong)/,
    );
  });

  test("something that is no PostgreSQL is left again, at once", async () => {
    let calls = 0;
    const chatty = await listening((socket) => {
      calls++;
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    const curt = await listening((socket) => socket.destroy());
    try {
      expect(await failureOf({ port: chatty.port })).toMatch(/^unreachable: /);
      expect(await failureOf({ port: curt.port })).toMatch(/^unreachable: /);
      expect(calls).toBe(1);
    } finally {
      chatty.server.close();
      curt.server.close();
    }
  });

  test("a wrong password is named, and not repeated", async () => {
    const server = await listening((socket) => {
      socket.once("data", () => {
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])); // asks for a password in the clear
        socket.once("data", () => {
          const fields = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "u"\0\0';
          const length = Buffer.alloc(4);
          length.writeInt32BE(4 + fields.length);
          socket.end(Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]));
        });
      });
    });
    try {
      expect(await failureOf({ port: server.port, password: "hunter22" })).toBe(
        "unreachable: The user or the password is wrong",
      );
    } finally {
      server.server.close();
    }
  });

  test("an empty password stays empty: the process's own PGPASSWORD is not told to strangers", async () => {
    process.env.PGPASSWORD = "the process's own";
    let told = Buffer.alloc(0);
    const server = await listening((socket) => {
      socket.once("data", () => {
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        socket.on("data", (chunk) => {
          told = Buffer.concat([told, chunk]);
          socket.end();
        });
      });
    });
    try {
      expect(await failureOf({ port: server.port, password: "" })).toMatch(/^unreachable: /);
      expect(told).toEqual(Buffer.from([0x70, 0, 0, 0, 5, 0]));
    } finally {
      delete process.env.PGPASSWORD;
      server.server.close();
    }
  });

  test("the server's own first line names what is wrong with a statement", async () => {
    await expect(read("select missing from shop.orders")).rejects.toMatchObject({
      kind: "statement",
      message: 'column "missing" does not exist',
    });
    await expect(read("select * from nowhere")).rejects.toMatchObject({
      message: 'relation "nowhere" does not exist',
    });
    await expect(read("select * frm shop.orders")).rejects.toMatchObject({
      message: 'syntax error at or near "frm"',
    });
    await expect(read("select $1::integer", ["x"])).rejects.toMatchObject({
      message: 'invalid input syntax for type integer: "x"',
    });
  });
});

/** A server that passes everything on to PostgreSQL, until it falls silent. */
async function aRelay() {
  const sockets: Socket[] = [];
  let silent = false;
  const { server, port } = await listening((near) => {
    const far = tcp({ host: ownConnection().host, port: ownConnection().port });
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

describe("a check", () => {
  const check = (text: string, parameters: Statement["parameters"] = []) =>
    source.session((session) => {
      if (!session.check) throw new Error("This engine checks");
      return session.check({ sql: text, parameters }, { timeoutMs: 5000 });
    });

  test.each([
    ["select missing from shop.orders", [], 'column "missing" does not exist'],
    ["select 1 from shop.missing", [], 'relation "shop.missing" does not exist'],
    ["select sum(amount) from shop.orders group", [], "syntax error at end of input"],
    // The pattern is a parameter, and bad all the same.
    [
      "select '' ~ $1::text from shop.orders",
      ["("],
      "invalid regular expression: parentheses () not balanced",
    ],
  ])("finds what is wrong with %s, as running it would", async (text, parameters, message) => {
    await expect(check(text, parameters)).rejects.toMatchObject({ kind: "statement", message });
    await expect(read(text, parameters)).rejects.toMatchObject({ kind: "statement", message });
  });

  test.each([
    "delete from shop.orders",
    "(analyze) select pg_sleep(60)",
    "analyze select pg_sleep(60)",
    "select 1; delete from shop.orders",
  ])("lets %s through no more than running it", async (text) => {
    await expect(check(text)).rejects.toMatchObject({ kind: "refused" });
  });

  test("does not run the statement", async () => {
    expect(await check("(select pg_sleep(60))")).toEqual({ scans: true });
    expect(await check("select shop.write()")).toEqual({ scans: true });
    expect((await orders()).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test("tells what an index answers from what reads the table", async () => {
    await sql.unsafe(`
      create table shop.visits (at timestamptz, seen_at timestamptz);
      insert into shop.visits select now(), now() from generate_series(1, 5000);
      create index on shop.visits (at);
      analyze shop.visits;
    `);
    expect(await check("select max(at)::text, now() - max(at) from shop.visits")).toEqual({ scans: false });
    expect(await check("select max(seen_at) from shop.visits")).toEqual({ scans: true });
    expect(await check("select max(at), max(seen_at) from shop.visits")).toEqual({ scans: true });
    expect(await check("select max(at), count(*) from shop.visits")).toEqual({ scans: true });
  });

  test("tells who asks what the whole plan is expected to cost and to answer", async () => {
    const estimates = (text: string) =>
      source.session(async (session) =>
        session.check?.({ sql: text, parameters: [] }, { timeoutMs: 5000, estimates: true }),
      );
    await sql.unsafe(`
      create table shop.parcels as select n from generate_series(1, 4000) n;
      analyze shop.parcels;
    `);
    const all = await estimates("select * from shop.parcels");
    const [explained] = await sql.unsafe("explain (format json) select * from shop.parcels");
    const cost = explained?.["QUERY PLAN"][0].Plan["Total Cost"];
    expect(all).toEqual({ scans: true, estimatedCost: cost, estimatedRows: 4000 });
    expect(await estimates("select count(*) from shop.parcels")).toMatchObject({ estimatedRows: 1 });
    const pairs = await estimates("select 1 from shop.parcels a, shop.parcels b");
    expect(pairs?.estimatedRows).toBe(16_000_000);
    expect(pairs?.estimatedCost).toBeGreaterThan(100 * (all?.estimatedCost ?? 0));
  });
});
