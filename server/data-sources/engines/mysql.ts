import { mysql as dialect } from "../dialects/mysql.ts";
import type {
  Cell,
  ConnectionWithPassword,
  DatabaseEngine,
  Limits,
  Session,
  Source,
  SourceOptions,
  Statement,
} from "./engine.ts";
import { explaining } from "./explain.ts";
import type { MysqlConnection } from "./mysql/connection.ts";
import { type FunctionRules, rejectOtherFunctions } from "./mysql/functions.ts";
import { requireReadOnly } from "./mysql/gate.ts";
import { columnsQuery, keysQuery, tablesQuery, treeOf } from "./mysql/introspect.ts";
import { canWrite } from "./mysql/login-rights.ts";
import { checkByPlan, readPlan } from "./mysql/plan.ts";
import { type Borrowed, inTurn, Pool } from "./pool.ts";

const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};

export const mysql: DatabaseEngine = {
  kind: "MySql",
  dialect,
  open,
};

function open(target: ConnectionWithPassword, { allowedFunctions = [] }: SourceOptions = {}): Source {
  // The driver is large, so it is loaded on the first connection to such a server.
  const connect = async () => (await import("./mysql/connection.ts")).connect(target);
  const pool = new Pool(connect);
  const functions: FunctionRules = { allowed: allowedFunctions, defaultSchema: target.database };
  const gate = (sql: string) => {
    requireReadOnly(sql);
    rejectOtherFunctions(sql, functions);
  };

  return {
    test: () =>
      pool.use(async (borrow) => {
        const connection = await borrow();
        try {
          return { serverVersion: versionName(connection), canWrite: await canWrite(connection) };
        } finally {
          // It may have activated roles.
          connection.drop();
        }
      }),
    introspect: (signal) =>
      pool.use(async (borrow) => {
        const ask = async (sql: string): Promise<Cell[][]> =>
          (await (await borrow()).read({ sql, parameters: [] }, { ...introspectionLimits, signal })).rows;
        return treeOf(await ask(tablesQuery), await ask(columnsQuery), await ask(keysQuery));
      }),
    gate,
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, functions))),
    close: async () => pool.close(),
  };
}

/** Distributions add their own suffix: "10.11.6-MariaDB-0+deb12u1", "8.4.2-log". */
function versionName({ version, isMariaDb }: MysqlConnection): string {
  const number = /^(?:5\.5\.5-)?([\d.]+)/.exec(version)?.[1] ?? version;
  return `${isMariaDb ? "MariaDB" : "MySQL"} ${number}`;
}

function sessionOn(borrow: Borrowed<MysqlConnection>, functions: FunctionRules): Session {
  const next = inTurn(borrow);
  /**
   * `judged` is the text whose functions are checked, if any: it may follow an EXPLAIN.
   */
  const read = (statement: Statement, limits: Limits, judged: string | null) =>
    next(async (connection) => {
      // Now that the server's kind is known, only its own functions count as built-in.
      if (judged !== null)
        rejectOtherFunctions(judged, functions, connection.isMariaDb ? "MariaDB" : "MySQL");
      return connection.read(statement, limits);
    });
  const passGate = ({ sql, ownSql = false }: Statement): string | null => {
    requireReadOnly(sql);
    if (ownSql) return null;
    rejectOtherFunctions(sql, functions);
    return sql;
  };
  return {
    async read(statement, limits) {
      return read(statement, limits, passGate(statement));
    },
    async check(statement, limits) {
      const judged = passGate(statement);
      const explain = explaining(statement, limits, (explained, within) => read(explained, within, judged));
      return checkByPlan(explain, limits);
    },
    async explain(statement, limits) {
      const judged = passGate(statement);
      return readPlan(explaining(statement, limits, (explained, within) => read(explained, within, judged)));
    },
  };
}
