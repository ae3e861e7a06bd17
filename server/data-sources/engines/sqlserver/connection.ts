import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Connection, Request, TYPES } from "tedious";
import { env } from "../../../env.ts";
import { systemAssigned } from "../../connections/sql-server.ts";
import { mayUseIdentity, notListed } from "../../managed-identity-servers.ts";
import { partsOfServer } from "../../server-name.ts";
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
import { namingCa } from "../failures.ts";
import { cutAfterMs, type Driver, guardedRead } from "../guarded-read.ts";
import type { Intake } from "../intake.ts";
import { connectTimeoutMs, Link } from "../link.ts";
import type { Pooled } from "../pool.ts";
import { declarationOf, describing } from "./describe.ts";
import { cloudOf, entraToken } from "./entra-token.ts";
import { readValuesExactly } from "./exact-values.ts";
import {
  isAboutMemoryTables,
  isOfTwoCollations,
  isPassing,
  isServerError,
  isStatementError,
  loginFailure,
  statementFailure,
} from "./failures.ts";
import { portOfInstance } from "./instance-port.ts";
import { identityToken } from "./managed-identity.ts";
import { cellOf, type Described, typeNameOf } from "./values.ts";

/** A description has one row per column, which nobody reads. */
const descriptionLimits = { maxRows: 0, maxBytes: 1024 * 1024, countAll: true };
/** The server's maximum per call. */
const maxParameters = 2000;

export type SqlServerConnection = Pooled & {
  /**
   * Runs one statement in its own transaction, which is always rolled back, since there are no read-only ones. Throws
   * SourceError.
   */
  read(statement: Statement, limits: Limits): Promise<ResultSet>;
  /** Has the server validate one statement without running it. Throws SourceError for problems. */
  describe(statement: Statement, limits: Pick<Limits, "timeoutMs">): Promise<void>;
};

/** Memory-optimized tables do not allow an explicit transaction. */
type Start = { outsideTransaction: boolean };

/** Pauses before signing in again at a server that could not let anyone in at the moment. */
const pausesMs = [500, 2_000, 5_000];

/** Where tokens come from: of a service principal, and of the machine's managed identity. */
const tokens = { entraToken, identityToken };
type Target = ConnectionWithPassword & { projectId?: number | null };

/** Signs in on a new connection. */
export async function connect(
  target: Target,
  tokensFrom: Partial<typeof tokens> = {},
): Promise<SqlServerConnection> {
  readValuesExactly();
  const { client, link, socket } = await signInPatiently(target, { ...tokens, ...tokensFrom });

  const driver: Driver<Described, Start> = {
    link,
    socket,
    maxParameters,
    begin: async (_limits, { outsideTransaction } = { outsideTransaction: false }) => {
      if (!outsideTransaction) await called((done) => client.beginTransaction(done));
    },
    fetch: (statement, intake) => rowsOf(client, statement, intake),
    describe: (columns) => columns.map((column) => ({ name: column.colName, type: typeNameOf(column) })),
    cancel: async () => {
      client.cancel();
    },
    end: async () => {
      // The server may have ended the transaction by itself, so a rollback may fail; the reset may not.
      await called((done) => client.rollbackTransaction(done)).catch(() => {});
      await called((done) => client.reset(done));
    },
    ping: () => called((done) => client.execSqlBatch(new Request("select 1", done))),
    // The driver's own limit stops applying at the first row, so it is not used.
    enforcesTimeLimit: () => false,
    cancelsApart: false,
    isServerError,
    isStop: (_error, cancelled) => cancelled,
    failure: statementFailure,
  };
  const { attempt, ...pooled } = guardedRead(driver);

  /** Runs a statement, and again in a variant if the server's error calls for one. */
  const runWithFallback = async (statement: Statement, limits: Limits): Promise<ResultSet> => {
    const until = performance.now() + limits.timeoutMs;
    const left = () => ({ ...limits, timeoutMs: Math.max(1, Math.ceil(until - performance.now())) });
    try {
      return await attempt(statement, limits);
    } catch (error) {
      const { sqlAcrossCollations: sql } = statement;
      if (sql && isOfTwoCollations(error))
        return runWithFallback({ ...statement, sql, sqlAcrossCollations: undefined }, left());
      // The gate only accepts reading statements, so there would be nothing to roll back.
      if (isAboutMemoryTables(error)) return attempt(statement, left(), { outsideTransaction: true });
      throw error;
    }
  };

  return {
    ...pooled,
    read: (statement, limits) =>
      runWithFallback(statement, limits).catch((error) => {
        limits.signal?.throwIfAborted();
        throw statementFailure(error);
      }),
    describe: (statement, { timeoutMs }) =>
      attempt(describing(statement), { ...descriptionLimits, timeoutMs }).then(
        () => {},
        (error) => {
          if (statement.sqlAcrossCollations && isOfTwoCollations(error)) return;
          // Without an error number, the connection or the time limit ended it.
          const isAboutDescribing = isServerError(error) && !isStatementError(error);
          if (!isAboutDescribing) throw statementFailure(error);
        },
      ),
  };
}

type Done = (error?: Error | null) => void;

function called(start: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

/** Streams rows. Once there are enough, cancels the rest and waits for the cancellation. */
function rowsOf(client: Connection, statement: Statement, intake: Intake<Described>): Promise<"complete"> {
  return new Promise((resolve, reject) => {
    const request = new Request(textOf(statement.sql), (error) => {
      // Canceling produces an error.
      if (error && !intake.isFull) reject(error);
      else resolve("complete");
    });
    let isDescribed = false;
    request.on("columnMetadata", (described) => {
      if (!Array.isArray(described) || isDescribed) return;
      isDescribed = true;
      intake.columns = described;
    });
    request.on("row", (row: { value: unknown; metadata: Described }[]) => {
      if (!intake.arrives()) return;
      intake.keep(row.map(({ value, metadata }): Cell => cellOf(value, metadata)));
      if (!intake.isFull) return;
      intake.ignoreRest();
      request.cancel();
    });
    statement.parameters.forEach((value, index) => {
      const { type, bound, length } = boundAs(value);
      request.addParameter(`p${index + 1}`, type, bound, length === undefined ? null : { length });
    });
    client.execSql(request);
  });
}

/**
 * How long a statement waits for rows that a writer has locked: not for all of its time, and always the same, because
 * the server caches plans by text.
 */
const lockMs = 10_000;

/** Settings and statement in one batch: its settings end with it. On one line, so that line numbers stay correct. */
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

async function signInPatiently(target: Target, tokensFrom: typeof tokens) {
  const authentication = await authenticationOf(target, tokensFrom);
  for (const pauseMs of pausesMs) {
    const numbers: number[] = [];
    try {
      return await signIn(target, authentication, numbers);
    } catch (error) {
      if (!isPassing(numbers)) throw error;
      await pause(pauseMs);
    }
  }
  return signIn(target, authentication, []);
}

/** The machine's identity or a service principal by a token, a Windows account by NTLM if there is a domain, or a login of the server. */
async function authenticationOf(
  { host, database, user, password, sqlServer, projectId = null }: Target,
  { entraToken, identityToken }: typeof tokens,
) {
  const { domain, entraTenant: tenant, managedIdentity = false } = sqlServer ?? {};
  const byToken = (token: string) =>
    ({ type: "azure-active-directory-access-token", options: { token } }) as const;
  if (managedIdentity) {
    // Asked again each time: what an operator allows may have changed since the data source was saved.
    if (!mayUseIdentity({ host, database }, projectId, env().MANAGED_IDENTITY_SERVERS))
      throw new SourceError("unreachable", `A data source with a managed identity ${notListed}`);
    return byToken(await identityToken(user === systemAssigned ? null : user, cloudOf(host)));
  }
  if (tenant !== undefined) return byToken(await entraToken({ tenant, user, password }, cloudOf(host)));
  return domain === undefined
    ? ({ type: "default", options: { userName: user, password } } as const)
    : ({ type: "ntlm", options: { userName: user, password, domain } } as const);
}
type Authentication = Awaited<ReturnType<typeof authenticationOf>>;

/** Signs in with the driver, on our socket; `numbers` gets those of the server's messages. */
async function signIn(
  { host: server, ...login }: ConnectionWithPassword,
  authentication: Authentication,
  numbers: number[],
) {
  const { host, instance } = partsOfServer(server);
  const port =
    instance === null
      ? login.port
      : await portOfInstance({ host, instance }, { timeoutMs: connectTimeoutMs });
  const target = { ...login, host, port };
  let socket: Socket | undefined;
  const isStrict = target.sqlServer?.strictEncryption ?? false;
  let isEncrypted = false;

  const client = new Connection({
    server: target.host,
    authentication,
    options: {
      port: target.port,
      database: target.database,
      appName: "Plumbline",
      connectTimeout: connectTimeoutMs,
      cancelTimeout: cutAfterMs,
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      encrypt: isStrict ? "strict" : target.ssl,
      readOnlyIntent: target.sqlServer?.readOnlyIntent ?? false,
      trustServerCertificate: target.ssl ? (target.trustServerCertificate ?? false) : true,
      cryptoCredentialsDetails: {
        minVersion: "TLSv1.2",
        ...(target.caCertificate && { ca: target.caCertificate }),
      },
      useUTC: true,
      useColumnNames: false,
      rowCollectionOnDone: false,
      rowCollectionOnRequestCompletion: false,
      // A server may redirect clients to another one after login.
      connector: async () => {
        const { server, port } = client.routingData ?? { server: target.host, port: target.port };
        socket = await dial({ host: server, port }, connectTimeoutMs, async (plain) => plain);
        return socket;
      },
    },
  });

  const link = new Link(() => {
    client.close();
    socket?.destroy();
  });
  client.on("error", (error) => link.breaks(error));
  client.on("end", () => link.breaks({ code: "CONNECTION_CLOSED" }));
  client.on("errorMessage", ({ number }) => {
    if (link.isAlive && numbers.length < 10) numbers.push(number);
  });
  client.on("secure", () => {
    isEncrypted = true;
  });

  // If the server does not offer TLS, the driver would send the password unencrypted.
  const sendLogin = client.sendLogin7Packet.bind(client);
  client.sendLogin7Packet = () => {
    if (target.ssl && !isStrict && !isEncrypted)
      throw new SourceError(
        "unreachable",
        "The server does not offer TLS: turn off SSL here, or turn it on at the server",
      );
    isEncrypted = false;
    sendLogin();
  };

  try {
    await new Promise<void>((resolve, reject) => {
      client.connect((error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    link.drop();
    throw namingCa(loginFailure(error, numbers), login);
  }
  if (!socket) throw new Error("The driver connected without a socket");
  return { client, link, socket };
}
