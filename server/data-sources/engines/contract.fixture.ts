import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aRelay, listening, until } from "../../test/listening.ts";
import { Slots } from "../slots.ts";
import type {
  Cell,
  ConnectionWithPassword,
  Engine,
  Limits,
  OpenConnection,
  Session,
  Source,
  Statement,
} from "./engine.ts";
import { cutAfterMs } from "./guarded-read.ts";

/** What every engine must do, with the SQL and server that an engine's own test provides for it. */
export type EngineContract = {
  engine: Engine;
  target: OpenConnection;
  allowedFunctions?: readonly string[];
  /** A statement whose only value identifies the connection. */
  connectionId: string;
  /** The given number of rows with a small integer column `n`, for use after FROM; up to a million. */
  numbers(count: number): string;
  /** An expression that repeats the text. */
  repeated(text: string, times: number): string;
  /** Everything in the database that a statement could change, as an administrator sees it. */
  content(): Promise<unknown>;
  /** Whether the server is running a statement with this text. */
  isRunning(text: string): Promise<boolean>;
  /** How many of the engine's connections are idle in a transaction. */
  openTransactions(): Promise<number>;

  /** A statement with values that a driver could distort, and its result: name, type, and value of each column. */
  values: { sql: string; answer: [name: string, type: string, value: Cell][] };
  /** Two columns with the same name. `empty` returns no rows; `types` are the column types. */
  twins: { sql: string; row: Cell[]; empty: string; types: string[] };
  bound: { sql: string; parameters: Statement["parameters"]; row: unknown[] };
  /** Statements that `read` must not let change anything, and how they fail. */
  writing: [sql: string, kind: "refused" | "statement"][];
  /** The connection without the gate, and what the server itself rejects there. */
  ungated: { connect(): Promise<Ungated>; refused: [sql: string, kind: "refused" | "statement"][] };
  /** Mistakes, and the server's own words for them. */
  mistakes: [sql: string, parameters: Statement["parameters"], message: string | RegExp][];
  /** A numeric column `n` up to the bound value, and the engine's name for its type. */
  upTo: { sql: string; type: string };
  /** The length of a value that is too large, and a statement over nine rows, the first five of which are small. */
  huge: { length: number; partly: string; types: unknown[] };
  /** Runs for half a minute or more; a comment can be appended. */
  slow: string;
  /** Returns rows endlessly. */
  endless: string;

  check: {
    /** What a check finds without running the statement. */
    mistakes: [sql: string, parameters: Statement["parameters"], message: string | RegExp][];
    /** What it rejects, like `read`. */
    refused: string[];
    /** What would take long, or write, if it were run. */
    notRun: string[];
    /** Valid statements, and whether they would scan a table. */
    plans: [sql: string, parameters: Statement["parameters"], scans: boolean][];
  };

  /** What an administrator can do to connections; omitted if the test's login may not. */
  kill?: { running(text: string): Promise<void>; resting(): Promise<void> };
  /** Responds to a TLS request with a self-signed certificate; omitted if no proxy can be put in front. */
  tls?: { inFront: Parameters<typeof listening>[0]; version: RegExp };
  /** How connecting over a network can fail; omitted for an engine without one. */
  network?: {
    target: ConnectionWithPassword;
    /** Logins that fail, and the resulting messages. */
    failures: [changes: Partial<ConnectionWithPassword>, message: RegExp][];
    /** What other kinds of servers send to a client. */
    strangers: string[];
  };
};

type Ungated = { read(statement: Statement, limits: Limits): Promise<unknown>; drop(): void };

const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
const tooLarge = { kind: "statement", message: "A row of the result is too large to be read" };

/** The contract of engines, against a real server; its test data already exists. */
export function fulfillsContract(of: EngineContract): void {
  const { engine, target, network } = of;
  let source: Source;
  beforeAll(() => {
    source = engine.open(target, { allowedFunctions: of.allowedFunctions ?? [] });
  });
  afterAll(() => source?.close());

  const readOn = (
    session: Session,
    sql: string,
    { parameters = [], ...limits }: Partial<Limits> & { parameters?: Statement["parameters"] } = {},
  ) => session.read({ sql, parameters }, { ...ample, ...limits });
  const read = (sql: string, options: Parameters<typeof readOn>[2] = {}) =>
    source.session((session) => readOn(session, sql, options));
  const works = async () => expect((await read("select 'fine' as f")).rows).toEqual([["fine"]]);
  const isGone = (text: string) => until(async () => !(await of.isRunning(text)));
  const many = `select n, ${of.repeated("x", 200)} as x from ${of.numbers(200_000)}`;

  describe("values", () => {
    test("what JavaScript would round or convert is exact text, in UTC", async () => {
      const { columns, rows } = await read(of.values.sql);
      const shown = columns.map(({ name, type }, position) => [name, type, rows[0]?.[position]]);
      expect(shown).toEqual(of.values.answer);
    });

    test("columns with the same name are all kept, and a result without rows has its columns", async () => {
      const { sql, row, empty, types } = of.twins;
      const result = await read(sql);
      expect(result.rows).toEqual([row]);
      expect(new Set(result.columns.map(({ name }) => name)).size).toBe(1);
      const [{ name } = { name: "" }] = result.columns;
      expect(await read(empty)).toEqual({
        columns: types.map((type) => ({ name, type })),
        ...{ rows: [], truncated: false, rowCount: 0 },
      });
    });

    test("parameters are bound, never interpolated", async () => {
      const { sql, parameters, row } = of.bound;
      expect((await read(sql, { parameters })).rows).toEqual([row]);
    });
  });

  describe("read-only", () => {
    test.each(of.writing)("%s changes nothing", async (sql, kind) => {
      const before = await of.content();
      await expect(read(sql)).rejects.toMatchObject({ name: "SourceError", kind });
      await expect(read(sql, { countAll: true })).rejects.toMatchObject({ name: "SourceError" });
      expect(await of.content()).toEqual(before);
    });

    test("even without the gate, the server rejects writes and multiple statements", async () => {
      const before = await of.content();
      const connection = await of.ungated.connect();
      try {
        for (const [sql, kind] of of.ungated.refused)
          await expect(connection.read({ sql, parameters: [] }, ample), sql).rejects.toMatchObject({ kind });
        expect(await of.content()).toEqual(before);
      } finally {
        connection.drop();
      }
    });
  });

  describe("nothing is left behind", () => {
    test("a statement that fails leaves no transaction open", async () => {
      for (const [sql, parameters] of of.mistakes)
        await expect(read(sql, { parameters }), sql).rejects.toMatchObject({ kind: "statement" });
      await works();
      expect(await of.openTransactions()).toBe(0);
    });
  });

  describe("limits", () => {
    test("only the needed rows of a million are fetched, and the connection stays open", async () => {
      await source.session(async (session) => {
        const [id] = (await readOn(session, of.connectionId)).rows;
        const result = await readOn(session, `select n from ${of.numbers(1_000_000)}`, { maxRows: 700 });
        expect(result.rows).toHaveLength(700);
        expect(result.truncated).toBe(true);
        const all = await readOn(session, `select n from ${of.numbers(700)}`, { maxRows: 700 });
        expect(all.truncated).toBe(false);
        expect((await readOn(session, of.connectionId)).rows).toEqual([id]);
      });
    });

    test("bytes are limited as well as rows, and the rest is not sent", async () => {
      // A row weighs 1000 + 4 bytes, so 99 of them fit into 100,000.
      const wide = `select ${of.repeated("x", 1000)} as x from ${of.numbers(1_000_000)} -- heavy`;
      const result = await read(wide, { maxBytes: 100_000, maxRows: 1_000_000 });
      expect(result.rows).toHaveLength(99);
      expect(result.truncated).toBe(true);
      await isGone("-- heavy");
    });

    test("a huge value is rejected before it is fully buffered", async () => {
      const before = process.memoryUsage().rss;
      await expect(read(`select ${of.repeated("x", of.huge.length)} as x`)).rejects.toMatchObject(tooLarge);
      expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
      const partly = await read(of.huge.partly);
      expect(partly).toMatchObject({ truncated: true, columns: of.huge.types });
      expect(partly.rows).toHaveLength(5);
      await works();
    });
  });

  describe("rows beyond the limits are counted on request", () => {
    test.each([
      [{ maxRows: 700 }, 700],
      [{ maxRows: 199_999 }, 199_999],
      [{ maxRows: 0 }, 0],
      // A row weighs 4 + 8 for the number and 4 + 200 for the text.
      [{ maxRows: 1_000_000, maxBytes: 216 * 1234 }, 1234],
    ])("of 200,000 rows within %j", async (limits, kept) => {
      const result = await read(many, { maxBytes: 1e9, countAll: true, ...limits });
      expect(result.rows).toHaveLength(kept);
      const columns = [{ name: "n" }, { name: "x" }];
      expect(result).toMatchObject({ truncated: true, rowCount: 200_000, columns });
    });

    test("the count of few rows is their number; by default it is the number kept", async () => {
      const { sql, type } = of.upTo;
      const all = await read(sql, { parameters: [700], maxRows: 700, countAll: true });
      expect(all).toMatchObject({ truncated: false, rowCount: 700 });
      const none = await read(sql, { parameters: [0], countAll: true });
      const columns = [{ name: "n", type }];
      expect(none).toMatchObject({ truncated: false, rowCount: 0, rows: [], columns });
      const uncounted = await read(sql, { parameters: [999], maxRows: 700 });
      expect(uncounted).toMatchObject({ truncated: true, rowCount: 700 });
    });

    test("counted rows are not buffered, and the connection stays open", async () => {
      const wide = `select ${of.repeated("x", 2000)} as x from ${of.numbers(200_000)}`;
      const options = { maxRows: 10, timeoutMs: 30_000, countAll: true };
      await source.session(async (session) => {
        const [id] = (await readOn(session, of.connectionId)).rows;
        await readOn(session, many, options);
        const before = process.memoryUsage().rss;
        expect(await readOn(session, wide, options)).toMatchObject({ rowCount: 200_000 });
        expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
        expect((await readOn(session, of.connectionId)).rows).toEqual([id]);
      });
    });

    test("a single row over the limit fails the statement", async () => {
      await expect(read(of.huge.partly, { countAll: true })).rejects.toMatchObject(tooLarge);
      await works();
    });

    test("mistakes and rejections are the same as without counting", async () => {
      for (const [sql, parameters, message] of of.mistakes)
        await expect(read(sql, { parameters, countAll: true }), sql).rejects.toMatchObject({
          kind: "statement",
          message: expect.stringMatching(message),
        });
      await expect(read("select 1; select 2", { countAll: true })).rejects.toMatchObject({ kind: "refused" });
    });

    test("the time limit applies to counting", async () => {
      const counting = read(`${of.endless} -- endless`, { maxRows: 10, timeoutMs: 700, countAll: true });
      await expect(counting).rejects.toMatchObject({
        kind: "timeout",
        message: "The statement took longer than 0.7 s and was cancelled",
      });
      await isGone("-- endless");
    });
  });

  describe("time", () => {
    test("a slow statement is cancelled on the server; the connection stays open", async () => {
      await source.session(async (session) => {
        const [id] = (await readOn(session, of.connectionId)).rows;
        const startedAt = performance.now();
        const slow = readOn(session, `${of.slow} -- first`, { timeoutMs: 300 });
        const timeout = expect(slow).rejects.toMatchObject({
          kind: "timeout",
          message: "The statement took longer than 0.3 s and was cancelled",
        });
        await until(() => of.isRunning("-- first"));
        await timeout;
        // Later, it would have been cut off instead.
        expect(performance.now() - startedAt).toBeLessThan(300 + cutAfterMs);
        await isGone("-- first");
        expect((await readOn(session, of.connectionId)).rows).toEqual([id]);
      });
    });

    test("an aborted statement is cancelled on the server, and the session continues", async () => {
      await source.session(async (session) => {
        const stop = new AbortController();
        const limits = { timeoutMs: 60_000, signal: stop.signal };
        const aborted = expect(readOn(session, `${of.slow} -- unwanted`, limits)).rejects.toThrow("Enough");
        await until(() => of.isRunning("-- unwanted"));
        stop.abort(new Error("Enough"));
        await aborted;
        await isGone("-- unwanted");
        await expect(readOn(session, of.connectionId, limits)).rejects.toThrow("Enough");
        expect((await readOn(session, of.connectionId)).rows.length).toBe(1);
      });
    });

    test.runIf(network)("a server that stops responding does not block the caller", async () => {
      if (!network) return;
      const relay = await aRelay(network.target);
      const far = engine.open({ ...network.target, port: relay.port });
      try {
        await far.test();
        const answer = far.session((session) =>
          readOn(session, `${of.slow} -- unheard`, { timeoutMs: 1000 }),
        );
        const timeout = expect(answer).rejects.toMatchObject({ kind: "timeout" });
        await until(() => of.isRunning("-- unheard"));
        relay.fallSilent();
        await timeout;
        await isGone("-- unheard");
      } finally {
        await far.close();
        await relay.close();
      }
    });

    test("closing the source ends running statements", async () => {
      const other = engine.open(target);
      const running = other.session((session) =>
        readOn(session, `${of.slow} -- third`, { timeoutMs: 60_000 }),
      );
      const failed = expect(running).rejects.toMatchObject({ kind: "unreachable" });
      await until(() => of.isRunning("-- third"));
      await other.close();
      await failed;
      await isGone("-- third");
      await expect(other.test()).rejects.toMatchObject({ kind: "unreachable" });
    });
  });

  describe("connections", () => {
    test("three connections serve eight sessions", async () => {
      const own = engine.open(target);
      const slots = new Slots();
      try {
        let max = 0;
        let now = 0;
        const ids = await Promise.all(
          Array.from({ length: 8 }, () =>
            slots.use("person", () =>
              own.session(async (session) => {
                max = Math.max(max, ++now);
                const { rows } = await readOn(session, of.connectionId);
                now--;
                return rows[0]?.[0];
              }),
            ),
          ),
        );
        expect(max).toBe(3);
        expect(new Set(ids).size).toBe(3);
      } finally {
        await own.close();
      }
    });

    test("the statements of one session run in sequence", async () => {
      const results = await source.session((session) =>
        Promise.all(
          [of.connectionId, ...[1, 2, 3].map((n) => `select ${n} as n`), of.connectionId].map((sql) =>
            readOn(session, sql),
          ),
        ),
      );
      const values = results.map(({ rows }) => rows[0]?.[0]);
      expect(values.slice(1, -1).map(Number)).toEqual([1, 2, 3]);
      expect(values.at(-1)).toEqual(values[0]);
    });

    test.runIf(of.kill)("a killed connection fails its statement, and the next one works", async () => {
      const victim = read(`${of.slow} -- victim`, { timeoutMs: 60_000 });
      const failed = expect(victim).rejects.toMatchObject({ name: "SourceError", kind: "unreachable" });
      await until(() => of.isRunning("-- victim"));
      await of.kill?.running("-- victim");
      await failed;
      await works();
    });

    test.runIf(of.kill)("connections killed while idle are replaced", async () => {
      await Promise.all([works(), works()]);
      await of.kill?.resting();
      await works();
    });

    test("within a session, too, a broken connection is replaced for the next statement", async () => {
      await source.session(async (session) => {
        const huge = readOn(session, `select ${of.repeated("x", of.huge.length)} as x`);
        await expect(huge).rejects.toMatchObject({ kind: "statement" });
        expect((await readOn(session, "select 'fine' as f")).rows).toEqual([["fine"]]);
      });
    });
  });

  describe("a check", () => {
    const check = (sql: string, parameters: Statement["parameters"] = []) =>
      source.session((session) => {
        if (!session.check) throw new Error("This engine checks");
        return session.check({ sql, parameters }, { timeoutMs: 5000 });
      });

    test.each(of.check.mistakes)("fails like running it does: %s", async (sql, parameters, message) => {
      const failure = { kind: "statement", message: expect.stringMatching(message) };
      await expect(check(sql, parameters)).rejects.toMatchObject(failure);
      await expect(read(sql, { parameters })).rejects.toMatchObject(failure);
    });

    test.each(of.check.refused)("is as strict as running: %s", async (sql) => {
      await expect(check(sql)).rejects.toMatchObject({ kind: "refused" });
      await expect(read(sql)).rejects.toMatchObject({ kind: "refused" });
    });

    test.each(of.check.notRun)("does not run %s", async (sql) => {
      const before = await of.content();
      expect(await check(sql)).toEqual({ scans: true });
      expect(await of.content()).toEqual(before);
    });

    test.each(of.check.plans)(
      "of %s with %j says whether it reads a table: %s",
      async (sql, parameters, scans) => {
        expect(await check(sql, parameters)).toEqual({ scans });
      },
    );
  });

  describe("mistakes", () => {
    test.each(of.mistakes)(
      "the server's own first line names what is wrong with %s",
      async (sql, parameters, message) => {
        await expect(read(sql, { parameters })).rejects.toMatchObject({
          kind: "statement",
          message: expect.stringMatching(message),
        });
      },
    );
  });

  describe.runIf(network)("a connection that fails gives nothing away", () => {
    const server = network?.target ?? ({} as ConnectionWithPassword);
    const failureOf = async (changes: Partial<ConnectionWithPassword>) => {
      const other = engine.open({ ...server, ...changes });
      const failure = await other.test().then(
        () => "worked",
        ({ kind, message }) => `${kind}: ${message}`,
      );
      await other.close();
      return failure;
    };

    test.each([
      [{ port: 1 }, /^unreachable: Connection refused: nothing is listening on this host and port$/],
      [{ host: "database.invalid" }, /^unreachable: Unknown host name$/],
      ...(network?.failures ?? []),
    ])("a connection that cannot be made says why: %j", async (changes, message) => {
      expect(await failureOf(changes)).toMatch(message);
    });

    test("another kind of server is disconnected from immediately", async () => {
      const { strangers = [] } = network ?? {};
      let calls = 0;
      for (const word of strangers) {
        const stranger = await listening((socket) => {
          calls++;
          socket.end(Buffer.from(word, "latin1"));
        });
        expect(await failureOf({ port: stranger.port })).toMatch(/^unreachable: /);
        stranger.server.close();
      }
      expect(calls).toBe(strangers.length);
      const curt = await listening((socket) => socket.destroy());
      expect(await failureOf({ port: curt.port })).toMatch(/^unreachable: /);
      curt.server.close();
    });

    test.runIf(of.tls)("a certificate is verified unless the connection says to trust it", async () => {
      const tryWith = async (trustServerCertificate?: boolean) => {
        const { server: proxy, port } = await listening((socket) => of.tls?.inFront(socket));
        const other = engine.open({ ...server, port, ssl: true, trustServerCertificate });
        try {
          return (await other.test()).serverVersion;
        } catch (error) {
          return error instanceof Error ? error.message : "";
        } finally {
          await other.close();
          proxy.close();
        }
      };
      const untrusted = "The server's certificate is not trusted: it is self-signed";
      expect(await tryWith()).toBe(untrusted);
      expect(await tryWith(false)).toBe(untrusted);
      expect(await tryWith(true)).toMatch(of.tls?.version ?? "");
    });
  });
}
