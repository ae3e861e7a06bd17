import { costText } from "../cost.ts";
import { bigquery as dialect } from "../dialects/bigquery.ts";
import { isBigQuery } from "../kinds.ts";
import { type Catalog, catalogOf } from "./bigquery/catalog.ts";
import type { Client } from "./bigquery/client.ts";
import { rejectCalls } from "./bigquery/functions.ts";
import { requireReadOnly } from "./bigquery/gate.ts";
import {
  type DatabaseEngine,
  type Limits,
  type OpenConnection,
  type Session,
  type Source,
  SourceError,
  type SourceOptions,
  type Statement,
} from "./engine.ts";
import { inTurn } from "./pool.ts";
import { schemaOf } from "./schema-tree.ts";

const catalogLimits: Limits = { timeoutMs: 120_000, maxRows: 2_000_000, maxBytes: 512 * 1024 * 1024 };
const testMs = 15_000;

export const bigquery: DatabaseEngine = {
  kind: "BigQuery",
  dialect,
  open,
};

/** Every statement is a job of its own, so there is no pool and nothing for one to leave behind. */
function open(connection: OpenConnection, { allowedFunctions, reportCost }: SourceOptions = {}): Source {
  if (!isBigQuery(connection)) throw new Error("The connection is that of another kind");
  let opened: Promise<{ client: Client; catalog: Catalog }> | null = null;
  let isClosed = false;
  // The code that signs and sends requests is loaded with the first one.
  const connected = async () => {
    if (isClosed) throw new SourceError("unreachable", "The data source was closed or changed");
    opened ??= import("./bigquery/client.ts").then(({ connect }) => {
      const client = connect(connection, reportCost);
      const readIn = (location: string | undefined) => (statement: Statement, limits: Limits) =>
        client.read(statement, limits, location);
      return { client, catalog: catalogOf(client.api, connection, readIn) };
    });
    return opened;
  };
  const gate = ({ sql, ownSql = false }: Pick<Statement, "sql" | "ownSql">) => {
    requireReadOnly(sql);
    if (!ownSql) rejectCalls(sql, allowedFunctions);
  };

  return {
    async test() {
      const { client } = await connected();
      await client.read(
        { sql: "select session_user() as login", parameters: [] },
        { timeoutMs: testMs, maxRows: 1, maxBytes: 10_000 },
      );
      return { serverVersion: "BigQuery" };
    },
    async introspect(signal) {
      const { catalog } = await connected();
      return schemaOf(await catalog.columns({ ...catalogLimits, signal }));
    },
    gate: (sql) => gate({ sql }),
    session: (work) => work(sessionOn(connected, gate)),
    async close() {
      isClosed = true;
      await (await opened?.catch(() => null))?.client.close();
    },
  };
}

function sessionOn(
  connected: () => Promise<{ client: Client; catalog: Catalog }>,
  gate: (statement: Statement) => void,
): Session {
  const next = inTurn(connected);
  return {
    async read(statement, limits) {
      gate(statement);
      return next(({ client, catalog }) => {
        if (statement.ownSql && statement.sql === dialect.tableStatistics)
          return catalog.tableStatistics(limits);
        if (statement.ownSql && statement.sql === dialect.viewDefinitions)
          return catalog.viewDefinitions(limits);
        return client.read(statement, limits);
      });
    },
    async check(statement, limits) {
      gate(statement);
      return next(async ({ client }) => {
        const { bytes } = await client.plan(statement, limits);
        return { scans: bytes > 0, ...(limits.estimates && { estimatedBytes: bytes }) };
      });
    },
    async explain(statement, limits) {
      gate(statement);
      return next(async ({ client }) => {
        const { bytes, isUpperBound, tables } = await client.plan(statement, limits);
        return {
          operation: "Query",
          detail: `reads ${isUpperBound ? "at most " : ""}${costText({ unit: "bytes", amount: bytes })}`,
          ...{ rows: null, cost: null },
          inputs: tables.map((table) => ({
            ...{ operation: "Table", detail: table, rows: null, cost: null, inputs: [] },
          })),
        };
      });
    },
  };
}
