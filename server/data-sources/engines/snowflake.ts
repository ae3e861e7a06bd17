import { snowflake as dialect } from "../dialects/snowflake.ts";
import {
  type DatabaseEngine,
  isSourceError,
  type Limits,
  type ResultSet,
  type Session,
  type SnowflakeConnectionWithSecret,
  type Source,
  SourceError,
  type SourceOptions,
  type Statement,
} from "./engine.ts";
import { explaining } from "./explain.ts";
import { inTurn } from "./pool.ts";
import type { Client } from "./snowflake/client.ts";
import { FunctionRules } from "./snowflake/functions.ts";
import { requireReadOnly } from "./snowflake/gate.ts";
import { columnsQuery, keysQuery, referencesQuery, schemaWith } from "./snowflake/introspect.ts";
import { canWriteWith } from "./snowflake/login-rights.ts";
import { planIn } from "./snowflake/plan.ts";

const introspectionLimits: Limits = {
  timeoutMs: 120_000,
  maxRows: 1_000_000,
  maxBytes: 256 * 1024 * 1024,
};
const testLimits: Limits = { timeoutMs: 30_000, maxRows: 10_000, maxBytes: 4 * 1024 * 1024 };

export const snowflake: DatabaseEngine = {
  kind: "Snowflake",
  dialect,
  open,
};

/** Every statement is a request with a session of its own, so there is no pool and nothing for one to leave behind. */
function open(
  target: SnowflakeConnectionWithSecret,
  { allowedFunctions, reportCost }: SourceOptions = {},
): Source {
  let opened: Promise<Client> | null = null;
  let isClosed = false;
  // Loaded on the first connection to such a source.
  const client = async (): Promise<Client> => {
    if (isClosed) throw new SourceError("unreachable", "The data source was closed or changed");
    opened ??= import("./snowflake/client.ts").then(({ connect }) => connect(target, reportCost));
    return opened;
  };
  const functions = new FunctionRules(allowedFunctions);
  const gate = (sql: string) => {
    requireReadOnly(sql);
    functions.requireSafe(sql);
  };
  /** What the cloud services answer, without a warehouse, is not counted. */
  const show = async (sql: string, limits: Limits) =>
    (await client()).read({ sql, parameters: [] }, limits, true);
  const showIfAble = (sql: string, limits: Limits) =>
    show(sql, limits).catch((error) => {
      if (isSourceError(error) && error.kind === "statement") return null;
      throw error;
    });

  return {
    async test() {
      const { rows } = await show(
        "select current_version(), current_role(), current_warehouse()",
        testLimits,
      );
      const [version, role, warehouse] = rows[0] ?? [];
      const canWrite = await canWriteAs(String(role ?? ""), showIfAble);
      return {
        serverVersion: `Snowflake ${version}`,
        ...(canWrite !== null && { canWrite }),
        ...(warehouse === null && { message: "No warehouse is selected: statements on tables will fail" }),
      };
    },
    async introspect(signal) {
      const limits = { ...introspectionLimits, signal };
      const { rows } = await (await client()).read({ sql: columnsQuery, parameters: [] }, limits);
      return schemaWith(rows, await showIfAble(keysQuery, limits), await showIfAble(referencesQuery, limits));
    },
    gate,
    session: (work) => work(sessionOn(client, gate)),
    async close() {
      isClosed = true;
      await (await opened?.catch(() => null))?.close();
    },
  };
}

async function canWriteAs(
  role: string,
  show: (sql: string, limits: Limits) => Promise<ResultSet | null>,
): Promise<boolean | null> {
  if (role === "") return null;
  const grants = await show(`show grants to role ${dialect.quote(role)}`, testLimits);
  return grants && canWriteWith(role, grants);
}

function sessionOn(client: () => Promise<Client>, gate: (sql: string) => void): Session {
  const next = inTurn(client);
  const pass = ({ sql, ownSql = false }: Statement) => (ownSql ? requireReadOnly(sql) : gate(sql));
  return {
    async read(statement, limits) {
      pass(statement);
      return next((connection) => connection.read(statement, limits));
    },
    // Plans are made by the cloud services, without a warehouse.
    async check(statement, limits) {
      pass(statement);
      return next(async (connection) => {
        const read: Client["read"] = (explained, given) => connection.read(explained, given, true);
        await explaining(statement, limits, read)("explain using json");
        return { scans: true };
      });
    },
    async explain(statement, limits) {
      pass(statement);
      return next(async (connection) => {
        const read: Client["read"] = (explained, given) => connection.read(explained, given, true);
        return planIn(await explaining(statement, limits, read)("explain using json"));
      });
    },
  };
}
