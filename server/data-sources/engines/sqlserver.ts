import { sqlserver as dialect } from "../dialects/sqlserver.ts";
import {
  type Cell,
  type ConnectionWithPassword,
  type DatabaseEngine,
  isSourceError,
  type Limits,
  type Session,
  type Source,
  type SourceOptions,
  type Statement,
} from "./engine.ts";
import { type Borrowed, inTurn, Pool } from "./pool.ts";
import { schemaOf } from "./schema-tree.ts";
import type { SqlServerConnection } from "./sqlserver/connection.ts";
import { FunctionRules } from "./sqlserver/functions.ts";
import { requireReadOnly } from "./sqlserver/gate.ts";
import { columnsQuery } from "./sqlserver/introspect.ts";
import { canWriteQuery, isOlderThan2016, versionName, versionQuery } from "./sqlserver/login-rights.ts";

const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};

/** For the query that finds user-defined functions, with one row per name. */
const inquiryLimits: Limits = { timeoutMs: 10_000, maxRows: 1_000, maxBytes: 1024 * 1024 };

export const sqlserver: DatabaseEngine = {
  kind: "SqlServer",
  dialect,
  open,
};

function open(
  target: ConnectionWithPassword,
  { allowedFunctions, projectId = null }: SourceOptions = {},
): Source {
  // The driver is large, so it is loaded on the first connection to such a server.
  const connect = async () => (await import("./sqlserver/connection.ts")).connect({ ...target, projectId });
  const pool = new Pool(connect);
  const functions = new FunctionRules(allowedFunctions);
  const asking = (borrow: Borrowed<SqlServerConnection>, signal?: AbortSignal) => async (sql: string) =>
    (await (await borrow()).read({ sql, parameters: [] }, { ...introspectionLimits, signal })).rows;

  return {
    test: () =>
      pool.use(async (borrow) => {
        const ask = asking(borrow);
        const [version = []] = await ask(versionQuery);
        const canWrite = await asked(ask(canWriteQuery));
        return {
          serverVersion: nameOf(version),
          ...(canWrite && { canWrite: canWrite[0]?.[0] === 1 }),
          ...(isTooOld(version) && { message: tooOld }),
        };
      }),
    introspect: (signal) => pool.use(async (borrow) => schemaOf(await asking(borrow, signal)(columnsQuery))),
    gate: (sql) => {
      requireReadOnly(sql);
      functions.inquiryOn(sql);
    },
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, functions))),
    close: async () => pool.close(),
  };
}

/** null if only this question fails, which does not mean that the connection does. */
async function asked<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isSourceError(error) && (error.kind === "statement" || error.kind === "timeout")) return null;
    throw error;
  }
}

const tooOld =
  "SQL Server 2016 or newer is required: freshness rules and suggestions do not work with this version";
const isTooOld = ([version, edition]: readonly Cell[]) => isOlderThan2016(String(version), Number(edition));

const nameOf = ([version, edition]: readonly Cell[]) => versionName(String(version), Number(edition));

function sessionOn(borrow: Borrowed<SqlServerConnection>, functions: FunctionRules): Session {
  const next = inTurn(borrow);
  /** If the gates reject a statement, nothing of it is sent; a catalog query, if needed, runs before it. */
  const pass = ({ sql, sqlAcrossCollations, ownSql = false }: Statement) => {
    requireReadOnly(sql);
    if (sqlAcrossCollations) requireReadOnly(sqlAcrossCollations);
    const inquiry = ownSql ? null : functions.inquiryOn(sql);
    return async (connection: SqlServerConnection) => {
      if (inquiry) inquiry.accept((await connection.read(inquiry.statement, inquiryLimits)).rows);
    };
  };
  return {
    async read(statement, limits) {
      const ask = pass(statement);
      return next(async (connection) => {
        await ask(connection);
        return connection.read(statement, limits);
      });
    },
    async check(statement, limits) {
      const ask = pass(statement);
      await next(async (connection) => {
        await ask(connection);
        await connection.describe(statement, limits);
      });
      // Describing a statement does not include its plan, and few logins have the right to see plans.
      return { scans: true };
    },
  };
}
