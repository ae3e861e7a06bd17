import { postgresql as dialect } from "../dialects/postgresql.ts";
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
import { type Borrowed, inTurn, Pool } from "./pool.ts";
import { connect, type PostgresConnection } from "./postgresql/connection.ts";
import { FunctionRules, type Inquiry } from "./postgresql/functions.ts";
import { requireReadOnly } from "./postgresql/gate.ts";
import { schemaQuery } from "./postgresql/introspect.ts";
import { loginRightsQuery } from "./postgresql/login-rights.ts";
import { checkByPlan, readPlan } from "./postgresql/plan.ts";
import { relativeIn } from "./postgresql/relatives.ts";
import { timescaleQuery, timescaleStatistics } from "./postgresql/timescale.ts";
import { schemaOf } from "./schema-tree.ts";

const testLimits: Limits = { timeoutMs: 10_000, maxRows: 1, maxBytes: 10_000 };
const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};

export const postgresql: DatabaseEngine = {
  kind: "PostgreSql",
  dialect,
  open,
};

function open(connection: ConnectionWithPassword, { allowedFunctions }: SourceOptions = {}): Source {
  const pool = new Pool(() => connect(connection));
  const functions = new FunctionRules(allowedFunctions);

  /** For our own queries, which need no gate. */
  const ask = (sql: string, limits: Limits): Promise<Cell[][]> =>
    pool.use(async (borrow) => (await (await borrow()).read({ sql, parameters: [] }, limits)).rows);

  return {
    async test() {
      const [version, said, timescale, canWrite] = (await ask(loginRightsQuery, testLimits))[0] ?? [];
      const relative = relativeIn(String(said));
      // Distributions add their own suffix: "16.4 (Debian 16.4-1)".
      const own = `PostgreSQL ${String(version).split(" ", 1)[0]}`;
      return {
        serverVersion: (relative?.name ?? own) + (timescale === null ? "" : `, TimescaleDB ${timescale}`),
        canWrite: canWrite === true,
        ...(relative?.remark && { message: relative.remark }),
      };
    },
    async introspect(signal) {
      const limits = { ...introspectionLimits, signal };
      return schemaOf(await ask(schemaQuery(timescaleIn(await ask(timescaleQuery, limits))), limits));
    },
    gate: requireReadOnly,
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, functions))),
    close: async () => pool.close(),
  };
}

/** The schema of TimescaleDB's functions, by its query; null where it is not installed. */
const timescaleIn = (rows: readonly (readonly Cell[])[]): string | null => {
  const schema = rows[0]?.[0];
  return typeof schema === "string" ? schema : null;
};

function sessionOn(borrow: Borrowed<PostgresConnection>, functions: FunctionRules): Session {
  const next = inTurn(borrow);
  const passGate = ({ sql, ownSql = false }: Statement): Inquiry | null => {
    requireReadOnly(sql);
    return ownSql ? null : functions.inquiryOn(sql);
  };
  return {
    async read(statement, limits) {
      if (statement.ownSql && statement.sql === dialect.tableStatistics)
        return next(async (connection) => {
          const { rows } = await connection.read({ sql: timescaleQuery, parameters: [] }, limits);
          const sql = timescaleIn(rows) === null ? statement.sql : timescaleStatistics;
          return connection.read({ ...statement, sql }, limits);
        });
      const inquiry = passGate(statement);
      return next((connection) => connection.read(statement, limits, inquiry));
    },
    async check(statement, limits) {
      const inquiry = passGate(statement);
      const explain = explaining(statement, limits, (explained, within) =>
        next((connection) => connection.read(explained, within, inquiry)),
      );
      return checkByPlan(explain, limits);
    },
    async explain(statement, limits) {
      const inquiry = passGate(statement);
      return readPlan(
        explaining(statement, limits, (explained, within) =>
          next((connection) => connection.read(explained, within, inquiry)),
        ),
      );
    },
  };
}
