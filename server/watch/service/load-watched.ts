import { and, asc, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { getDataSource, listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { ifAsked, ifGiven } from "../../db/listed.ts";
import { paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { type Judged, judgedThen, usuallyInWords } from "../judge-series.ts";
import { measureNames } from "../measures.ts";
import {
  alertKinds,
  type alertSchema,
  type listWatchedInput,
  type seriesSchema,
  type watchedDetailSchema,
  type watchedTableInput,
  type watchedTableSchema,
} from "../schema.ts";
import { tableAlerts, watchedTables, watches } from "../tables.ts";
import { readSeries, type StoredSeries } from "./series.ts";
import { isUnusual } from "./watch.ts";

type TableAlert = z.input<typeof alertSchema>;
type WatchedTable = z.input<typeof watchedTableSchema>;
type WatchSeries = z.input<typeof seriesSchema>;
type WatchedDetail = z.input<typeof watchedDetailSchema>;
type Filter = z.output<typeof listWatchedInput>;

/** A page of watched tables: those with something unusual first, then by name. */
export async function listWatched(ctx: SignedIn, filter: Filter) {
  const sources = new Map((await listDataSources(ctx, filter)).items.map(({ id, name }) => [id, name]));
  const fits = and(
    inArray(watchedTables.dataSourceId, [...sources.keys()]),
    ifGiven(filter.dataSourceId, watchedTables.dataSourceId),
    isNull(watchedTables.goneAt),
    ifAsked(filter.unusual, isUnusual),
    ...wordsIn(filter.search ?? "").map((word) =>
      containsWord(sql`${watchedTables.schemaName} || '.' || ${watchedTables.tableName}`, word),
    ),
  );
  return paged(
    filter,
    async () => {
      const [row] = await db
        .select({ tables: sql<number>`count(*)::int` })
        .from(watchedTables)
        .innerJoin(watches, eq(watches.id, watchedTables.dataSourceId))
        .where(fits);
      return row?.tables ?? 0;
    },
    async ({ limit, offset }) => {
      const rows = await db
        .select({ table: watchedTables })
        .from(watchedTables)
        .innerJoin(watches, eq(watches.id, watchedTables.dataSourceId))
        .where(fits)
        .orderBy(
          sql`${isUnusual} desc`,
          asc(watchedTables.schemaName),
          asc(watchedTables.tableName),
          asc(watchedTables.id),
        )
        .limit(limit)
        .offset(offset);
      return withAlerts(
        rows.map(({ table }) => ({ table, dataSourceName: sources.get(table.dataSourceId) ?? "" })),
      );
    },
  );
}

type Row = { table: typeof watchedTables.$inferSelect; dataSourceName: string };

async function withAlerts(rows: readonly Row[]): Promise<WatchedTable[]> {
  const alerts = await alertsOf(
    rows.map(({ table }) => table.id),
    isNull(tableAlerts.endedAt),
  );
  return rows.map(({ table, dataSourceName }) => ({
    ...{ id: table.id, dataSourceId: table.dataSourceId, dataSourceName },
    ...{ schemaName: table.schemaName, tableName: table.tableName },
    ...{ rowEstimate: table.rowEstimate, lastLookAt: table.lastLookAt, lastChangeAt: table.lastChangeAt },
    ...{ lateAfter: table.lateAfter, profiledAt: table.profiledAt },
    alerts: alerts.get(table.id) ?? [],
  }));
}

async function alertsOf(
  tableIds: readonly number[],
  which: ReturnType<typeof and>,
): Promise<Map<number, TableAlert[]>> {
  if (tableIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(tableAlerts)
    .where(and(inArray(tableAlerts.tableId, [...tableIds]), which))
    .orderBy(desc(tableAlerts.openedAt), desc(tableAlerts.id));
  const people = await namesOfUsers(rows.map(({ expectedById }) => expectedById));
  const byTable = Map.groupBy(rows, ({ tableId }) => tableId);
  return new Map(
    [...byTable].map(([tableId, alerts]) => [
      tableId,
      alerts
        .map(({ tableId: _, expectedById, ...alert }) => ({
          ...alert,
          expectedBy: people.get(expectedById ?? 0) ?? null,
        }))
        .toSorted((a, b) => alertKinds.indexOf(a.kind) - alertKinds.indexOf(b.kind)),
    ]),
  );
}

/** One table with its numbers and what was usual; null if it is not watched. Throws not_found for the data source. */
export async function getWatched(
  ctx: SignedIn,
  { dataSourceId, schemaName, tableName, days }: z.output<typeof watchedTableInput>,
): Promise<WatchedDetail> {
  const { name: dataSourceName } = await getDataSource(ctx, dataSourceId);
  const [row] = await db
    .select({ table: watchedTables, timezone: watches.timezone })
    .from(watchedTables)
    .innerJoin(watches, eq(watches.id, watchedTables.dataSourceId))
    .where(
      and(
        eq(watchedTables.dataSourceId, dataSourceId),
        eq(watchedTables.schemaName, schemaName),
        eq(watchedTables.tableName, tableName),
      ),
    );
  if (!row) return null;
  const since = new Date(Date.now() - days * 86_400_000);
  // What was usual at the first point that is shown was learned from those before it.
  const learnedSince = new Date(since.getTime() - learnedDays * 86_400_000);
  const [[shown], stored, past] = await Promise.all([
    withAlerts([{ ...row, dataSourceName }]),
    readSeries([row.table.id], learnedSince),
    alertsOf([row.table.id], gte(tableAlerts.endedAt, since)),
  ]);
  if (!shown) return null;
  return {
    ...shown,
    arrivalColumn: row.table.arrivalColumn,
    problem: row.table.problem,
    series: inOrder(stored, row.table.columns).map((series) => shownSeries(series, row.timezone, since)),
    past: (past.get(row.table.id) ?? []).toSorted((a, b) => Number(b.openedAt) - Number(a.openedAt)),
  };
}
const learnedDays = 120;
/** More make no difference in a chart. */
const maxPoints = 400;

/** The table's own first, then by column, in the table's order. */
function inOrder(all: readonly StoredSeries[], columns: readonly { name: string }[]): StoredSeries[] {
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  const placeOf = ({ columnName, measure }: StoredSeries) =>
    (columnName === null ? -1 : (places.get(columnName) ?? columns.length)) * measureNames.length +
    measureNames.indexOf(measure);
  return all.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function shownSeries(
  { columnName, measure, points }: StoredSeries,
  timezone: string,
  since: Date,
): WatchSeries {
  const judged = judgedThen(measure, timezone, points);
  const last: Judged | null = judged.at(-1)?.judged ?? null;
  const bound = (value: number | undefined) =>
    value === undefined || !Number.isFinite(value) ? null : value;
  return {
    columnName,
    measure,
    usually: last && usuallyInWords(measure, last),
    points: judged
      .filter(({ point }) => point.at >= since)
      .slice(-maxPoints)
      .map(({ point, judged: each }) => ({
        ...point,
        low: bound(each?.low),
        high: bound(each?.high),
        isUnusual: each?.isUnusual ?? false,
      })),
  };
}
