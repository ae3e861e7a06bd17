import { trino as dialect } from "../dialects/trino.ts";
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
import { inTurn } from "./pool.ts";
import type { Client } from "./trino/client.ts";
import { FunctionRules } from "./trino/functions.ts";
import { requireReadOnly } from "./trino/gate.ts";
import { columnsQuery, commentsQuery, schemaWith, viewsQuery } from "./trino/introspect.ts";
import { canWriteBy } from "./trino/login-rights.ts";
import { estimatedRowsIn, planIn } from "./trino/plan.ts";

/** A connector may have to open a file of each table. */
const introspectionLimits: Limits = {
  timeoutMs: 180_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};
const testLimits: Limits = { timeoutMs: 30_000, maxRows: 1_000, maxBytes: 1024 * 1024 };
const planLimits = { maxRows: 100, maxBytes: 4 * 1024 * 1024 };

export const trino: DatabaseEngine = {
  kind: "Trino",
  dialect,
  open,
};

/** Every statement is a query of its own, so there is no pool and nothing for one to leave behind. */
function open(target: ConnectionWithPassword, { allowedFunctions }: SourceOptions = {}): Source {
  let opened: Promise<Client> | null = null;
  let isClosed = false;
  // Loaded on the first connection to such a server.
  const client = async (): Promise<Client> => {
    if (isClosed) throw new SourceError("unreachable", "The data source was closed or changed");
    opened ??= import("./trino/client.ts").then(({ connect }) => connect(target));
    return opened;
  };
  const functions = new FunctionRules(allowedFunctions);
  const gate = (sql: string) => {
    requireReadOnly(sql);
    functions.requireSafe(sql);
  };
  const ask = async (sql: string, limits: Limits) =>
    (await (await client()).read({ sql, parameters: [] }, limits)).rows;
  const askIfAble = (sql: string, limits: Limits) =>
    ask(sql, limits).catch((error) => {
      if (isSourceError(error) && (error.kind === "statement" || error.kind === "timeout")) return [];
      throw error;
    });

  return {
    async test() {
      const [[version] = []] = await ask("select version()", testLimits);
      // A catalog that does not exist is only noticed when it is read.
      await ask("select schema_name from information_schema.schemata limit 1", testLimits).catch((error) => {
        throw isSourceError(error) && error.kind === "statement"
          ? new SourceError("unreachable", `The catalog cannot be read: ${error.message}`)
          : error;
      });
      const canWrite = await canWriteBy((sql) => ask(sql, testLimits));
      return { serverVersion: `Trino ${version}`, ...(canWrite !== null && { canWrite }) };
    },
    async introspect(signal) {
      const limits = { ...introspectionLimits, signal };
      const columns = await ask(columnsQuery, limits);
      return schemaWith(columns, await askIfAble(viewsQuery, limits), await askIfAble(commentsQuery, limits));
    },
    gate,
    session: (work) => work(sessionOn(client, gate)),
    async close() {
      isClosed = true;
      await (await opened?.catch(() => null))?.close();
    },
  };
}

function sessionOn(client: () => Promise<Client>, gate: (sql: string) => void): Session {
  const next = inTurn(client);
  const pass = ({ sql, ownSql = false }: Statement) => (ownSql ? requireReadOnly(sql) : gate(sql));
  return {
    async read(statement, limits) {
      pass(statement);
      return next((connection) => connection.read(statement, limits));
    },
    async check(statement, { timeoutMs, estimates }) {
      pass(statement);
      return next(async (connection) => {
        const limits = { ...planLimits, timeoutMs };
        await connection.read(statement, limits, "explain (type validate) ");
        if (!estimates) return { scans: true };
        const planned = await connection
          .read(statement, limits, "explain (type io, format json) ")
          .catch((error) => {
            if (isSourceError(error) && error.kind === "statement") return null;
            throw error;
          });
        const estimatedRows = planned && estimatedRowsIn(planned);
        return { scans: true, ...(estimatedRows !== null && { estimatedRows }) };
      });
    },
    async explain(statement, { timeoutMs }) {
      pass(statement);
      return next(async (connection) =>
        planIn(await connection.read(statement, { ...planLimits, timeoutMs }, "explain (format json) ")),
      );
    },
  };
}
