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
import { connect, type MysqlConnection } from "./mysql/connection.ts";
import { type FunctionRules, refuseOtherFunctions } from "./mysql/functions.ts";
import { refuseUnlessReading } from "./mysql/gate.ts";
import { columnsQuery, keysQuery, tablesQuery, treeOf } from "./mysql/introspect.ts";
import { canWrite } from "./mysql/login-rights.ts";
import { costIn, isAnsweredByIndex, rowsIn } from "./mysql/plan.ts";
import { type Borrowed, Pool } from "./pool.ts";

const maxConnections = 3;
const planLimits = { maxRows: 100, maxBytes: 1024 * 1024 };
const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};

export const mysql: Engine = {
  kind: "MySql",
  label: "MySQL or MariaDB",
  dialect: "mysql",
  defaultPort: 3306,
  encryptsByDefault: false,
  capabilities: { contracts: true, readOnlyTransactions: true, requests: false },
  // A schema is a database here, and a login begins in one.
  defaultSchema: ({ database }) => database,
  quote: (identifier) => `\`${identifier.replaceAll("`", "``")}\``,
  placeholder: () => "?",
  open,
};

function open(target: ConnectionWithPassword, { allowedFunctions = [] }: SourceOptions = {}): Source {
  const pool = new Pool(() => connect(target), maxConnections);
  const functions: FunctionRules = { allowed: allowedFunctions, defaultSchema: target.database };
  const gate = (sql: string) => {
    refuseUnlessReading(sql);
    refuseOtherFunctions(sql, functions);
  };

  return {
    test: () =>
      pool.use(async (borrow) => {
        const connection = await borrow();
        try {
          return { serverVersion: versionName(connection), canWrite: await canWrite(connection) };
        } finally {
          // It may have taken on roles.
          connection.drop();
        }
      }),
    introspect: () =>
      pool.use(async (borrow) => {
        const ask = async (sql: string): Promise<Cell[][]> =>
          (await (await borrow()).read({ sql, parameters: [] }, introspectionLimits)).rows;
        return treeOf(await ask(tablesQuery), await ask(columnsQuery), await ask(keysQuery));
      }),
    gate,
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, functions))),
    close: async () => pool.close(),
  };
}

/** Distributions add their own words: "10.11.6-MariaDB-0+deb12u1", "8.4.2-log". */
function versionName({ version, isMariaDb }: MysqlConnection): string {
  const number = /^(?:5\.5\.5-)?([\d.]+)/.exec(version)?.[1] ?? version;
  return `${isMariaDb ? "MariaDB" : "MySQL"} ${number}`;
}

/** Statements of one session follow each other, however they are asked for. */
function sessionOn(borrow: Borrowed<MysqlConnection>, functions: FunctionRules): Session {
  let last: Promise<unknown> = Promise.resolve();
  /** `judged` is the text whose functions count, where any do: it may stand behind an EXPLAIN. */
  const inTurn = (statement: Statement, limits: Limits, judged: string | null) => {
    const result = last.then(async () => {
      const connection = await borrow();
      // Now that it is known which server it is, its own functions alone count.
      if (judged !== null)
        refuseOtherFunctions(judged, functions, connection.isMariaDb ? "MariaDB" : "MySQL");
      return connection.read(statement, limits);
    });
    last = result.catch(() => {});
    return result;
  };
  const passGate = ({ sql, ownSql = false }: Statement): string | null => {
    refuseUnlessReading(sql);
    if (ownSql) return null;
    refuseOtherFunctions(sql, functions);
    return sql;
  };
  return {
    async read(statement, limits) {
      return inTurn(statement, limits, passGate(statement));
    },
    async check(statement, { timeoutMs, estimates = false }) {
      const judged = passGate(statement);
      const { sql, parameters } = statement;
      const explain = (how: string) =>
        inTurn({ sql: `${how} ${sql}`, parameters }, { ...planLimits, timeoutMs }, judged);
      const plan = await explain("explain");
      const scans = !isAnsweredByIndex(plan);
      if (!estimates) return { scans };
      const { rows } = await explain("explain format=json");
      const [estimatedCost, estimatedRows] = [costIn(rows[0]?.[0] ?? null), rowsIn(plan)];
      return {
        scans,
        ...(estimatedCost !== null && { estimatedCost }),
        ...(estimatedRows !== null && { estimatedRows }),
      };
    },
  };
}
