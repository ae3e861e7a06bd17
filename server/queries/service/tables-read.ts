import { and, eq, isNotNull } from "drizzle-orm";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { Reads, TableOfSource } from "../../data-sources/scope.ts";
import { findDatabase } from "../../data-sources/service/find-database.ts";
import { listKnownTables } from "../../data-sources/service/known-tables.ts";
import type { Connection } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { namesTable, needleOf } from "../named-in-sql.ts";
import { querySteps, queryVersions } from "../tables.ts";

/** A query that names more says little about any of them. */
const maxTables = 20;

const nothing: Reads = { dataSourceIds: [], tables: [] };

/** The data sources of a query's active version, and the known tables that the SQL of its steps names. */
export async function tablesReadBy(connection: Connection, queryId: number): Promise<Reads> {
  return (await tablesReadByAll(connection, [queryId])).get(queryId) ?? nothing;
}

/** The same of many queries, by id; without those that read no data source. */
export async function tablesReadByAll(
  connection: Connection,
  queryIds: readonly number[],
): Promise<Map<number, Reads>> {
  const steps = await connection
    .select({ queryId: queryVersions.queryId, dataSourceId: querySteps.dataSourceId, sql: querySteps.sql })
    .from(queryVersions)
    .innerJoin(querySteps, eq(querySteps.versionId, queryVersions.id))
    .where(
      and(
        isOneOf(queryVersions.queryId, queryIds),
        eq(queryVersions.status, "Active"),
        isNotNull(querySteps.dataSourceId),
      ),
    );
  const namedIn = await knownTables(steps.flatMap(({ dataSourceId }) => dataSourceId ?? []));
  return new Map(
    [...Map.groupBy(steps, ({ queryId }) => queryId)].map(([queryId, own]) => {
      const named = own.flatMap((step) =>
        step.dataSourceId === null || step.sql === null ? [] : namedIn(step.dataSourceId, step.sql),
      );
      const tables = [...new Map(named.map((table) => [keyOf(table), table])).values()];
      return [
        queryId,
        {
          dataSourceIds: [...new Set(own.flatMap(({ dataSourceId }) => dataSourceId ?? []))],
          tables: tables.slice(0, maxTables),
        },
      ];
    }),
  );
}

/** Finds the known tables of a data source that SQL names. */
async function knownTables(
  all: readonly number[],
): Promise<(dataSourceId: number, sql: string) => TableOfSource[]> {
  const dataSourceIds = [...new Set(all)];
  const known = await listKnownTables(dataSourceIds);
  const dialects = new Map<number, Dialect>();
  for (const dataSourceId of dataSourceIds) {
    const database = await findDatabase(dataSourceId);
    if (database) dialects.set(dataSourceId, database.dialect);
  }
  return (dataSourceId, sql) => {
    const dialect = dialects.get(dataSourceId);
    if (!dialect) return [];
    const lower = sql.toLowerCase();
    return (known.get(dataSourceId)?.tables ?? [])
      .filter(
        (table) => lower.includes(needleOf(table.tableName).toLowerCase()) && namesTable(sql, dialect, table),
      )
      .map(({ schemaName, tableName }) => ({ dataSourceId, schemaName, tableName }));
  };
}

const keyOf = ({ dataSourceId, schemaName, tableName }: TableOfSource) =>
  JSON.stringify([dataSourceId, schemaName, tableName]);
