import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { createConnection } from "mysql2";
import {
  type Cell,
  type ConnectionWithPassword,
  type Limits,
  type ResultSet,
  SourceError,
  type Statement,
} from "../engine.ts";
import { fieldsOf } from "../failures.ts";
import type { Pooled } from "../pool.ts";
import { sizeOf } from "../row-size.ts";
import { dial } from "./dial.ts";
import { isInterruption, isServersWord, isTimeout, loginFailure, statementFailure } from "./failures.ts";
import { cellOf, type Described, typeNameOf } from "./values.ts";

const connectTimeoutMs = 10_000;
/** For what takes no time on a server that is alive: beginning, rolling back, a sign of life. */
const housekeepingMs = 10_000;
/** The server cancels by itself at the limit; when it does not, it is asked to, and then the connection is cut. */
const cancelAfterMs = 500;
const cutAfterMs = 5_000;
/** What may arrive beyond the limit, as the rest of a row, before the connection is cut. */
const overshootBytes = 4 * 1024 * 1024;
/** The protocol counts parameters in 16 bits. */
const maxParameters = 65_535;
/**
 * The same on every server, so that quotes, backslashes and types mean what the gate and the rules take them for:
 * neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES.
 */
const sqlMode = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";

export type MysqlConnection = Pooled & {
  /** As the server says it: "10.11.6-MariaDB-0+deb12u1", "8.4.2". */
  version: string;
  isMariaDb: boolean;
  /** One statement in a read-only transaction of its own, which is always rolled back. Throws SourceError. */
  read(statement: Statement, limits: Limits): Promise<ResultSet>;
  /** A statement of our own that a reading transaction would not take. It may change the session. */
  ask(sql: string): Promise<Cell[][]>;
};

/**
 * Signs in on a connection of its own. Once anything but an ordinary refusal has happened it is dropped, not
 * mended.
 */
export async function connect(target: ConnectionWithPassword): Promise<MysqlConnection> {
  const { driver, drop: hangUp, broken, stream, isAlive } = await signIn(target);

  // Counts what arrives, below the driver, which would collect a value of a gigabyte before it shows it.
  let received = 0;
  let receivable = Number.POSITIVE_INFINITY;
  stream.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > receivable) stream.destroy();
  });

  let running = false;
  let cancelled = false;

  /** Asks the server, on a connection of its own, to stop what runs on this one; which is not used again. */
  const cancel = async () => {
    cancelled = true;
    const messenger = await signIn(target);
    try {
      await within(
        cutAfterMs,
        Promise.race([query(messenger.driver, `kill query ${driver.threadId}`), messenger.broken]),
      );
    } finally {
      messenger.drop();
    }
  };

  const drop = () => {
    // Cutting the wire does not stop a statement; the server would only notice when it has a row to send.
    if (running && !cancelled) void cancel().catch(() => {});
    running = false;
    hangUp();
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
      return await Promise.race([answer, late, broken]);
    } finally {
      clearTimeout(timer);
    }
  };

  const ask = (sql: string) => within(housekeepingMs, query(driver, sql));

  const version = String(
    (
      await ask("select version()").catch((error) => {
        drop();
        throw loginFailure(error);
      })
    )[0]?.[0],
  );
  const isMariaDb = /mariadb/i.test(version);

  const begin = ({ timeoutMs, maxRows, countAll }: Limits) => {
    const limitMs = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2_000_000_000);
    const seconds = Math.ceil(limitMs / 1000);
    // A reset connection speaks the server's own character set again, so everything is said every time.
    const settings = {
      autocommit: 1,
      time_zone: "'+00:00'",
      sql_mode: `'${sqlMode}'`,
      sql_select_limit: countAll ? "default" : maxRows + 1,
      lock_wait_timeout: seconds,
      innodb_lock_wait_timeout: seconds,
      // Should this process die, the server forgets the session by itself.
      wait_timeout: 3600,
      ...(isMariaDb ? { max_statement_time: limitMs / 1000 } : { max_execution_time: limitMs }),
    };
    const assignments = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    // Both, because a statement that commits by itself would leave the transaction, but not the session's mode.
    return within(
      housekeepingMs,
      Promise.all([
        query(driver, `set names utf8mb4, ${assignments.join(", ")}`),
        query(driver, "set session transaction read only"),
        query(driver, "start transaction read only"),
      ]),
    );
  };

  /** Leaves the connection as it was after the login: no transaction, setting, lock, table or prepared statement. */
  const cleanUp = async () => {
    const reset = new Promise<void>((resolve, reject) => {
      driver.query("rollback", (error) => error && reject(error));
      driver.reset((error) => (error ? reject(error) : resolve()));
    });
    await within(housekeepingMs, reset);
  };

  /**
   * Rows as they come in. Whoever has enough leaves the rest, or counts them: `isLeft` says that the server is still
   * sending.
   */
  const fetch = (statement: Statement, limits: Limits) => {
    const rows: Cell[][] = [];
    let columns: readonly Described[] = [];
    let bytes = 0;
    let count = 0;
    let truncated = false;
    const { countAll = false } = limits;
    const receive = () => {
      receivable = received + limits.maxBytes + overshootBytes;
    };
    receive();
    const result = (isLeft: boolean) => ({
      rows,
      columns,
      truncated,
      rowCount: countAll ? count : rows.length,
      isLeft,
    });

    const arrived = new Promise<ReturnType<typeof result>>((resolve, reject) => {
      // Prepared by the server: a text holds one statement and no more, and values are no part of it.
      const command = driver.execute({
        sql: statement.sql,
        values: [...statement.parameters],
        rowsAsArray: true,
      });
      command.on("fields", (fields: Described[] | undefined) => {
        columns = fields ?? [];
      });
      command.on("result", (row: unknown) => {
        if (!Array.isArray(row)) return;
        count++;
        // When all are counted, it is a single row that would have to be held.
        if (countAll) receive();
        if (truncated && countAll) return;
        if (truncated) return resolve(result(true));
        const cells = row.map((value, position) => cellOf(value, columns[position] ?? noColumn));
        bytes += sizeOf(cells);
        truncated = rows.length >= limits.maxRows || bytes > limits.maxBytes;
        if (!truncated) rows.push(cells);
        else if (bytes > limits.maxBytes && !countAll) resolve(result(true));
      });
      command.on("error", reject);
      command.on("end", () => resolve(result(false)));
    });
    return Promise.race([arrived, broken])
      .catch((error) => {
        if (received <= receivable) throw error;
        if (rows.length === 0 || countAll)
          throw new SourceError("statement", "A row of the result is too large to be read");
        truncated = true;
        return result(true);
      })
      .finally(() => {
        receivable = Number.POSITIVE_INFINITY;
      });
  };

  const read = async (statement: Statement, limits: Limits): Promise<ResultSet> => {
    if (statement.parameters.length > maxParameters)
      throw new SourceError("refused", "The statement has too many parameters");
    if (!isAlive()) throw new SourceError("unreachable", "The connection broke");
    const startedAt = performance.now();
    const timedOut = () => {
      const seconds = limits.timeoutMs / 1000;
      return new SourceError("timeout", `The statement took longer than ${seconds} s and was cancelled`);
    };
    const timers: NodeJS.Timeout[] = [];
    try {
      await begin(limits);
      running = true;
      const late = new Promise<never>((_, reject) => {
        const cut = () => {
          reject(timedOut());
          drop();
        };
        timers.push(setTimeout(() => void cancel().catch(() => {}), limits.timeoutMs + cancelAfterMs));
        timers.push(setTimeout(cut, limits.timeoutMs + cutAfterMs));
      });
      const { columns, isLeft, ...result } = await Promise.race([fetch(statement, limits), late]);
      for (const timer of timers) clearTimeout(timer);
      if (isLeft) drop();
      running = false;
      // An interruption that is under way would meet whatever runs next.
      if (cancelled) drop();
      else if (isAlive()) await cleanUp().catch(drop);
      return {
        columns: columns.map((column) => ({ name: column.name, type: typeNameOf(column) })),
        ...result,
      };
    } catch (error) {
      for (const timer of timers) clearTimeout(timer);
      if (cancelled || !isServersWord(error)) drop();
      running = false;
      if (isAlive()) await cleanUp().catch(drop);
      const isOverdue = performance.now() - startedAt >= limits.timeoutMs;
      const wasStopped = isTimeout(error) || (cancelled && isInterruption(error));
      throw wasStopped && isOverdue ? timedOut() : statementFailure(error);
    }
  };

  return {
    version,
    isMariaDb,
    alive: isAlive,
    answers: () =>
      ask("select 1").then(
        () => true,
        () => false,
      ),
    drop,
    read,
    ask,
  };
}

const noColumn: Described = { name: "", flags: 0 };

type Driver = ReturnType<typeof createConnection>;

/** The driver signed in, on a socket that is ours. */
async function signIn(target: ConnectionWithPassword) {
  const socket = await dial(target, connectTimeoutMs).catch((error) => {
    throw loginFailure(error);
  });
  const driver = createConnection({
    stream: () => socket,
    // The socket is ours, so this only names the certificate to expect.
    host: target.host,
    port: target.port,
    user: target.user,
    password: target.password,
    database: target.database,
    connectTimeout: connectTimeoutMs,
    charset: "utf8mb4",
    ...(target.ssl && {
      ssl: {
        rejectUnauthorized: !target.trustServerCertificate,
        verifyIdentity: !target.trustServerCertificate,
        minVersion: "TLSv1.2",
      },
    }),
    // Nothing is read from files here, and a text holds one statement.
    flags: ["-LOCAL_FILES", "-MULTI_STATEMENTS", "-IGNORE_SPACE"],
    multipleStatements: false,
    // Values as the server has them: what JavaScript would round or reshape stays text.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    timezone: "Z",
    typeCast: (field, next) =>
      field.type === "GEOMETRY" || String(field.type) === "VECTOR" ? field.buffer() : next(),
    // Otherwise the driver makes code out of what the server says of its columns.
    disableEval: true,
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
  // The driver puts TLS on top of the socket, and hides why that did not work.
  const stream = () => (driver as unknown as { stream: Socket & { authorizationError?: unknown } }).stream;
  socket.once("close", () => breakOff({ code: "PROTOCOL_CONNECTION_LOST" }));
  const drop = () => {
    alive = false;
    stream().destroy();
    socket.destroy();
    driver.destroy();
  };

  const connected = new Promise<void>((resolve) => driver.once("connect", () => resolve()));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject({ code: "CONNECT_TIMEOUT" }), connectTimeoutMs);
  });
  try {
    await Promise.race([connected, broken, late]);
  } catch (error) {
    const isTls = fieldsOf(error).code === "HANDSHAKE_SSL_ERROR";
    const reason = isTls ? { code: stream().authorizationError ?? "EPROTO" } : error;
    drop();
    throw loginFailure(reason);
  } finally {
    clearTimeout(timer);
  }
  return { driver, drop, broken, stream: stream(), isAlive: () => alive };
}

function query(driver: Driver, sql: string): Promise<Cell[][]> {
  return new Promise((resolve, reject) => {
    driver.query({ sql, rowsAsArray: true }, (error, rows) => {
      if (error) reject(error);
      else resolve(Array.isArray(rows) ? (rows as Cell[][]) : []);
    });
  });
}
