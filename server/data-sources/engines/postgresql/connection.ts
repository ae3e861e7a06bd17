import type { Socket } from "node:net";
import postgres from "postgres";
import {
  type Cell,
  type ConnectionWithPassword,
  type Limits,
  SourceError,
  type Statement,
} from "../engine.ts";
import { namingCa } from "../failures.ts";
import { cutAfterMs, type Driver, type GuardedRead, guardedRead, housekeepingMs } from "../guarded-read.ts";
import type { Intake } from "../intake.ts";
import { connectTimeoutMs, Link } from "../link.ts";
import { namesOfTypes } from "./column-types.ts";
import { dial } from "./dial.ts";
import { isServerError, loginFailure, sqlStateOf, statementFailure } from "./failures.ts";
import type { Inquiry } from "./functions.ts";
import { relativeIn } from "./relatives.ts";

/** The batch size, so that fetching can stop at the limit. */
const batchRows = 500;
/** A Bind message counts its parameters in 16 bits, and the driver reserves one. */
const maxParameters = 65_533;

/**
 * The extended protocol, in which a text contains exactly one statement. The option is missing from the driver's types.
 */
const oneStatement: postgres.UnsafeQueryOptions & { simple: boolean } = { prepare: false, simple: false };

type Column = { name: string; type: number };
type Answer = readonly Record<string, Cell>[];

/** Queries needed before the statement are sent along with the start of its transaction, to save a round trip. */
export type PostgresConnection = GuardedRead<Inquiry | null>;

/**
 * Values as the server writes them, except small numbers and booleans: what JavaScript would round or convert stays
 * text. Parameters are sent as text too, and the server parses them as the expected type.
 */
const types = {
  number: { to: 23, from: [21, 23, 26], serialize: String, parse: Number },
  float: {
    to: 701,
    from: [700, 701],
    serialize: String,
    // JSON has no NaN or infinities, so they become text.
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
 * Signs in on a new connection. The driver never reconnects: after a silent reconnect, a statement would run outside
 * its transaction.
 */
export async function connect(target: ConnectionWithPassword): Promise<PostgresConnection> {
  const { client, link, socket, backend } = await signIn(target);

  /** Fetches in batches and stops at a limit. */
  const fetchBatches = async (statement: Statement, intake: Intake<Column>) => {
    const query = client
      .unsafe<Record<string, Cell>[]>(statement.sql, [...statement.parameters], oneStatement)
      .values();
    // Parallel workers are not used when fetching in batches.
    if (!statement.answersOneRow)
      void query.cursor(Math.min(intake.limits.maxRows + 1, batchRows), () =>
        intake.isFull ? client.CLOSE : undefined,
      );
    const result = await query.forEach((row, { columns }) => {
      // The driver only describes them with the first batch.
      if (intake.count === 0) intake.columns = columns;
      if (intake.arrives()) intake.keep(row);
    });
    if (intake.count === 0) intake.columns = result.columns;
  };

  /**
   * Fetches in the same way, then has the server move past the rows beyond the limit: they are counted and never sent.
   * Only a named cursor can be moved.
   */
  const fetchAndCount = async (statement: Statement, intake: Intake<Column>) => {
    const sql = `declare plumbline_rows no scroll cursor for ${statement.sql}`;
    const declared = client.unsafe(sql, [...statement.parameters], oneStatement).execute();
    const nextBatch = () => Math.min(intake.limits.maxRows + 1 - intake.kept, batchRows);
    const fetchBatch = async (wanted: number) => {
      const fetched = await client
        .unsafe<Record<string, Cell>[]>(`fetch forward ${wanted} from plumbline_rows`, [], oneStatement)
        .values()
        .forEach((row) => {
          if (intake.arrives()) intake.keep(row);
        });
      intake.columns = fetched.columns;
      return fetched.count === wanted;
    };
    // Sent along: without its cursor, it fails as well, and says nothing new.
    const first = fetchBatch(nextBatch());
    first.catch(() => {});
    await declared;
    for (let mayBeMore = await first; mayBeMore && !intake.isTruncated; )
      mayBeMore = await fetchBatch(nextBatch());
    if (intake.isTruncated) intake.count += (await client.unsafe("move forward all in plumbline_rows")).count;
  };

  const driver: Driver<Column, Inquiry | null> = {
    link,
    socket,
    maxParameters,
    begin: async ({ timeoutMs }, inquiry = null) => {
      const statements = ["begin read only", settingsFor(timeoutMs), ...(inquiry ? [inquiry.sql] : [])];
      // Sent right away, before what the caller sends next.
      const [, , facts = []] = await client.unsafe<Answer[]>(statements.join("; ")).execute();
      inquiry?.accept(facts);
    },
    fetch: async (statement, intake) => {
      await (intake.limits.countAll ? fetchAndCount : fetchBatches)(statement, intake);
      return "complete";
    },
    describe: async (columns) => {
      const names = await namesOfTypes(
        columns.map(({ type }) => type),
        (sql, oids) =>
          link.isAlive ? link.within(housekeepingMs, client.unsafe(sql, [oids])) : Promise.resolve([]),
      );
      return columns.map(({ name }, position) => ({ name, type: names[position] ?? "unknown" }));
    },
    cancel: async () => {
      // The protocol requires a separate connection.
      const request = Buffer.alloc(16);
      request.writeInt32BE(16, 0);
      request.writeInt32BE(80877102, 4);
      request.writeUInt32BE(backend.pid, 8);
      request.writeInt32BE(backend.secret | 0, 12);
      const messenger = await dial(target, cutAfterMs);
      messenger.end(request);
      messenger.resume();
    },
    end: async () => {
      await Promise.all([client.unsafe("rollback").execute(), client.unsafe("discard all").execute()]);
    },
    ping: async () => client.unsafe("select 1"),
    // It limits each statement, and counting takes several.
    enforcesTimeLimit: ({ countAll }) => !countAll,
    pipelines: true,
    cancelsApart: true,
    isServerError,
    isStop: (error) => sqlStateOf(error) === "57014",
    failure: statementFailure,
  };
  return guardedRead(driver);
}

/** A query, not SET: after a query the transaction can no longer be made writable. */
function settingsFor(timeoutMs: Limits["timeoutMs"]): string {
  const limit = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2_000_000_000);
  const settings = {
    statement_timeout: limit,
    // If this process dies, the server forgets the transaction by itself.
    idle_in_transaction_session_timeout: limit + housekeepingMs,
    TimeZone: "UTC",
    DateStyle: "ISO, YMD",
    IntervalStyle: "postgres",
    bytea_output: "hex",
    extra_float_digits: 1,
    // Cursors are nearly always fetched to the end.
    cursor_tuple_fraction: 1,
    // Smaller tables are read in a moment, and to start workers for them costs more than it saves (default: 8MB).
    min_parallel_table_scan_size: "64MB",
    standard_conforming_strings: "on",
  };
  const calls = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`,
  );
  return `select ${calls.join(", ")}`;
}

/** Signs in with the driver, on our socket. */
async function signIn(target: ConnectionWithPassword) {
  const socket = await dial(target, connectTimeoutMs).catch((error) => {
    throw namingCa(loginFailure(error), target);
  });
  let handedOver = false;
  const options: postgres.Options<typeof types> & { socket: () => Promise<Socket> } = {
    // We supply the socket, so this is only a label. Every option is set, because the driver fills gaps from PG*
    // variables.
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
      if (handedOver || socket.destroyed)
        throw new SourceError("unreachable", "The host closed the connection; it may not be PostgreSQL");
      handedOver = true;
      return socket;
    },
  };
  const client = postgres(options);
  const link = new Link(() => {
    socket.destroy();
    void client.end({ timeout: 0 }).catch(() => {});
  });
  try {
    const answer = await link.within(
      connectTimeoutMs,
      client.unsafe<{ version: string }[]>("select pg_catalog.version() as version"),
    );
    const refusal = relativeIn(answer[0]?.version ?? "")?.refusal;
    if (refusal) throw new SourceError("unreachable", refusal);
    // Only now: until then the driver knows better why it was closed.
    socket.once("close", () => link.breaks({ code: "CONNECTION_CLOSED" }));
    return { client, link, socket, backend: { pid: answer.state.pid, secret: answer.state.secret } };
  } catch (error) {
    link.drop();
    throw loginFailure(error);
  }
}
