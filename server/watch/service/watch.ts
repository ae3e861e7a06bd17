import { and, count, desc, eq, gte, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { isDatabaseKind } from "../../data-sources/kinds.ts";
import { keptUntilRead } from "../../data-sources/service/known-tables.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { rowsToRead } from "../../profile/profile-sql.ts";
import { maxBudgetSeconds } from "../budget-limits.ts";
import { lookMinutes, maxColumns } from "../limits.ts";
import { setWatchInput, type watchSchema } from "../schema.ts";
import { tableAlerts, watchedTables, watches, watchRuns } from "../tables.ts";
import { tablesOf } from "./known-tables.ts";

type Loaded = z.input<typeof watchSchema>;

/** Whether every table of a data source is watched, and what that costs. Throws not_found. */
export async function getWatch(ctx: SignedIn, id: number): Promise<Loaded> {
  const { kind, name } = await getDataSource(ctx, id);
  if (!isDatabaseKind(kind)) throw new Problem("rejected", "Only tables of databases can be watched");
  const [watch] = await db.select().from(watches).where(eq(watches.id, id));
  const [people, counts, look, profile, expected] = await Promise.all([
    namesOfUsers([watch?.enabledById ?? null]),
    countTables(id),
    lookCost(id),
    profileCost(id),
    expectedCost(id),
  ]);
  const defaults = setWatchInput.parse({ id, enabled: false });
  return {
    dataSourceId: id,
    dataSourceName: name,
    enabled: watch !== undefined,
    timezone: watch?.timezone ?? defaults.timezone,
    nightHour: watch?.nightHour ?? defaults.nightHour,
    budgetSeconds: watch?.budgetSeconds ?? defaults.budgetSeconds,
    enabledBy: people.get(watch?.enabledById ?? 0) ?? null,
    tableCount: watch ? counts.tables : expected.tables,
    unusualCount: watch ? counts.unusual : 0,
    lastLookAt: watch?.lastLookAt ?? null,
    lastProfileAt: profile?.at ?? null,
    nextProfileAt: watch?.nextNightAt ?? null,
    problem: watch?.problem ?? null,
    look,
    profile: profile?.cost ?? null,
    expected: expected.cost,
  };
}

/** Switches it on, off, or changes it. What was learned is kept while it is off. Throws not_found. */
export async function setWatch(
  ctx: SignedIn,
  { id, enabled, timezone, nightHour, budgetSeconds }: Set,
): Promise<Loaded> {
  const { kind } = await getDataSource(ctx, id);
  if (!isDatabaseKind(kind)) throw new Problem("rejected", "Only tables of databases can be watched");
  if (!enabled) await db.delete(watches).where(eq(watches.id, id));
  else await enableWatch(id, { timezone, nightHour, budgetSeconds }, ctx.principal.userId);
  return getWatch(ctx, id);
}
type Set = z.output<typeof setWatchInput>;

/** For those who have no session, such as the demo. The first look and profile come with the next minute. */
export async function enableWatch(
  id: number,
  { timezone, nightHour, budgetSeconds }: Pick<Set, "timezone" | "nightHour" | "budgetSeconds">,
  enabledById: number | null,
): Promise<void> {
  const settings = { timezone, nightHour, budgetSeconds: Math.min(budgetSeconds, maxBudgetSeconds) };
  await db
    .insert(watches)
    .values({
      ...{ id, ...settings, enabledById },
      cronExpression: `${id % lookMinutes}-59/${lookMinutes} * * * *`,
      ...{ nextRunAt: sql`now()`, nextNightAt: sql`now()` },
    })
    .onConflictDoUpdate({ target: watches.id, set: settings });
}

export const isUnusual: SQL = sql`exists (select from ${tableAlerts} where ${tableAlerts.tableId} = ${watchedTables.id}
  and ${tableAlerts.endedAt} is null and ${tableAlerts.expectedAt} is null)`;

async function countTables(dataSourceId: number) {
  const [row] = await db
    .select({ tables: count(), unusual: sql<number>`(count(*) filter (where ${isUnusual}))::int` })
    .from(watchedTables)
    .where(and(eq(watchedTables.dataSourceId, dataSourceId), isNull(watchedTables.goneAt)));
  return row ?? { tables: 0, unusual: 0 };
}

async function lookCost(dataSourceId: number): Promise<Loaded["look"]> {
  const average = (column: PgColumn) => sql<number>`avg(${column})::double precision`;
  const [row] = await db
    .select({
      runs: count(),
      seconds: average(watchRuns.seconds),
      statements: average(watchRuns.statements),
      rowsRead: average(watchRuns.rowsRead),
      tables: average(watchRuns.tables),
    })
    .from(watchRuns)
    .where(
      and(
        eq(watchRuns.dataSourceId, dataSourceId),
        eq(watchRuns.kind, "Look"),
        gte(watchRuns.startedAt, sql`now() - interval '1 day'`),
      ),
    );
  if (!row || row.runs === 0) return null;
  const { runs: _, ...cost } = row;
  return cost;
}

async function profileCost(dataSourceId: number) {
  const [row] = await db
    .select()
    .from(watchRuns)
    .where(and(eq(watchRuns.dataSourceId, dataSourceId), eq(watchRuns.kind, "Profile")))
    .orderBy(desc(watchRuns.startedAt))
    .limit(1);
  if (!row) return null;
  const { seconds, statements, rowsRead, tables, tablesLeft } = row;
  return { at: row.startedAt, cost: { seconds, statements, rowsRead, tables, tablesLeft } };
}

/** By the schema as last read. */
const expectedCost = async (dataSourceId: number) =>
  (await costOfSchema(dataSourceId)) ?? costOf({ items: [] });

function costOf(schema: DatabaseSchema) {
  const tables = tablesOf(schema);
  const texts = (types: readonly { type: string }[]) =>
    types.filter(({ type }) => /char|text|string|enum/i.test(type)).length;
  return {
    tables: tables.length,
    cost: {
      // The statistics, and the newest values and hourly counts of fifty tables at a time.
      statementsPerLook: 1 + 2 * Math.ceil(tables.length / 50),
      statementsPerProfile: tables.reduce((sum, { columns }) => sum + 4 + texts(columns), 0),
      rowsPerProfile: tables.reduce((sum, { rowEstimate, columns }) => {
        const rows = rowEstimate ?? 0;
        const read = Math.min(rows, rowsToRead(Math.min(columns.length, maxColumns)));
        return sum + rows + read * (1 + texts(columns));
      }, 0),
    },
  };
}

const costOfSchema = keptUntilRead(costOf);

/** Someone says that an alert is as it should be: it is no problem anymore, and ends once it is usual. Throws not_found and conflict. */
export async function expectAlert(ctx: SignedIn, id: number) {
  const [alert] = await db
    .select({ table: watchedTables, endedAt: tableAlerts.endedAt, expectedAt: tableAlerts.expectedAt })
    .from(tableAlerts)
    .innerJoin(watchedTables, eq(watchedTables.id, tableAlerts.tableId))
    .where(eq(tableAlerts.id, id));
  if (!alert) throw new Problem("not_found", "Alert not found");
  await getDataSource(ctx, alert.table.dataSourceId).catch(() => {
    throw new Problem("not_found", "Alert not found");
  });
  const changed = await db
    .update(tableAlerts)
    .set({ expectedAt: sql`now()`, expectedById: ctx.principal.userId })
    .where(and(eq(tableAlerts.id, id), isNull(tableAlerts.endedAt), isNull(tableAlerts.expectedAt)))
    .returning();
  const [row] = changed;
  if (!row) throw new Problem("conflict", alert.endedAt ? "The alert is over" : "It is expected already");
  const people = await namesOfUsers([row.expectedById]);
  const { tableId: _, expectedById, ...shown } = row;
  return { ...shown, expectedBy: people.get(expectedById ?? 0) ?? null };
}
