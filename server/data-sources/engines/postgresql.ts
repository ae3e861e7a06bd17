import type {
  Cell,
  ConnectionWithPassword,
  Engine,
  Limits,
  Session,
  Source,
  SourceOptions,
  Statement,
} from "./engine.ts";
import { type Borrowed, Pool } from "./pool.ts";
import { connect, type PostgresConnection } from "./postgresql/connection.ts";
import { FunctionRules, type Inquiry } from "./postgresql/functions.ts";
import { refuseUnlessReading } from "./postgresql/gate.ts";
import { schemaQuery } from "./postgresql/introspect.ts";
import { loginRightsQuery } from "./postgresql/login-rights.ts";
import { checkOf } from "./postgresql/plan.ts";
import { schemaOf } from "./schema-tree.ts";

const maxConnections = 3;
const testLimits: Limits = { timeoutMs: 10_000, maxRows: 1, maxBytes: 10_000 };
const planLimits = { maxRows: 1, maxBytes: 1024 * 1024 };
const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};

export const postgresql: Engine = {
  kind: "PostgreSql",
  label: "PostgreSQL",
  dialect: "postgresql",
  defaultPort: 5432,
  encryptsByDefault: false,
  capabilities: { contracts: true, readOnlyTransactions: true, requests: false },
  defaultSchema: () => "public",
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: (position) => `$${position}`,
  open,
};

function open(connection: ConnectionWithPassword, { allowedFunctions }: SourceOptions = {}): Source {
  const pool = new Pool(() => connect(connection), maxConnections);
  const functions = new FunctionRules(allowedFunctions);

  /** For queries of our own, which need no gate. */
  const ask = (sql: string, limits: Limits): Promise<Cell[][]> =>
    pool.use(async (borrow) => (await (await borrow()).read({ sql, parameters: [] }, limits)).rows);

  return {
    async test() {
      const [version, canWrite] = (await ask(loginRightsQuery, testLimits))[0] ?? [];
      // Distributions add their own words: "16.4 (Debian 16.4-1)".
      return { serverVersion: `PostgreSQL ${String(version).split(" ", 1)[0]}`, canWrite: canWrite === true };
    },
    introspect: async () => schemaOf(await ask(schemaQuery, introspectionLimits)),
    gate: refuseUnlessReading,
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, functions))),
    close: async () => pool.close(),
  };
}

/** Statements of one session follow each other, however they are asked for. */
function sessionOn(borrow: Borrowed<PostgresConnection>, functions: FunctionRules): Session {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (statement: Statement, limits: Limits, inquiry: Inquiry | null) => {
    const result = last.then(async () => (await borrow()).read(statement, limits, inquiry));
    last = result.catch(() => {});
    return result;
  };
  const passGate = ({ sql, ownSql = false }: Statement): Inquiry | null => {
    refuseUnlessReading(sql);
    return ownSql ? null : functions.inquiryOn(sql);
  };
  return {
    async read(statement, limits) {
      return inTurn(statement, limits, passGate(statement));
    },
    async check(statement, { timeoutMs, estimates = false }) {
      const inquiry = passGate(statement);
      const { sql, parameters } = statement;
      // Planning sees the parameters, too. In parentheses the options end, whatever the statement begins with.
      const explained = { sql: `explain (costs ${estimates}, format json) ${sql}`, parameters };
      const { rows } = await inTurn(explained, { ...planLimits, timeoutMs }, inquiry);
      return checkOf(rows[0]?.[0] ?? null);
    },
  };
}
