import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { findKnownSchema } from "../../data-sources/service/known-tables.ts";
import { db } from "../../db/client.ts";
import { sensitivityOf } from "../../masking.ts";
import type { ColumnFacts } from "../../profile/observed-column.ts";
import { newestSql, rowsToRead, spreadOverOf } from "../../profile/profile-sql.ts";
import { tableKey } from "../../profile/service/profile-tables.ts";
import { columnsOf, countRows } from "../../profile/service/read-table.ts";
import { storable } from "../../text.ts";
import { arrivalOf, type Candidate } from "../arrival.ts";
import { changedInWords, type KnownValues, knownAfter, nothingKnown } from "../categories.ts";
import { judgeLatest, unusualInWords } from "../judge-series.ts";
import { historyDays, maxColumns } from "../limits.ts";
import { Meter } from "../meter.ts";
import {
  arrivedSql,
  categoriesSql,
  columnsSql,
  historySql,
  hourHistorySql,
  leastRows,
  type Measured,
  maxCategories,
  measuredIn,
  type Rows,
} from "../profile-sql.ts";
import { watchedTables, type watches, watchRuns } from "../tables.ts";
import { settleAlerts, type Verdict } from "./alerts.ts";
import { type SchemaTable, tablesOf } from "./known-tables.ts";
import { addPoints, readSeries } from "./series.ts";

/** Profiles every table of a data source once a day: how many rows it has and got, and what its columns are like. */

type Watched = typeof watchedTables.$inferSelect;
type Watch = Pick<typeof watches.$inferSelect, "id" | "timezone" | "budgetSeconds">;

const limits = { countMs: 30_000, scanMs: 60_000, newestMs: 10_000 };
/** Larger ones are not counted, or searched without an index: their estimates must do. */
const mostRows = { counted: 20_000_000, searched: 1_000_000, remembered: 5_000_000 };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxTimeColumns = 4;
/** The same day's history that one judgement takes into account. */
const judgedDays = 190;

/**
 * Those that have waited longest come first, until the budget is spent. A table that was profiled since `since` is left out,
 * so that a profile that was interrupted goes on where it ended.
 */
export async function profileAll(watch: Watch, since: Date, at: Date): Promise<void> {
  const meter = new Meter();
  const schema = await findKnownSchema(db, watch.id);
  const byName = new Map(
    tablesOf({ items: schema?.items ?? [] }).map((table) => [
      tableKey(table.schemaName, table.tableName),
      table,
    ]),
  );
  const waiting = await db
    .select()
    .from(watchedTables)
    .where(
      and(
        eq(watchedTables.dataSourceId, watch.id),
        isNull(watchedTables.goneAt),
        sql`(${watchedTables.profiledAt} is null or ${watchedTables.profiledAt} < ${since.toISOString()}::timestamptz)`,
      ),
    )
    .orderBy(sql`${watchedTables.profiledAt} nulls first`, asc(watchedTables.id));
  let done = 0;
  for (const table of waiting) {
    if (meter.seconds >= watch.budgetSeconds) break;
    const known = byName.get(tableKey(table.schemaName, table.tableName));
    if (known) await profileTable(watch, table, known, at, meter);
    done += 1;
  }
  await db.insert(watchRuns).values({
    ...{ dataSourceId: watch.id, kind: "Profile", startedAt: at, tables: done },
    ...{ tablesLeft: waiting.length - done, seconds: meter.seconds },
    ...{ statements: meter.statements, rowsRead: meter.rowsRead },
  });
}

async function profileTable(
  { id: dataSourceId, timezone }: Watch,
  table: Watched,
  known: SchemaTable,
  at: Date,
  meter: Meter,
): Promise<void> {
  // One session per table, so that others get a turn in between.
  const read = await useDatabase(
    dataSourceId,
    (dialect, source) =>
      source.session((session) =>
        readFigures(session, dialect, table, known, at, meter).catch((error: unknown) => {
          if (!isSourceError(error) || error.kind === "unreachable") throw error;
          return { problem: error.message };
        }),
      ),
    "schedule",
  );
  if ("problem" in read) {
    await db
      .update(watchedTables)
      .set({ profiledAt: at, problem: storable(read.problem, 1000) })
      .where(eq(watchedTables.id, table.id));
    return;
  }
  const { measured, arrival, values, history } = read;
  const points = [
    ...history.map(({ hoursAgo, ...each }) => ({
      ...each,
      tableId: table.id,
      at: new Date(at.getTime() - hoursAgo * hourMs),
    })),
    ...measured.map((each) => ({ ...each, tableId: table.id, at })),
  ];
  const categories: Record<string, KnownValues> = { ...table.categories };
  const verdicts: Verdict[] = [];
  for (const [columnName, counts] of values) {
    const { known: after, changed } = knownAfter(categories[columnName] ?? nothingKnown(), counts);
    categories[columnName] = after;
    const sentence = changedInWords(columnName, changed);
    if (sentence !== null)
      verdicts.push({ tableId: table.id, kind: "Values", columnName, measure: null, sentence });
  }
  // Together, so that a profile that is interrupted and goes on adds no point twice.
  await db.transaction(async (tx) => {
    await addPoints(points, tx);
    await tx
      .update(watchedTables)
      .set({
        ...{ profiledAt: at, problem: null, categories },
        ...{ arrivalColumn: arrival?.name ?? null, isArrivalCheap: arrival?.isCheap ?? false },
      })
      .where(eq(watchedTables.id, table.id));
  });
  await settleAlerts([...verdicts, ...(await judgeTable(table.id, measured, timezone, at))], at);
}

/** What is unusual among the numbers of this profile. */
async function judgeTable(
  tableId: number,
  measured: readonly Measured[],
  timezone: string,
  at: Date,
): Promise<Verdict[]> {
  const isNew = new Set(measured.map(({ columnName, measure }) => JSON.stringify([columnName, measure])));
  const series = await readSeries(
    [tableId],
    new Date(at.getTime() - Math.min(judgedDays, historyDays) * dayMs),
  );
  return series.flatMap(({ columnName, measure, points }): Verdict[] => {
    const latest = points.at(-1);
    if (!latest || !isNew.has(JSON.stringify([columnName, measure]))) return [];
    const judged = judgeLatest(measure, timezone, points);
    return [
      {
        ...{ tableId, columnName, measure, kind: columnName === null ? "Volume" : "Column" },
        sentence: judged?.isUnusual ? unusualInWords(measure, columnName, latest.value, judged) : null,
      },
    ];
  });
}

type Figures = {
  measured: Measured[];
  arrival: Candidate | null;
  /** Of columns with few values. */
  values: Map<string, { value: string; rows: number }[]>;
  /** Such numbers of before, oldest first; only where they were not known yet. */
  history: (Measured & { hoursAgo: number })[];
};

async function readFigures(
  session: Session,
  dialect: Dialect,
  watched: Watched,
  table: SchemaTable,
  at: Date,
  meter: Meter,
): Promise<Figures> {
  const columns = columnsOf(dialect, table).slice(0, maxColumns);
  const estimate = watched.rowEstimate ?? table.rowEstimate;
  const isCountable = estimate === null || estimate <= mostRows.counted;
  meter.statements += isCountable ? 1 : 0;
  const began = performance.now();
  const rows = isCountable ? await countRows(session, dialect, table, limits.countMs) : null;
  meter.seconds += (performance.now() - began) / 1000;
  meter.rowsRead += rows ?? 0;
  const measured: Measured[] = [];
  const total = rows ?? estimate;
  if (total !== null) measured.push({ columnName: null, measure: "Rows", value: total });
  const arrival = await findArrival(session, dialect, watched, table, columns, total, meter);
  const arrived =
    arrival === null ? null : await countArrived(session, dialect, table, arrival, total, meter);
  if (arrived !== null) measured.push({ columnName: null, measure: "NewRows", value: arrived });
  // A table whose rows come bit by bit is judged by the latest: a bad load is lost among all rows.
  const which: Rows =
    arrival !== null && arrived !== null
      ? { arrivedBy: arrival.name }
      : {
          spreadOver: spreadOverOf(
            dialect,
            { kind: "Table", rowEstimate: total },
            rowsToRead(columns.length),
          ),
        };
  const values = new Map<string, { value: string; rows: number }[]>();
  const isNew = watched.profiledAt === null && arrival !== null && arrived !== null;
  const history = isNew
    ? [
        ...(await readDays(session, dialect, table, columns, arrival, total, meter)),
        ...(await readHours(session, dialect, table, arrival, total, at, meter)),
      ]
    : [];
  if ((arrived ?? total ?? 0) < leastRows) return { measured, arrival, values, history };
  const maxRows = rowsToRead(columns.length);
  const scanned = Math.min(maxRows, arrived ?? total ?? maxRows);
  const answer = await meter.read(
    session,
    columnsSql(dialect, table, columns, which, maxRows),
    { timeoutMs: limits.scanMs },
    scanned,
  );
  const of = measuredIn(answer.columns, answer.rows[0] ?? [], columns);
  measured.push(...of.measured);
  for (const column of columns) {
    if (!isCategory(dialect, column, of.distinct)) continue;
    const { rows: found } = await meter.read(
      session,
      categoriesSql(dialect, table, column.name, which, maxRows),
      { timeoutMs: limits.scanMs },
      scanned,
    );
    if (found.length > maxCategories || found.length === 0) continue;
    const counts = found.map(([value, count]) => ({ value: storable(String(value)), rows: Number(count) }));
    const all = counts.reduce((sum, each) => sum + each.rows, 0);
    measured.push({
      ...{ columnName: column.name, measure: "TopShare" },
      value: Math.max(...counts.map((each) => each.rows)) / all,
    });
    values.set(column.name, counts);
  }
  return { measured, arrival, values, history };
}

/** What the same numbers were on the days before: a table that says when its rows came need not be watched for weeks first. */
async function readDays(
  session: Session,
  dialect: Dialect,
  table: SchemaTable,
  columns: readonly ColumnFacts[],
  { name }: Candidate,
  total: number | null,
  meter: Meter,
): Promise<Figures["history"]> {
  if ((total ?? Number.POSITIVE_INFINITY) > mostRows.remembered) return [];
  const answer = await meter.read(
    session,
    historySql(dialect, table, columns, name),
    { timeoutMs: limits.scanMs },
    total ?? 0,
  );
  const maxRows = rowsToRead(columns.length);
  const days = new Map(answer.rows.map((row) => [Number(row[0]), row]));
  const oldest = Math.max(...days.keys());
  const history: Figures["history"] = [];
  // The oldest day is only there in part.
  for (let daysAgo = oldest - 1; daysAgo >= 1; daysAgo--) {
    const row = days.get(daysAgo);
    const { rows, measured } = measuredIn(answer.columns, row ?? [], columns);
    const hoursAgo = 24 * daysAgo;
    history.push({ hoursAgo, columnName: null, measure: "NewRows", value: rows });
    // Of more rows, only some are read each day, among which fewer values are different.
    for (const each of measured)
      if (each.measure !== "DistinctShare" || rows <= maxRows) history.push({ ...each, hoursAgo });
  }
  return history;
}

/** The rows of the hours before, of tables that get some in most hours. */
async function readHours(
  session: Session,
  dialect: Dialect,
  table: SchemaTable,
  { name }: Candidate,
  total: number | null,
  at: Date,
  meter: Meter,
): Promise<Figures["history"]> {
  if ((total ?? Number.POSITIVE_INFINITY) > mostRows.remembered) return [];
  const sinceHour = (at.getTime() % hourMs) / 1000;
  const { rows } = await meter.read(
    session,
    hourHistorySql(dialect, table, name, Math.floor(sinceHour)),
    { timeoutMs: limits.scanMs },
    total ?? 0,
  );
  const counts = new Map(rows.map(([ago, count]) => [Number(ago), Number(count)]));
  // The oldest hour is only there in part.
  const oldest = Math.max(0, ...counts.keys()) - 1;
  if (oldest < 24 || counts.size < oldest / 2) return [];
  return Array.from({ length: oldest + 1 }, (_, n) => oldest - n).map((ago) => ({
    ...{ columnName: null, measure: "HourRows" as const, value: counts.get(ago) ?? 0 },
    hoursAgo: ago + 1 + sinceHour / 3600,
  }));
}

/** A column with few values, which may be named in a message. */
const isCategory = (dialect: Dialect, column: ColumnFacts, distinct: ReadonlyMap<string, number>) =>
  column.kind === "text" &&
  (distinct.get(column.name) ?? Number.POSITIVE_INFINITY) <= maxCategories &&
  dialect.canGroup(column.type) &&
  sensitivityOf(column.name) === null;

/** The column that says when rows came: the one known so far as long as it is there, else the best now. */
async function findArrival(
  session: Session,
  dialect: Dialect,
  { arrivalColumn, isArrivalCheap }: Watched,
  table: SchemaTable,
  columns: readonly ColumnFacts[],
  total: number | null,
  meter: Meter,
): Promise<Candidate | null> {
  const known = columns.find(({ name, kind }) => name === arrivalColumn && kind === "time");
  if (known)
    return { name: known.name, isNullable: known.isNullable, ageSeconds: null, isCheap: isArrivalCheap };
  const candidates: Candidate[] = [];
  for (const column of columns.filter(({ kind }) => kind === "time").slice(0, maxTimeColumns)) {
    const sql = newestSql(dialect, table, column.name);
    const isCheap = await isByIndex(session, sql, meter);
    if (!isCheap && (total ?? Number.POSITIVE_INFINITY) > mostRows.searched) continue;
    const { rows } = await meter.read(
      session,
      sql,
      { timeoutMs: limits.newestMs },
      isCheap ? 0 : (total ?? 0),
    );
    const age = rows[0]?.[1] ?? null;
    candidates.push({
      ...{ name: column.name, isNullable: column.isNullable, isCheap },
      ageSeconds: age === null ? null : Number(age),
    });
  }
  return arrivalOf(candidates);
}

/** By the server's plan; one that does not say counts as not. */
async function isByIndex(session: Session, sql: string, meter: Meter): Promise<boolean> {
  if (!session.check) return false;
  meter.statements += 1;
  const { scans } = await session.check(
    { sql, parameters: [], ownSql: true },
    { timeoutMs: limits.newestMs },
  );
  return !scans;
}

async function countArrived(
  session: Session,
  dialect: Dialect,
  table: SchemaTable,
  { name, isCheap }: Candidate,
  total: number | null,
  meter: Meter,
): Promise<number | null> {
  if (!isCheap && (total ?? Number.POSITIVE_INFINITY) > mostRows.searched) return null;
  const { rows } = await meter.read(session, arrivedSql(dialect, table, name), { timeoutMs: limits.countMs });
  const arrived = Number(rows[0]?.[0] ?? 0);
  meter.rowsRead += isCheap ? arrived : (total ?? 0);
  return arrived;
}
