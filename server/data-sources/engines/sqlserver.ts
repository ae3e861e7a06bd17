import { serverNamed } from "../server-name.ts";
import {
  type Cell,
  type ConnectionWithPassword,
  type Engine,
  isSourceError,
  type Limits,
  type Session,
  type Source,
  type SourceOptions,
  type Statement,
} from "./engine.ts";
import { type Borrowed, Pool } from "./pool.ts";
import { schemaOf } from "./schema-tree.ts";
import { connect, type SqlServerConnection } from "./sqlserver/connection.ts";
import { FunctionRules } from "./sqlserver/functions.ts";
import { refuseUnlessReading } from "./sqlserver/gate.ts";
import { columnsQuery } from "./sqlserver/introspect.ts";
import { canWriteQuery, isOlderThan2016, versionName, versionQuery } from "./sqlserver/login-rights.ts";

const maxConnections = 3;
const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};

/** For which functions are somebody's own; a row for each name. */
const inquiryLimits: Limits = { timeoutMs: 10_000, maxRows: 1_000, maxBytes: 1024 * 1024 };

export const sqlserver: Engine = {
  kind: "SqlServer",
  label: "SQL Server",
  dialect: "sqlserver",
  defaultPort: 1433,
  // As SQL Server's own tools do.
  encryptsByDefault: true,
  serverNamed,
  // There are no read-only transactions; what a statement did is rolled back.
  capabilities: { contracts: true, readOnlyTransactions: false, requests: false },
  defaultSchema: () => "dbo",
  quote: (identifier) => `[${identifier.replaceAll("]", "]]")}]`,
  placeholder: (position) => `@p${position}`,
  open,
};

function open(target: ConnectionWithPassword, { allowedFunctions }: SourceOptions = {}): Source {
  const pool = new Pool(() => connect(target), maxConnections);
  const functions = new FunctionRules(allowedFunctions);
  const asking = (borrow: Borrowed<SqlServerConnection>) => async (sql: string) =>
    (await (await borrow()).read({ sql, parameters: [] }, introspectionLimits)).rows;

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
    introspect: () => pool.use(async (borrow) => schemaOf(await asking(borrow)(columnsQuery))),
    gate: (sql) => {
      refuseUnlessReading(sql);
      functions.inquiryOn(sql);
    },
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, functions))),
    close: async () => pool.close(),
  };
}

/** null where the server does not answer that one question: it is no reason to say that the connection fails. */
async function asked<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isSourceError(error) && (error.kind === "statement" || error.kind === "timeout")) return null;
    throw error;
  }
}

const tooOld = "SQL Server 2016 or newer is needed: freshness rules and suggestions do not run on this one";
const isTooOld = ([version, edition]: readonly Cell[]) => isOlderThan2016(String(version), Number(edition));

const nameOf = ([version, edition]: readonly Cell[]) => versionName(String(version), Number(edition));

/** Statements of one session follow each other, however they are asked for. */
function sessionOn(borrow: Borrowed<SqlServerConnection>, functions: FunctionRules): Session {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (connection: SqlServerConnection) => Promise<T>) => {
    const result = last.then(async () => work(await borrow()));
    last = result.catch(() => {});
    return result;
  };
  /** Nothing is sent of what the gates refuse; where the catalog has to be asked, it is before the statement. */
  const pass = ({ sql, sqlAcrossCollations, ownSql = false }: Statement) => {
    refuseUnlessReading(sql);
    if (sqlAcrossCollations) refuseUnlessReading(sqlAcrossCollations);
    const inquiry = ownSql ? null : functions.inquiryOn(sql);
    return async (connection: SqlServerConnection) => {
      if (inquiry) inquiry.accept((await connection.read(inquiry.statement, inquiryLimits)).rows);
    };
  };
  return {
    async read(statement, limits) {
      const ask = pass(statement);
      return inTurn(async (connection) => {
        await ask(connection);
        return connection.read(statement, limits);
      });
    },
    async check(statement, limits) {
      const ask = pass(statement);
      await inTurn(async (connection) => {
        await ask(connection);
        await connection.describe(statement, limits);
      });
      // A description says nothing of the plan, and to be shown plans is a right that few logins have.
      return { scans: true };
    },
  };
}
