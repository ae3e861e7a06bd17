import type {
  Cell,
  ConnectionWithPassword,
  Engine,
  Limits,
  Session,
  Source,
  SourceOptions,
} from "./engine.ts";
import { type Borrowed, Pool } from "./pool.ts";
import { schemaOf } from "./schema-tree.ts";
import { connect, type SqlServerConnection } from "./sqlserver/connection.ts";
import { refuseUnlessReading } from "./sqlserver/gate.ts";
import { columnsQuery } from "./sqlserver/introspect.ts";
import { canWriteQuery, versionName, versionQuery } from "./sqlserver/login-rights.ts";

const maxConnections = 3;
const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};

export const sqlserver: Engine = {
  kind: "SqlServer",
  label: "SQL Server",
  dialect: "sqlserver",
  defaultPort: 1433,
  // There are no read-only transactions; what a statement did is rolled back.
  capabilities: { contracts: true, readOnlyTransactions: false, requests: false },
  defaultSchema: () => "dbo",
  quote: (identifier) => `[${identifier.replaceAll("]", "]]")}]`,
  placeholder: (position) => `@p${position}`,
  open,
};

function open(target: ConnectionWithPassword, { allowedFunctions = [] }: SourceOptions = {}): Source {
  const pool = new Pool(() => connect(target), maxConnections);
  const asking = (borrow: Borrowed<SqlServerConnection>) => async (sql: string) =>
    (await (await borrow()).read({ sql, parameters: [] }, introspectionLimits)).rows;

  return {
    test: () =>
      pool.use(async (borrow) => {
        const ask = asking(borrow);
        const [version = []] = await ask(versionQuery);
        return { serverVersion: nameOf(version), canWrite: (await ask(canWriteQuery))[0]?.[0] === 1 };
      }),
    introspect: () => pool.use(async (borrow) => schemaOf(await asking(borrow)(columnsQuery))),
    gate: (sql) => refuseUnlessReading(sql, allowedFunctions),
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, allowedFunctions))),
    close: async () => pool.close(),
  };
}

const nameOf = ([version, edition]: readonly Cell[]) => versionName(String(version), Number(edition));

/** Statements of one session follow each other, however they are asked for. */
function sessionOn(borrow: Borrowed<SqlServerConnection>, allowedFunctions: readonly string[]): Session {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (connection: SqlServerConnection) => Promise<T>) => {
    const result = last.then(async () => work(await borrow()));
    last = result.catch(() => {});
    return result;
  };
  return {
    async read(statement, limits) {
      refuseUnlessReading(statement.sql, allowedFunctions);
      return inTurn((connection) => connection.read(statement, limits));
    },
    async check(statement, limits) {
      refuseUnlessReading(statement.sql, allowedFunctions);
      await inTurn((connection) => connection.describe(statement, limits));
      // A description says nothing of the plan, and to be shown plans is a right that few logins have.
      return { scans: true };
    },
  };
}
