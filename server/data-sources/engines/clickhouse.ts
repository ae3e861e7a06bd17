import { clickhouse as dialect } from "../dialects/clickhouse.ts";
import type { Client } from "./clickhouse/client.ts";
import { FunctionRules } from "./clickhouse/functions.ts";
import { requireReadOnly } from "./clickhouse/gate.ts";
import { columnsQuery } from "./clickhouse/introspect.ts";
import { canWriteBy } from "./clickhouse/login-rights.ts";
import { estimatedRowsIn, planIn } from "./clickhouse/plan.ts";
import {
  type ConnectionWithPassword,
  type DatabaseEngine,
  isSourceError,
  type Limits,
  type Session,
  type Source,
  SourceError,
  type SourceOptions,
  type Statement,
} from "./engine.ts";
import { explaining } from "./explain.ts";
import { inTurn } from "./pool.ts";
import { schemaOf } from "./schema-tree.ts";

const introspectionLimits: Limits = {
  timeoutMs: 60_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};
/** For the query that finds the server's own functions, with one row per name. */
const inquiryLimits: Limits = { timeoutMs: 10_000, maxRows: 1_000, maxBytes: 1024 * 1024 };
const testLimits: Limits = { timeoutMs: 10_000, maxRows: 1_000, maxBytes: 1024 * 1024 };

export const clickhouse: DatabaseEngine = {
  kind: "ClickHouse",
  dialect,
  open,
};

/** Every statement is a request of its own, so there is no pool and nothing for one to leave behind. */
function open(target: ConnectionWithPassword, { allowedFunctions }: SourceOptions = {}): Source {
  let opened: Promise<Client> | null = null;
  let isClosed = false;
  // The driver is loaded on the first connection to such a server.
  const client = async (): Promise<Client> => {
    if (isClosed) throw new SourceError("unreachable", "The data source was closed or changed");
    opened ??= import("./clickhouse/client.ts").then(({ connect }) => connect(target));
    return opened;
  };
  const functions = new FunctionRules(allowedFunctions);
  const ask = async (sql: string, limits: Limits) =>
    (await (await client()).read({ sql, parameters: [] }, limits)).rows;

  return {
    async test() {
      const [[version] = []] = await ask("select version()", testLimits);
      const canWrite = await canWriteBy((sql) => ask(sql, testLimits));
      return { serverVersion: `ClickHouse ${version}`, ...(canWrite !== null && { canWrite }) };
    },
    introspect: async (signal) => schemaOf(await ask(columnsQuery, { ...introspectionLimits, signal })),
    gate: (sql) => {
      requireReadOnly(sql);
      functions.inquiryOn(sql);
    },
    session: (work) => work(sessionOn(client, functions)),
    async close() {
      isClosed = true;
      await (await opened?.catch(() => null))?.close();
    },
  };
}

function sessionOn(client: () => Promise<Client>, functions: FunctionRules): Session {
  const next = inTurn(client);
  /** If the gates reject a statement, nothing of it is sent; a catalog query, if needed, runs before it. */
  const pass = ({ sql, ownSql = false }: Statement) => {
    requireReadOnly(sql);
    const inquiry = ownSql ? null : functions.inquiryOn(sql);
    return async (connection: Client) => {
      if (inquiry) inquiry.accept((await connection.read(inquiry.statement, inquiryLimits)).rows);
    };
  };
  return {
    async read(statement, limits) {
      const judge = pass(statement);
      return next(async (connection) => {
        await judge(connection);
        return connection.read(statement, limits);
      });
    },
    async check(statement, limits) {
      const judge = pass(statement);
      return next(async (connection) => {
        await judge(connection);
        const explain = explaining(statement, limits, connection.read);
        await explain("explain");
        if (!limits.estimates) return { scans: true };
        // Only tables of the MergeTree family have estimates.
        const estimate = await explain("explain estimate").catch((error) => {
          if (isSourceError(error) && error.kind === "statement") return null;
          throw error;
        });
        const estimatedRows = estimate && estimatedRowsIn(estimate);
        return { scans: true, ...(estimatedRows !== null && { estimatedRows }) };
      });
    },
    async explain(statement, limits) {
      const judge = pass(statement);
      return next(async (connection) => {
        await judge(connection);
        return planIn(await explaining(statement, limits, connection.read)("explain json = 1, indexes = 1"));
      });
    },
  };
}
