import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { Connection, Request, TYPES } from "tedious";
import { dial } from "../dial.ts";
import {
  type Cell,
  type ConnectionWithPassword,
  type Limits,
  type Parameter,
  type ResultSet,
  SourceError,
  type Statement,
} from "../engine.ts";
import type { Pooled } from "../pool.ts";
import { sizeOf } from "../row-size.ts";
import { declarationOf, describing } from "./describe.ts";
import { readValuesExactly } from "./exact-values.ts";
import {
  isAboutTablesInMemory,
  isFaultOfStatement,
  isOfTwoCollations,
  isServersWord,
  loginFailure,
  statementFailure,
} from "./failures.ts";
import { partsOfServer, portOfInstance } from "./instance-port.ts";
import { cellOf, type Described, typeNameOf } from "./values.ts";

const connectTimeoutMs = 10_000;
/** For what takes no time on a server that is alive: beginning, rolling back, resetting, a sign of life. */
const housekeepingMs = 10_000;
/** A statement that is cancelled is gone when the server says so; when it does not say it, the connection is cut. */
const cutAfterMs = 5_000;
/** What may arrive beyond the limit, as the rest of a row, before the connection is cut. */
const overshootBytes = 4 * 1024 * 1024;
const watchEveryMs = 20;
/** A description has a row for each column, which nobody reads. */
const descriptionLimits = { maxRows: 0, maxBytes: 1024 * 1024, countAll: true };
/** The server takes no more in one call. */
const maxParameters = 2000;

export type SqlServerConnection = Pooled & {
  /**
   * One statement in a transaction of its own, which is always rolled back: there are no read-only ones. Throws
   * SourceError.
   */
  read(statement: Statement, limits: Limits): Promise<ResultSet>;
  /** Has the server look at one statement without running it. Throws SourceError for what is wrong with it. */
  describe(statement: Statement, limits: Pick<Limits, "timeoutMs">): Promise<void>;
};

type Done = (error?: Error | null) => void;

/**
 * Signs in on a connection of its own. Once anything but an ordinary refusal has happened it is dropped, not
 * mended.
 */
export async function connect(target: ConnectionWithPassword): Promise<SqlServerConnection> {
  readValuesExactly();
  const { driver, socket, isAlive, drop: hangUp, broken } = await signIn(target);

  const drop = () => {
    // Cutting the wire ends what runs, but being told is faster.
    if (isAlive()) driver.cancel();
    hangUp();
  };

  /** Waits no longer than that for the server; then the connection is beyond trust. */
  const within = async (milliseconds: number, start: (done: Done) => void): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new SourceError("unreachable", "The server stopped answering"));
        drop();
      }, milliseconds);
    });
    const answer = new Promise<void>((resolve, reject) => {
      start((error) => (error ? reject(error) : resolve()));
    });
    try {
      await Promise.race([answer, late, broken]);
    } finally {
      clearTimeout(timer);
    }
  };

  /**
   * Leaves the connection as it was after the login: no transaction, setting, lock or temporary table. The server
   * may have ended the transaction by itself, so a rollback may fail; the reset may not.
   */
  const cleanUp = async () => {
    await within(housekeepingMs, (done) => driver.rollbackTransaction(done)).catch(() => {});
    await within(housekeepingMs, (done) => driver.reset(done));
  };

  /**
   * Rows as they come in. Whoever has enough has the rest cancelled, and the answer waits until it is; or counts
   * them.
   */
  const fetch = (statement: Statement, limits: Limits) =>
    new Promise<ResultSet>((resolve, reject) => {
      const rows: Cell[][] = [];
      let columns: readonly Described[] | null = null;
      let bytes = 0;
      let count = 0;
      let truncated = false;
      let isTooLarge = false;
      const { countAll = false } = limits;
      let receivable = socket.bytesRead + limits.maxBytes + overshootBytes;
      // The driver would collect a value of a gigabyte before it shows it.
      const watch = setInterval(() => {
        if (socket.bytesRead <= receivable || (truncated && !countAll)) return;
        truncated = true;
        isTooLarge = rows.length === 0 || countAll;
        drop();
      }, watchEveryMs);

      const request = new Request(textOf(statement.sql), (error) => {
        clearInterval(watch);
        if (isTooLarge)
          return reject(new SourceError("statement", "A row of the result is too large to be read"));
        // What was left on purpose ends with an error of its own.
        if (error && (!truncated || countAll)) return reject(error);
        const described = columns ?? [];
        resolve({
          columns: described.map((column) => ({ name: column.colName, type: typeNameOf(column) })),
          rows,
          truncated,
          rowCount: countAll ? count : rows.length,
        });
      });
      request.on("columnMetadata", (described) => {
        if (Array.isArray(described)) columns ??= described;
      });
      request.on("row", (row: { value: unknown; metadata: Described }[]) => {
        count++;
        // When all are counted, it is a single row that would have to be held.
        if (countAll) receivable = socket.bytesRead + limits.maxBytes + overshootBytes;
        if (truncated) return;
        const cells = row.map(({ value, metadata }) => cellOf(value, metadata));
        bytes += sizeOf(cells);
        truncated = rows.length >= limits.maxRows || bytes > limits.maxBytes;
        if (!truncated) rows.push(cells);
        else if (!countAll) request.cancel();
      });
      statement.parameters.forEach((value, index) => {
        const { type, bound, length } = boundAs(value);
        request.addParameter(`p${index + 1}`, type, bound, length === undefined ? null : { length });
      });
      driver.execSql(request);
    });

  /** `isAlone`: outside of a transaction, of which tables in memory allow none that somebody has begun. */
  const run = async (statement: Statement, limits: Limits, isAlone = false): Promise<ResultSet> => {
    if (statement.parameters.length > maxParameters)
      throw new SourceError("refused", "The statement has too many parameters");
    if (!isAlive()) throw new SourceError("unreachable", "The connection broke");
    let cancelled = false;
    const startedAt = performance.now();
    const timedOut = () => {
      const seconds = limits.timeoutMs / 1000;
      return new SourceError("timeout", `The statement took longer than ${seconds} s and was cancelled`);
    };
    const timers: NodeJS.Timeout[] = [];
    try {
      if (!isAlone) await within(housekeepingMs, (done) => driver.beginTransaction(done));
      // The driver's own limit ends with the first row that arrives, so it is not used.
      const late = new Promise<never>((_, reject) => {
        const cancel = () => {
          cancelled = true;
          driver.cancel();
        };
        const cut = () => {
          reject(timedOut());
          drop();
        };
        timers.push(setTimeout(cancel, limits.timeoutMs), setTimeout(cut, limits.timeoutMs + cutAfterMs));
      });
      return await Promise.race([fetch(statement, limits), late, broken]);
    } catch (error) {
      const isCancelled = cancelled && performance.now() - startedAt >= limits.timeoutMs;
      if (isCancelled) throw timedOut();
      if (!isServersWord(error)) drop();
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      if (isAlive()) await cleanUp().catch(drop);
    }
  };

  /** Runs a statement, and once more where the server says how it would have it instead. */
  const runAsServerWants = async (statement: Statement, limits: Limits): Promise<ResultSet> => {
    const until = performance.now() + limits.timeoutMs;
    const left = () => ({ ...limits, timeoutMs: Math.max(1, Math.ceil(until - performance.now())) });
    try {
      return await run(statement, limits);
    } catch (error) {
      const { sqlAcrossCollations: sql } = statement;
      if (sql && isOfTwoCollations(error))
        return runAsServerWants({ ...statement, sql, sqlAcrossCollations: undefined }, left());
      // The gate has let only a reading statement through, so that there would be nothing to roll back.
      if (isAboutTablesInMemory(error)) return run(statement, left(), true);
      throw error;
    }
  };

  return {
    alive: isAlive,
    answers: () =>
      within(housekeepingMs, (done) => driver.execSqlBatch(new Request("select 1", done))).then(
        () => true,
        () => false,
      ),
    drop,
    read: (statement, limits) =>
      runAsServerWants(statement, limits).catch((error) => {
        throw statementFailure(error);
      }),
    describe: (statement, { timeoutMs }) =>
      run(describing(statement), { ...descriptionLimits, timeoutMs }).then(
        () => {},
        (error) => {
          if (statement.sqlAcrossCollations && isOfTwoCollations(error)) return;
          // Without a number it is the connection or the time limit that ended it.
          const isAboutDescribing = isServersWord(error) && !isFaultOfStatement(error);
          if (!isAboutDescribing) throw statementFailure(error);
        },
      ),
  };
}

/**
 * How long a statement waits for rows that a writer has locked: not until its whole time is gone, and always the
 * same, because the server keeps a plan for each text.
 */
const lockMs = 10_000;

/** Settings and statement in one text: what is set in it ends with it. On one line, so that lines keep their number. */
const textOf = (sql: string) =>
  `set nocount on; set deadlock_priority low; set lock_timeout ${lockMs}; ${sql}`;

function boundAs(value: Parameter) {
  const declaration = declarationOf(value);
  if (declaration === "bit") return { type: TYPES.Bit, bound: value };
  if (declaration === "bigint") return { type: TYPES.BigInt, bound: BigInt(Number(value)) };
  if (declaration === "float") return { type: TYPES.Float, bound: value };
  const length = declaration === "nvarchar(max)" ? undefined : 4000;
  return { type: TYPES.NVarChar, bound: value, length };
}

/** The driver signed in, on a socket that is ours. */
async function signIn({ host: server, ...login }: ConnectionWithPassword) {
  const { host, instance } = partsOfServer(server);
  const port =
    instance === null
      ? login.port
      : await portOfInstance({ host, instance }, { timeoutMs: connectTimeoutMs });
  const target = { ...login, host, port };
  let socket: Socket | undefined;
  let isEncrypted = false;
  const numbers: number[] = [];

  const driver = new Connection({
    server: target.host,
    authentication: { type: "default", options: { userName: target.user, password: target.password } },
    options: {
      port: target.port,
      database: target.database,
      appName: "Plumbline",
      connectTimeout: connectTimeoutMs,
      cancelTimeout: cutAfterMs,
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      encrypt: target.ssl,
      trustServerCertificate: target.ssl ? (target.trustServerCertificate ?? false) : true,
      cryptoCredentialsDetails: { minVersion: "TLSv1.2" },
      useUTC: true,
      useColumnNames: false,
      rowCollectionOnDone: false,
      rowCollectionOnRequestCompletion: false,
      // A server may send its callers on to another one, once they are known.
      connector: async () => {
        const { server, port } = driver.routingData ?? { server: target.host, port: target.port };
        socket = await dial({ host: server, port }, connectTimeoutMs, async (plain) => plain);
        return socket;
      },
    },
  });

  let alive = true;
  let breakOff: (error: unknown) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    breakOff = (error) => {
      alive = false;
      reject(error);
    };
  });
  broken.catch(() => {});
  driver.on("error", breakOff);
  driver.on("end", () => breakOff({ code: "CONNECTION_CLOSED" }));
  driver.on("errorMessage", ({ number }) => {
    if (alive && numbers.length < 10) numbers.push(number);
  });
  driver.on("secure", () => {
    isEncrypted = true;
  });
  const drop = () => {
    alive = false;
    driver.close();
    socket?.destroy();
  };

  // The driver would go on in the clear with a server that does not offer TLS, and tell it the password.
  const sendLogin = driver.sendLogin7Packet.bind(driver);
  driver.sendLogin7Packet = () => {
    if (target.ssl && !isEncrypted)
      throw new SourceError(
        "unreachable",
        "The server does not offer TLS: switch SSL off, or on at the server",
      );
    isEncrypted = false;
    sendLogin();
  };

  try {
    await new Promise<void>((resolve, reject) => {
      driver.connect((error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    drop();
    throw loginFailure(error, numbers);
  }
  if (!socket) throw new Error("The driver connected without a socket");
  return { driver, socket, broken, drop, isAlive: () => alive };
}
