import { and, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { db } from "../../db/client.ts";
import { inParts } from "../../db/in-parts.ts";
import { tableKey } from "../../profile/service/profile-tables.ts";
import { schemaChange } from "../schema-changes.ts";
import { type WatchedColumn, watchedTables } from "../tables.ts";
import { settleAlerts, type Verdict } from "./alerts.ts";

/** Younger tables come and go: jobs create them by the thousand, and nobody misses one. */
const settledAfterHours = 24;

export type SchemaTable = DatabaseSchema["items"][number]["tables"][number] & { schemaName: string };

/** The tables of a schema, without its views: those have no rows of their own. */
export const tablesOf = ({ items }: DatabaseSchema): SchemaTable[] =>
  items.flatMap(({ schemaName, tables }) =>
    tables.filter(({ kind }) => kind === "Table").map((table) => ({ ...table, schemaName })),
  );

/**
 * Brings the watched tables of a data source to its schema as just read: new ones are added, columns that have changed and
 * tables that are gone are told.
 */
export async function noticeSchema(dataSourceId: number, schema: DatabaseSchema, at: Date): Promise<void> {
  const known = await db.select().from(watchedTables).where(eq(watchedTables.dataSourceId, dataSourceId));
  const byName = new Map(known.map((table) => [tableKey(table.schemaName, table.tableName), table]));
  const verdicts: Verdict[] = [];
  const found: { schemaName: string; tableName: string; columns: WatchedColumn[] }[] = [];
  for (const { schemaName, tableName, columns } of tablesOf(schema)) {
    const now = columns.map(({ name, type }) => ({ name, type }));
    const table = byName.get(tableKey(schemaName, tableName));
    byName.delete(tableKey(schemaName, tableName));
    const change = table ? schemaChange(table.columns, now) : null;
    if (table && change === null && table.goneAt === null) continue;
    found.push({ schemaName, tableName, columns: now });
    if (table && change !== null) verdicts.push({ ...ofTable(table.id, "Schema"), sentence: change });
    if (table && table.goneAt !== null) verdicts.push({ ...ofTable(table.id, "Gone"), sentence: null });
  }
  for (const rows of inParts(found, 1000))
    await db
      .insert(watchedTables)
      .values(rows.map((row) => ({ ...row, dataSourceId, firstSeenAt: at })))
      .onConflictDoUpdate({
        target: [watchedTables.dataSourceId, watchedTables.schemaName, watchedTables.tableName],
        set: { columns: sql`excluded.columns`, goneAt: null },
      });
  const gone = [...byName.values()].filter(({ goneAt }) => goneAt === null);
  const settled = gone.filter(({ firstSeenAt }) => isSettled(firstSeenAt, at));
  for (const { id } of settled) verdicts.push({ ...ofTable(id, "Gone"), sentence: "The table is gone" });
  await forget(
    gone.filter(({ firstSeenAt }) => !isSettled(firstSeenAt, at)).map(({ id }) => id),
    settled.map(({ id }) => id),
    at,
  );
  await settleAlerts(verdicts, at);
  // Whether it comes back is known by then.
  await db
    .delete(watchedTables)
    .where(
      and(
        eq(watchedTables.dataSourceId, dataSourceId),
        isNotNull(watchedTables.goneAt),
        lt(watchedTables.goneAt, new Date(at.getTime() - 90 * 86_400_000)),
      ),
    );
}

const ofTable = (tableId: number, kind: Verdict["kind"]) => ({
  tableId,
  kind,
  columnName: null,
  measure: null,
});

const isSettled = (firstSeenAt: Date, at: Date) =>
  at.getTime() - firstSeenAt.getTime() >= settledAfterHours * 3_600_000;

async function forget(young: readonly number[], settled: readonly number[], at: Date): Promise<void> {
  for (const ids of inParts(young, 1000))
    await db.delete(watchedTables).where(inArray(watchedTables.id, ids));
  for (const ids of inParts(settled, 1000))
    await db
      .update(watchedTables)
      .set({ goneAt: at })
      .where(and(inArray(watchedTables.id, ids), isNull(watchedTables.goneAt)));
}
