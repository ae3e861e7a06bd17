import { createHash } from "node:crypto";
import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { db } from "../../db/client.ts";
import { queries, querySteps, queryVersions } from "../../queries/tables.ts";
import type { KnownTable, Names } from "../edges-of.ts";
import { wordsIn } from "../readable-sql.ts";
import { tableInSql } from "../table-in-sql.ts";

const limits = { views: 20_000, bytes: 64 * 1024 * 1024, timeoutMs: 60_000, tables: 100, columns: 5_000 };

/** What is made from tables by SQL: a view of the data source, or a query that runs on it. */
export type Statement = {
  /** Names it among those of its data source. */
  key: string;
  query: { id: number; versionId: number } | null;
  view: KnownTable | null;
  /** null if the login may not see it. */
  sql: string | null;
  /** Another table that a materialized view writes its rows into. */
  target: KnownTable | null;
};

export const viewKey = ({ schemaName, tableName }: { schemaName: string; tableName: string }) =>
  `view:${JSON.stringify([schemaName, tableName])}`;

/** The tables of a schema, by their names in lower case. */
export function namesIn(
  { items }: DatabaseSchema,
  { defaultSchema, database }: Pick<Names, "defaultSchema" | "database">,
): Names {
  const tables = items.flatMap(({ schemaName, tables: own }) =>
    own.map(({ tableName, columns }) => ({
      schemaName,
      tableName,
      columns: columns.map(({ name }) => name),
    })),
  );
  return { byName: Map.groupBy(tables, ({ tableName }) => tableName.toLowerCase()), defaultSchema, database };
}

/** How the views of a data source are defined. Throws SourceError. */
export async function readViews(dataSourceId: number, names: Names): Promise<Statement[]> {
  const { viewDefinitions, lexis } = await useDatabase(dataSourceId, async (dialect) => dialect, "schedule");
  const { rows } = await useDatabase(
    dataSourceId,
    (_, source) =>
      source.session((session) =>
        session.read(
          { sql: viewDefinitions, parameters: [], ownSql: true },
          { maxRows: limits.views, maxBytes: limits.bytes, timeoutMs: limits.timeoutMs },
        ),
      ),
    "schedule",
  );
  return rows.flatMap(([schemaName, tableName, sql, target]) => {
    const view = known(names, String(schemaName), String(tableName));
    // A view that was made since the schema was read comes with the next reading.
    if (!view) return [];
    return {
      ...{ key: viewKey(view), query: null, view },
      sql: typeof sql === "string" ? sql : null,
      target: typeof target === "string" ? tableInSql(target, { lexis }, names) : null,
    };
  });
}

const known = ({ byName }: Names, schemaName: string, tableName: string): KnownTable | undefined =>
  byName
    .get(tableName.toLowerCase())
    ?.find((each) => each.schemaName === schemaName && each.tableName === tableName);

/** The SQL of queries' active versions that runs on a data source. */
export async function loadQuerySql(dataSourceId: number): Promise<Statement[]> {
  const steps = await db
    .select({
      queryId: queries.id,
      versionId: queryVersions.id,
      order: querySteps.order,
      sql: querySteps.sql,
    })
    .from(querySteps)
    .innerJoin(queryVersions, eq(queryVersions.id, querySteps.versionId))
    .innerJoin(queries, eq(queries.id, queryVersions.queryId))
    .where(
      and(
        eq(querySteps.dataSourceId, dataSourceId),
        eq(queryVersions.status, "Active"),
        isNull(queries.archivedAt),
        isNotNull(querySteps.sql),
      ),
    )
    .orderBy(asc(queries.id), asc(querySteps.order));
  return steps.map(({ queryId, versionId, order, sql }) => ({
    ...{ key: `query:${queryId}:${order}`, query: { id: queryId, versionId } },
    ...{ view: null, sql, target: null },
  }));
}

/** The tables that a statement may name, with their columns, within what a parser is given. */
export function tablesIn({ byName }: Names, sql: string, dialect: Pick<Dialect, "lexis">): KnownTable[] {
  const found: KnownTable[] = [];
  let columns = 0;
  for (const word of wordsIn(sql, dialect))
    for (const table of byName.get(word) ?? []) {
      columns += table.columns.length;
      if (found.length >= limits.tables || columns > limits.columns) return found;
      found.push(table);
    }
  return found;
}

/** The same for the same SQL over the same tables. The number is that of how it is read: another one reads all again. */
export function hashOf({ sql, view, target }: Statement, tables: readonly KnownTable[]): string {
  return createHash("sha256")
    .update(JSON.stringify([1, sql, view, target, tables]))
    .digest("hex");
}
