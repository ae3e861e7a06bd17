import type { Socket } from "node:net";
import { createConnection } from "mysql2";
import type { Cell, ConnectionWithPassword, Limits, Statement } from "../engine.ts";
import { fieldsOf, namingCa } from "../failures.ts";
import { cutAfterMs, type Driver, type GuardedRead, guardedRead, housekeepingMs } from "../guarded-read.ts";
import type { Intake } from "../intake.ts";
import { connectTimeoutMs, Link } from "../link.ts";
import { dial } from "./dial.ts";
import { isInterruption, isServerError, isTimeout, loginFailure, statementFailure } from "./failures.ts";
import { cellOf, type Described, typeNameOf } from "./values.ts";

/** The protocol counts parameters in 16 bits. */
const maxParameters = 65_535;
/**
 * The same on every server, so that quotes, backslashes, and types mean what the gate and the rules assume: neither
 * ANSI_QUOTES nor NO_BACKSLASH_ESCAPES.
 */
const sqlMode = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";

export type MysqlConnection = GuardedRead & {
  /** As reported by the server: "10.11.6-MariaDB-0+deb12u1", "8.4.2". */
  version: string;
  isMariaDb: boolean;
  /** Runs one of our own statements that a read-only transaction would not accept. It may change the session. */
  ask(sql: string): Promise<Cell[][]>;
};

/** Signs in on a new connection. */
export async function connect(target: ConnectionWithPassword): Promise<MysqlConnection> {
  const { client, link, stream } = await signIn(target);
  const ask = (sql: string) => link.within(housekeepingMs, query(client, sql));

  const [[said] = []] = await ask("select version()").catch((error) => {
    link.drop();
    throw loginFailure(error);
  });
  const version = String(said);
  const isMariaDb = /mariadb/i.test(version);

  const driver: Driver<Described> = {
    link,
    socket: stream,
    maxParameters,
    begin: async (limits) => {
      // Both, because a statement with an implicit commit would leave the transaction, but not the session's mode.
      await Promise.all([
        query(client, settingsFor(limits, isMariaDb)),
        query(client, "set session transaction read only"),
        query(client, "start transaction read only"),
      ]);
    },
    fetch: (statement, intake) => rowsOf(client, statement, intake),
    describe: (columns) => columns.map((column) => ({ name: column.name, type: typeNameOf(column) })),
    cancel: async () => {
      const messenger = await signIn(target);
      try {
        await messenger.link.within(cutAfterMs, query(messenger.client, `kill query ${client.threadId}`));
      } finally {
        messenger.link.drop();
      }
    },
    end: () =>
      new Promise<void>((resolve, reject) => {
        client.query("rollback", (error) => error && reject(error));
        client.reset((error) => (error ? reject(error) : resolve()));
      }),
    ping: () => query(client, "select 1"),
    enforcesTimeLimit: () => true,
    cancelsApart: true,
    isServerError,
    isStop: (error, cancelled) => isTimeout(error) || (cancelled && isInterruption(error)),
    failure: statementFailure,
  };
  return { ...guardedRead(driver), version, isMariaDb, ask };
}

/** A reset connection uses the server's default character set again, so all settings are sent every time. */
function settingsFor({ timeoutMs, maxRows, countAll }: Limits, isMariaDb: boolean): string {
  const limitMs = Math.min(Math.max(1, Math.ceil(timeoutMs)), 2_000_000_000);
  const seconds = Math.ceil(limitMs / 1000);
  const settings = {
    autocommit: 1,
    time_zone: "'+00:00'",
    sql_mode: `'${sqlMode}'`,
    sql_select_limit: countAll ? "default" : maxRows + 1,
    lock_wait_timeout: seconds,
    innodb_lock_wait_timeout: seconds,
    // If this process dies, the server forgets the session by itself.
    wait_timeout: 3600,
    ...(isMariaDb ? { max_statement_time: limitMs / 1000 } : { max_execution_time: limitMs }),
  };
  const assignments = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return `set names utf8mb4, ${assignments.join(", ")}`;
}

/** Streams rows. The protocol has no way to stop early. */
function rowsOf(
  client: Client,
  statement: Statement,
  intake: Intake<Described>,
): Promise<"complete" | "abandoned"> {
  return new Promise((resolve, reject) => {
    // Prepared by the server: a text contains exactly one statement, and values are not part of it.
    const command = client.execute({
      sql: statement.sql,
      values: [...statement.parameters],
      rowsAsArray: true,
    });
    command.on("fields", (fields: Described[] | undefined) => {
      intake.columns = fields ?? [];
    });
    command.on("result", (row: unknown) => {
      if (!Array.isArray(row)) return;
      const wasFull = intake.isFull;
      if (intake.arrives())
        intake.keep(row.map((value, position) => cellOf(value, intake.columns[position] ?? noColumn)));
      // The server sends only one row more than needed; it knows nothing of byte limits.
      if (wasFull || (intake.isFull && intake.exceedsBytes)) resolve("abandoned");
    });
    command.on("error", reject);
    command.on("end", () => resolve("complete"));
  });
}

const noColumn: Described = { name: "", flags: 0 };

type Client = ReturnType<typeof createConnection>;

/** Signs in with the driver, on our socket. */
async function signIn(target: ConnectionWithPassword) {
  const socket = await dial(target, connectTimeoutMs).catch((error) => {
    throw namingCa(loginFailure(error), target);
  });
  const client = createConnection({
    stream: () => socket,
    // We supply the socket, so this only names the expected certificate.
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
        ...(target.caCertificate && { ca: target.caCertificate }),
        minVersion: "TLSv1.2",
      },
    }),
    // No local files, and one statement per text.
    flags: ["-LOCAL_FILES", "-MULTI_STATEMENTS", "-IGNORE_SPACE"],
    multipleStatements: false,
    // Values as the server has them: what JavaScript would round or convert stays text.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    timezone: "Z",
    typeCast: (field, next) =>
      field.type === "GEOMETRY" || String(field.type) === "VECTOR" ? field.buffer() : next(),
    // Otherwise the driver generates code from the server's column descriptions.
    disableEval: true,
  });

  // The driver adds TLS on top of the socket, and hides why that failed.
  const stream = () => (client as unknown as { stream: Socket & { authorizationError?: unknown } }).stream;
  const link = new Link(() => {
    stream().destroy();
    socket.destroy();
    client.destroy();
  });
  client.on("error", (error) => link.breaks(error));
  socket.once("close", () => link.breaks({ code: "PROTOCOL_CONNECTION_LOST" }));

  const connected = new Promise<void>((resolve) => client.once("connect", () => resolve()));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject({ code: "CONNECT_TIMEOUT" }), connectTimeoutMs);
  });
  try {
    await link.unlessBroken(Promise.race([connected, late]));
  } catch (error) {
    const isTls = fieldsOf(error).code === "HANDSHAKE_SSL_ERROR";
    const reason = isTls ? { code: stream().authorizationError ?? "EPROTO" } : error;
    link.drop();
    throw namingCa(loginFailure(reason), target);
  } finally {
    clearTimeout(timer);
  }
  return { client, link, stream: stream() };
}

function query(client: Client, sql: string): Promise<Cell[][]> {
  return new Promise((resolve, reject) => {
    client.query({ sql, rowsAsArray: true }, (error, rows) => {
      if (error) reject(error);
      else resolve(Array.isArray(rows) ? (rows as Cell[][]) : []);
    });
  });
}
