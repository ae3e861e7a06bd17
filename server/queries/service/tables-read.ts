import { and, eq, isNotNull } from "drizzle-orm";
import type { Reads, TableOfSource } from "../../data-sources/scope.ts";
import { findDatabase } from "../../data-sources/service/find-database.ts";
import { listKnownTables } from "../../data-sources/service/known-tables.ts";
import type { Connection } from "../../db/client.ts";
import { namesTable, needleOf } from "../named-in-sql.ts";
import { querySteps, queryVersions } from "../tables.ts";

/** A query that names more says little about any of them. */
const maxTables = 20;

/** The data sources of a query's active version, and the known tables that the SQL of its steps names. */
export async function tablesReadBy(connection: Connection, queryId: number): Promise<Reads> {
  const steps = await connection
    .select({ dataSourceId: querySteps.dataSourceId, sql: querySteps.sql })
    .from(queryVersions)
    .innerJoin(querySteps, eq(querySteps.versionId, queryVersions.id))
    .where(
      and(
        eq(queryVersions.queryId, queryId),
        eq(queryVersions.status, "Active"),
        isNotNull(querySteps.dataSourceId),
      ),
    );
  const dataSourceIds = [...new Set(steps.flatMap(({ dataSourceId }) => dataSourceId ?? []))];
  const known = await listKnownTables(dataSourceIds);
  const named: TableOfSource[] = [];
  for (const dataSourceId of dataSourceIds) {
    const dialect = (await findDatabase(dataSourceId))?.dialect ?? null;
    const tables = known.get(dataSourceId)?.tables ?? [];
    for (const { sql } of steps.filter((step) => step.dataSourceId === dataSourceId)) {
      if (dialect === null || sql === null) continue;
      const lower = sql.toLowerCase();
      for (const table of tables)
        if (lower.includes(needleOf(table.tableName).toLowerCase()) && namesTable(sql, dialect, table))
          named.push({ dataSourceId, schemaName: table.schemaName, tableName: table.tableName });
    }
  }
  const tables = [...new Map(named.map((table) => [keyOf(table), table])).values()];
  return { dataSourceIds, tables: tables.slice(0, maxTables) };
}

const keyOf = ({ dataSourceId, schemaName, tableName }: TableOfSource) =>
  JSON.stringify([dataSourceId, schemaName, tableName]);
