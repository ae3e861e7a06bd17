import { type Socket, connect as tcp } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../db/client.ts";
import { selfSigned } from "../../test/factories/certificates.ts";
import { ownConnection } from "../../test/factories/data-sources.ts";
import { listening, openSockets, until } from "../../test/listening.ts";
import { fulfillsContract } from "./contract.fixture.ts";
import type { Limits, Source, Statement } from "./engine.ts";
import { connect } from "./postgresql/connection.ts";
import { postgresql } from "./postgresql.ts";

/** The engine on a real server: the test file's own database, with a login that may do everything. */
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
  await sql.unsafe(`
    create table shop.visits (at timestamptz, seen_at timestamptz);
    insert into shop.visits select now(), now() from generate_series(1, 5000);
    create index on shop.visits (at);
    analyze shop.visits;
  `);
  source = postgresql.open(ownConnection(), { allowedFunctions });
});

afterAll(() => source.close());

const read = (text: string, parameters: Statement["parameters"] = [], limits: Partial<Limits> = {}) =>
  source.session((session) => session.read({ sql: text, parameters }, { ...ample, ...limits }));

/** What the engine's own connections are running, according to the server. */
const statements = () =>
  sql<{ pid: number; state: string; query: string }[]>`
    select pid, state, query from pg_stat_activity
    where datname = ${database} and application_name = 'plumbline' and pid <> pg_backend_pid()
      and query not like '%pg_stat_activity%'`;

const orders = () => sql<{ id: number }[]>`select id from shop.orders order by id`;

const isRunning = async (text: string) =>
  (await statements()).some(({ state, query }) => state === "active" && query.includes(text));

fulfillsContract({
  engine: postgresql,
  target: ownConnection(),
  allowedFunctions,
  connectionId: "select pg_backend_pid() as id",
  numbers: (count) => `generate_series(1, ${count}) n`,
  repeated: (text, times) => `repeat('${text}', ${times})`,
  content: async () => ({
    orders: await orders(),
    tables: await sql`select to_regclass('shop.stolen')::text, to_regclass('pg_temp.kept')::text`,
  }),
  isRunning: async (text) =>
    (await statements()).some(
      ({ state, query }) => state === "active" && (query.includes(text) || query.includes("plumbline_rows")),
    ),
  openTransactions: async () => (await statements()).filter(({ state }) => state !== "idle").length,
  network: {
    target: ownConnection(),
    failures: [
      [{ host: "/var/run/postgresql" }, /^unreachable: (The|Unknown) host/],
      [{ host: "127.0.0.1,127.0.0.2" }, /^unreachable: (The|Unknown) host name/],
      [{ database: "no_such_database" }, /^unreachable: The database does not exist$/],
      // A server that requires passwords does not reveal which users exist.
      [
        { user: "no_such_user" },
        /^unreachable: (The server does not accept this login|The user or password is wrong)/,
      ],
    ],
    strangers: ["HTTP/1.1 400 Bad Request\r\n\r\n"],
  },
  values: {
    sql: `select 9007199254740993::bigint as big, 1.10::numeric(40, 20) as exact, 7::integer as small,
         1.5::double precision as float, 'NaN'::double precision as nan, true as yes, null::text as nothing,
         '2024-03-31 02:30:00.123456+02'::timestamptz as zoned, '2024-03-31 02:30'::timestamp as local,
         '2024-03-31'::date as day, '{"a": 1.0}'::jsonb as json, array[1, 2] as list, '\\x00ff'::bytea as bytes`,
    answer: [
      ["big", "bigint", "9007199254740993"],
      ["exact", "numeric", "1.10000000000000000000"],
      ["small", "integer", 7],
      ["float", "double precision", 1.5],
      ["nan", "double precision", "NaN"],
      ["yes", "boolean", true],
      ["nothing", "text", null],
      ["zoned", "timestamp with time zone", "2024-03-31 00:30:00.123456+00"],
      ["local", "timestamp without time zone", "2024-03-31 02:30:00"],
      ["day", "date", "2024-03-31"],
      ["json", "jsonb", '{"a": 1.0}'],
      ["list", "integer[]", "{1,2}"],
      ["bytes", "bytea", "\\x00ff"],
    ],
  },
  twins: {
    sql: "select 1 as a, 2 as a",
    row: [1, 2],
    empty: "select 1 as a, 2 as a where false",
    types: ["integer", "integer"],
  },
  // Each as the type that the server expects.
  bound: {
    sql: "select $1::text, $2::bigint + 1, $3::numeric, $4::boolean, $5::boolean, $6::date",
    parameters: ["'; delete from shop.orders --", "9007199254740993", "0.1", false, "true", null],
    row: ["'; delete from shop.orders --", "9007199254740994", "0.1", false, true, null],
  },
  writing: [
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
  ],
  ungated: {
    connect: () => connect(ownConnection()),
    refused: [
      ["rollback; delete from shop.orders", "refused"],
      ["set transaction read write", "statement"],
    ],
  },
  mistakes: [
    ["select missing from shop.orders", [], /^column "missing" does not exist$/],
    ["select * from nowhere", [], /^relation "nowhere" does not exist$/],
    ["select * frm shop.orders", [], /^syntax error at or near "frm"$/],
    ["select $1::integer", ["x"], /^invalid input syntax for type integer: "x"$/],
    ["select 1 / 0", [], /^division by zero$/],
    ["select 1 / (600 - n) from generate_series(1, 900) n", [], /^division by zero$/],
  ],
  upTo: { sql: "select n from generate_series(1, $1) n", type: "integer" },
  huge: {
    length: 200_000_000,
    partly: "select n, repeat('x', case when n > 5 then 50000000 else 1 end) from generate_series(1, 9) n",
    types: [{ type: "integer" }, { type: "text" }],
  },
  slow: "select pg_sleep(30)",
  // The first rows arrive immediately; counting takes long.
  endless: "select n, case when n > 900 then pg_sleep(0.05) end from generate_series(1, 100000) n",
  check: {
    mistakes: [
      ["select missing from shop.orders", [], /^column "missing" does not exist$/],
      ["select 1 from shop.missing", [], /^relation "shop.missing" does not exist$/],
      ["select sum(amount) from shop.orders group", [], /^syntax error at end of input$/],
      // The pattern is a parameter, but still invalid.
      [
        "select '' ~ $1::text from shop.orders",
        ["("],
        /^invalid regular expression: parentheses \(\) not balanced$/,
      ],
    ],
    refused: [
      "delete from shop.orders",
      "(analyze) select pg_sleep(60)",
      "analyze select pg_sleep(60)",
      "select 1; delete from shop.orders",
    ],
    notRun: ["(select pg_sleep(60))", "select shop.write()"],
    plans: [
      ["select max(at)::text, now() - max(at) from shop.visits", [], false],
      ["select max(seen_at) from shop.visits", [], true],
      ["select max(at), max(seen_at) from shop.visits", [], true],
      ["select max(at), count(*) from shop.visits", [], true],
    ],
  },
  kill: {
    running: async (text) => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${database} and state = 'active' and pid <> pg_backend_pid() and query like ${`%${text}`}`;
    },
    resting: async () => {
      const open = openSockets();
      const killed = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${database} and pid <> pg_backend_pid() and query = 'discard all'`;
      await expect.poll(openSockets).toBeLessThanOrEqual(open - killed.length);
    },
  },
  tls: { inFront: (near) => behindTls("S", near), version: /^PostgreSQL \d/ },
});

/** A TLS proxy for PostgreSQL: answers the TLS request, then passes everything on. */
function behindTls(answer: string, near: Socket): void {
  near.once("data", () => {
    near.write(answer);
    if (answer !== "S") return;
    const inner = new TLSSocket(near, { isServer: true, ...selfSigned });
    const far = tcp({ host: ownConnection().host, port: ownConnection().port });
    inner.on("error", () => far.destroy());
    far.on("error", () => inner.destroy());
    inner.pipe(far).pipe(inner);
  });
}

describe("only on PostgreSQL", () => {
  test("the login's settings do not change how values are formatted", async () => {
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

  test("a statement cannot make its transaction writable", async () => {
    await sql.unsafe(
      `create or replace function shop.open_up() returns text language sql as
         $$ select set_config('transaction_read_only', 'off', true) $$`,
    );
    await expect(read("select shop.open_up()")).rejects.toMatchObject({ kind: "statement" });
    await expect(read("select shop.open_up(), shop.write()")).rejects.toMatchObject({ kind: "statement" });
    expect(await orders()).toHaveLength(3);
  });

  test("multiple statements are rejected even without the gate, by the protocol", async () => {
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

  test("workers are started for large tables alone", async () => {
    // About 20 rows fit into each page of 8 kB: 24 MB and 72 MB.
    await sql.unsafe("create table shop.sparse (n int) with (fillfactor = 10)");
    await sql.unsafe("create table shop.sparse_and_large (n int) with (fillfactor = 10)");
    await sql.unsafe("insert into shop.sparse select generate_series(1, 66000)");
    await sql.unsafe("insert into shop.sparse_and_large select generate_series(1, 198000)");
    await sql.unsafe("analyze shop.sparse, shop.sparse_and_large");
    // Then only the size of a table decides.
    const free = { parallel_setup_cost: 0, max_parallel_workers_per_gather: 2 };
    for (const [name, value] of Object.entries(free))
      await sql.unsafe(`alter database ${database} set ${name} = ${value}`);
    const explained = (table: string) =>
      `explain (costs off) select count(*) from shop.${table} where n % 7 = 1`;
    const connection = await connect(ownConnection());
    const plan = async (table: string) => {
      const { rows } = await connection.read({ sql: explained(table), parameters: [] }, ample);
      return rows.join("\n");
    };
    try {
      const byDefault = await sql.begin(async (tx) => {
        for (const [name, value] of Object.entries(free)) await tx.unsafe(`set local ${name} = ${value}`);
        return (await tx.unsafe(explained("sparse")).values()).join("\n");
      });
      expect(byDefault).toContain("Parallel Seq Scan");
      expect(await plan("sparse")).not.toContain("Parallel");
      expect(await plan("sparse_and_large")).toContain("Parallel Seq Scan");
    } finally {
      connection.drop();
      await sql.unsafe(`alter database ${database} reset all`);
      await sql.unsafe("drop table shop.sparse, shop.sparse_and_large");
    }
  });

  test("settings, locks, and temporary tables do not outlive their statement", async () => {
    await source.session(async (session) => {
      const ask = async (text: string) =>
        (await session.read({ sql: text, parameters: [] }, ample)).rows[0] ?? [];
      const [pid] = await ask("select pg_backend_pid()");
      await ask("select shop.loosen()");
      await ask("select pg_advisory_lock(4711)");
      // The same connection: it was reset, not replaced.
      expect(await ask("select pg_backend_pid()")).toEqual([pid]);
      expect(await ask("select current_setting('statement_timeout')")).toEqual(["10s"]);
      expect(
        await ask(
          "select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()",
        ),
      ).toEqual([0]);
    });
    const [free] = await sql`select pg_try_advisory_lock(4711) as locked, pg_advisory_unlock(4711)`;
    expect(free?.locked).toBe(true);
  });

  test("a statement that ends with a semicolon, or has another unusual form, is counted too", async () => {
    const counted = { maxRows: 1, countAll: true };
    expect(await read("values (1), (2), (3);", [], counted)).toMatchObject({ rowCount: 3 });
    expect(await read("with a as (table shop.orders) (select * from a)", [], counted)).toMatchObject({
      rowCount: 3,
    });
  });

  test("many fast rows do not extend the time limit", async () => {
    const slow = read("select n, pg_sleep(0.01) from generate_series(1, 100000) n", [], {
      timeoutMs: 300,
      maxRows: 100_000,
    });
    await expect(slow).rejects.toMatchObject({ kind: "timeout" });
  });

  test("a statement that turned off the server's limit is cancelled by the client", async () => {
    const startedAt = performance.now();
    // Rows come in batches of 500; from the second one on, the server no longer enforces the limit.
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

  test("nothing is sent unencrypted if the server has no TLS, or adds data to its response", async () => {
    for (const answer of ["N", "SR\0\0\0\x08\0\0\0\0"]) {
      const { server, port } = await listening((near) => behindTls(answer, near));
      const other = postgresql.open({ ...ownConnection(), port, ssl: true, trustServerCertificate: true });
      await expect(other.test()).rejects.toMatchObject({
        message: "The server does not offer TLS: turn off SSL here, or turn it on at the server",
      });
      await other.close();
      server.close();
    }
  });

  const failureOf = async (changes: Partial<ReturnType<typeof ownConnection>>) => {
    const other = postgresql.open({ ...ownConnection(), ...changes });
    const failure = await other.test().then(
      () => "worked",
      ({ kind, message }) => `${kind}: ${message}`,
    );
    await other.close();
    return failure;
  };

  test("a wrong password is reported, but not repeated", async () => {
    const server = await listening((socket) => {
      socket.once("data", () => {
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])); // requests an unencrypted password
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
        "unreachable: The user or password is wrong",
      );
    } finally {
      server.server.close();
    }
  });

  test("an empty password stays empty: the process's own PGPASSWORD is not sent to other servers", async () => {
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

  test("reports the whole plan's expected cost and row count", async () => {
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
