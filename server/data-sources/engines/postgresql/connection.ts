import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import postgres from "postgres";
import {
  type Cell,
  type ConnectionWithPassword,
  type Limits,
  type ResultSet,
  SourceError,
  type Statement,
} from "../engine.ts";
import type { Pooled } from "../pool.ts";
import { sizeOf } from "../row-size.ts";
import { namesOfTypes } from "./column-types.ts";
import { dial } from "./dial.ts";
import { isRefusal, isServersWord, loginFailure, sqlStateOf, statementFailure } from "./failures.ts";
import type { Inquiry } from "./functions.ts";

const connectTimeoutMs = 10_000;
/** For what takes no time on a server that is alive: beginning, rolling back, a sign of life. */
const housekeepingMs = 10_000;
/** The server cancels by itself at the limit; when it does not, it is asked to, and then the connection is cut. */
const cancelAfterMs = 500;
const cutAfterMs = 5_000;
/** How many rows are asked for at once, so that a result can be left where its limit is. */
const batchRows = 500;
/** What may arrive beyond the limit, as the rest of a batch, before the connection is cut. */
const overshootBytes = 4 * 1024 * 1024;
type AnswerOfOurs = readonly Record<string, Cell>[];

/** A Bind message counts its parameters in 16 bits, and the driver keeps one back. */
const maxParameters = 65_533;

/** The extended protocol, in which a text holds one statement and no more. The option is not in the driver's types. */
const oneStatement: postgres.UnsafeQueryOptions & { simple: boolean } = { prepare: false, simple: false };

export type PostgresConnection = Pooled & {
  /**
   * One statement in a read-only transaction of its own, which is always rolled back. What has to be asked before is
   * asked as the transaction begins, so that it costs no round trip. Throws SourceError.
   */
  read(statement: Statement, limits: Limits, inquiry?: Inquiry | null): Promise<ResultSet>;
};

/**
 * Values as the server writes them, but for small numbers and booleans: what JavaScript would round or reshape
 * stays text. Parameters go out as text, too, and the server reads them as the type that it expects.
 */
const types = {
  number: { to: 23, from: [21, 23, 26], serialize: String, parse: Number },
  float: {
    to: 701,
    from: [700, 701],
    serialize: String,
    // JSON has no NaN and no infinities, so they stay words.
    parse: (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text),
  },
  boolean: { to: 16, from: [16], serialize: String, parse: (text: string) => text === "t" },
  text: {
    to: 25,
    from: [17, 20, 114, 1082, 1083, 1114, 1184, 1700, 3802],
    serialize: String,
    parse: (text: string) => text,
  },
};

/**
 * Signs in on a connection of its own. The driver never reconnects it: a statement must not find itself outside
 * of its transaction because the connection was quietly replaced. Once anything but an ordinary refusal has
 * happened it is dropped, not mended.
 */
export async function connect(target: ConnectionWithPassword): Promise<PostgresConnection> {
  const socket = await dial(target, connectTimeoutMs).catch((error) => {
    throw loginFailure(error);
  });

  let alive = true;
  socket.once("close", () => {
    alive = false;
  });

  // Counts what arrives, below the driver, which would collect a value of a gigabyte before it shows it.
  let received = 0;
  let receivable = Number.POSITIVE_INFINITY;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > receivable) socket.destroy();
  });

  let handedOver = false;
  const options: postgres.Options<typeof types> & { socket: () => Promise<Socket> } = {
    // The socket is ours, so this is only a label. Every option is said: gaps would be filled from PG* variables.
    host: "data-source",
    port: target.port,
    database: target.database,
    user: target.user,
    password: () => target.password,
    ssl: false,
    max: 1,
    prepare: false,
    fetch_types: false,
    debug: false,
    idle_timeout: undefined,
    connect_timeout: connectTimeoutMs / 1000,
    max_lifetime: null,
    keep_alive: 60,
    backoff: () => 0,
    connection: { application_name: "plumbline" },
    onnotice: () => {},
    types,
    socket: async () => {
      if (handedOver || !alive)
        throw new SourceError("unreachable", "The host closed the connection; it may be no PostgreSQL");
      handedOver = true;
      return socket;
    },
  };
  const client = postgres(options);

  const drop = () => {
    alive = false;
    socket.destroy();
    void client.end({ timeout: 0 }).catch(() => {});
  };

  /** Waits no longer than that for the server; then the connection is beyond trust. */
  const within = async <T>(milliseconds: number, answer: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new SourceError("unreachable", "The server stopped answering"));
        drop();
      }, milliseconds);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  };

  const backend = await within(connectTimeoutMs, client.unsafe("select 1")).then(
    ({ state }) => ({ pid: state.pid, secret: state.secret }),
    (error) => {
      drop();
      throw loginFailure(error);
    },
  );

  /** Asks the server, on a connection of its own as the protocol wants it, to stop what runs on this one. */
  const cancel = async () => {
    cancelled = true;
    const request = Buffer.alloc(16);
    request.writeInt32BE(16, 0);
    request.writeInt32BE(80877102, 4);
    request.writeUInt32BE(backend.pid, 8);
    request.writeInt32BE(backend.secret | 0, 12);
    const messenger = await dial(target, cutAfterMs);
    messenger.end(request);
    messenger.resume();
  };

  let running = false;
  let cancelled = false;

  /** Fetches in batches and stops asking at a limit. Both limits hold for what is kept, and for the wire. */
  const fetch = async (statement: Statement, limits: Limits) => {
    const rows: Cell[][] = [];
    let columns: readonly { name: string; type: number }[] | null = null;
    let bytes = 0;
    let truncated = false;
    receivable = received + limits.maxBytes + overshootBytes;

    const query = client
      .unsafe<Record<string, Cell>[]>(statement.sql, [...statement.parameters], oneStatement)
      .values();
    // Parallel workers are not started for what is fetched in parts.
    if (!statement.answersOneRow)
      void query.cursor(Math.min(limits.maxRows + 1, batchRows), () =>
        truncated ? client.CLOSE : undefined,
      );
    try {
      const result = await query.forEach((row, { columns: described }) => {
        columns ??= described;
        if (truncated) return;
        bytes += sizeOf(row);
        truncated = rows.length >= limits.maxRows || bytes > limits.maxBytes;
        if (!truncated) rows.push(row);
      });
      columns ??= result.columns;
    } catch (error) {
      if (received <= receivable) throw error;
      if (columns === null) throw new SourceError("statement", "A row of the result is too large to be read");
      truncated = true;
    } finally {
      receivable = Number.POSITIVE_INFINITY;
    }
    return { rows, columns: columns ?? [], truncated, rowCount: rows.length };
  };

  /**
   * Fetches like `fetch`, and has the server itself go through the rows that are beyond a limit: they are counted
   * and never sent. Only a cursor with a name can be moved.
   */
  const fetchAndCount = async (statement: Statement, limits: Limits) => {
    const rows: Cell[][] = [];
    let columns: readonly { name: string; type: number }[] = [];
    let rowCount = 0;
    let bytes = 0;
    let truncated = false;
    // Rows are handed on one by one, so it is a single one that would have to be held.
    const receive = () => {
      receivable = received + limits.maxBytes + overshootBytes;
    };
    try {
      receive();
      const declared = `declare plumbline_rows no scroll cursor for ${statement.sql}`;
      await client.unsafe(declared, [...statement.parameters], oneStatement);
      for (let wanted = 0, came = 0; came === wanted && !truncated; rowCount += came) {
        wanted = Math.min(limits.maxRows + 1 - rows.length, batchRows);
        const fetched = await client
          .unsafe<Record<string, Cell>[]>(`fetch forward ${wanted} from plumbline_rows`, [], oneStatement)
          .values()
          .forEach((row) => {
            receive();
            if (truncated) return;
            bytes += sizeOf(row);
            truncated = rows.length >= limits.maxRows || bytes > limits.maxBytes;
            if (!truncated) rows.push(row);
          });
        came = fetched.count;
        columns = fetched.columns;
      }
      if (truncated) rowCount += (await client.unsafe("move forward all in plumbline_rows")).count;
    } catch (error) {
      if (received <= receivable) throw error;
      throw new SourceError("statement", "A row of the result is too large to be read");
    } finally {
      receivable = Number.POSITIVE_INFINITY;
    }
    return { rows, columns, truncated, rowCount };
  };

  const begin = (timeoutMs: number, inquiry: Inquiry | null): Promise<AnswerOfOurs[]> => {
    const limit = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2_000_000_000);
    // The settings come by a query, not by SET: after a query the transaction can no longer be made to write.
    const settings = {
      statement_timeout: limit,
      // Should this process die, the server forgets the transaction by itself.
      idle_in_transaction_session_timeout: limit + housekeepingMs,
      TimeZone: "UTC",
      DateStyle: "ISO, YMD",
      IntervalStyle: "postgres",
      bytea_output: "hex",
      extra_float_digits: 1,
      // What is fetched through a cursor is nearly always fetched whole.
      cursor_tuple_fraction: 1,
      standard_conforming_strings: "on",
    };
    const calls = Object.entries(settings).map(
      ([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`,
    );
    const statements = ["begin read only", `select ${calls.join(", ")}`, ...(inquiry ? [inquiry.sql] : [])];
    return within(housekeepingMs, client.unsafe<AnswerOfOurs[]>(statements.join("; ")));
  };

  /** Leaves the connection as it was after the login: no transaction, setting, lock, listener or cursor. */
  const cleanUp = () =>
    within(housekeepingMs, Promise.all([client.unsafe("rollback"), client.unsafe("discard all")]));

  const read: PostgresConnection["read"] = async (statement, limits, inquiry = null) => {
    if (statement.parameters.length > maxParameters)
      throw new SourceError("refused", "The statement has too many parameters");
    if (!alive) throw new SourceError("unreachable", "The connection broke");
    const countsAll = limits.countAll === true && !statement.answersOneRow;
    const startedAt = performance.now();
    const timedOut = () => {
      const seconds = limits.timeoutMs / 1000;
      return new SourceError("timeout", `The statement took longer than ${seconds} s and was cancelled`);
    };
    const timers: NodeJS.Timeout[] = [];
    try {
      const [, , facts = []] = await begin(limits.timeoutMs, inquiry);
      inquiry?.accept(facts);
      running = true;
      const late = new Promise<never>((_, reject) => {
        const cut = () => {
          reject(timedOut());
          drop();
        };
        // The server measures each statement, and counting takes several.
        const cancelMs = limits.timeoutMs + (countsAll ? 0 : cancelAfterMs);
        timers.push(setTimeout(() => void cancel().catch(() => {}), cancelMs));
        timers.push(setTimeout(cut, limits.timeoutMs + cutAfterMs));
      });
      const answer = countsAll ? fetchAndCount(statement, limits) : fetch(statement, limits);
      const { columns, ...result } = await Promise.race([answer, late]);
      for (const timer of timers) clearTimeout(timer);
      running = false;
      const names = await namesOfTypes(
        columns.map(({ type }) => type),
        (sql, oids) => (alive ? within(housekeepingMs, client.unsafe(sql, [oids])) : Promise.resolve([])),
      );
      // An interruption that is under way would meet whatever runs next.
      if (cancelled) drop();
      else if (alive) await cleanUp().catch(drop);
      return {
        columns: columns.map(({ name }, position) => ({ name, type: names[position] ?? "unknown" })),
        ...result,
      };
    } catch (error) {
      running = false;
      const isOverdue = performance.now() - startedAt >= limits.timeoutMs;
      const isHeard = isServersWord(error) || isRefusal(error);
      if (!isHeard || cancelled) drop();
      else await cleanUp().catch(drop);
      throw sqlStateOf(error) === "57014" && isOverdue ? timedOut() : statementFailure(error);
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  };

  return {
    alive: () => alive,
    answers: () =>
      within(housekeepingMs, client.unsafe("select 1")).then(
        () => true,
        () => false,
      ),
    drop: () => {
      // Cutting the wire does not stop a statement; the server would only notice when it has a row to send.
      if (running) void cancel().catch(() => {});
      drop();
    },
    read,
  };
}
