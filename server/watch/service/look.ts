import { and, eq, isNull, sql } from "drizzle-orm";
import { relationIn } from "../../data-sources/dialects/clauses.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { findKnownSchema } from "../../data-sources/service/known-tables.ts";
import { readSchema, schemaReadAt } from "../../data-sources/service/read-schema.ts";
import { db } from "../../db/client.ts";
import { inParts } from "../../db/in-parts.ts";
import { tableKey } from "../../profile/service/profile-tables.ts";
import { lasting } from "../../text.ts";
import { judgeLatest, type Point, unusualInWords, usualPause } from "../judge-series.ts";
import { lookMinutes } from "../limits.ts";
import { Meter } from "../meter.ts";
import { watchedTables, type watches, watchRuns } from "../tables.ts";
import { endOldEvents, settleAlerts, type Verdict } from "./alerts.ts";
import { noticeSchema } from "./known-tables.ts";
import { addPoints, readSeries } from "./series.ts";

/**
 * Looks at a whole data source without reading its tables: at the statistics that the server keeps anyway, at the newest
 * value of columns with an index, and, once an hour, at the catalog.
 */

type Watched = typeof watchedTables.$inferSelect;
type Statistics = { rowEstimate: number | null; changes: string | null };

const limits = { statisticsMs: 60_000, newestMs: 10_000, countMs: 30_000, tablesAtOnce: 50 };
const minute = 60_000;
const hour = 60 * minute;
/** Tables come and go within an hour, and a schema of ten thousand is megabytes. */
const schemaMinutes = 55;
/** What is learned from intervals and hours. */
const historyMs = 60 * 24 * hour;
/** After a longer pause between two looks, nobody knows when something changed in between. */
const longestGapMs = 2.5 * lookMinutes * minute;
/** Fewer rows that go are no collapse. */
const collapse = { leastRows: 1000, left: 0.5 };
/** Tables that change more often than this have their new rows counted each hour. */
const hourlyBelow = 2 * 3600;

export async function lookAt(
  {
    id: dataSourceId,
    timezone,
    lastLookAt,
  }: Pick<typeof watches.$inferSelect, "id" | "timezone" | "lastLookAt">,
  at: Date,
): Promise<void> {
  const meter = new Meter();
  await rereadSchema(dataSourceId, lastLookAt, at);
  const tables = await db
    .select()
    .from(watchedTables)
    .where(and(eq(watchedTables.dataSourceId, dataSourceId), isNull(watchedTables.goneAt)));
  const seen = await useDatabase(
    dataSourceId,
    (dialect, source) =>
      source.session(async (session) => ({
        hasCloseEstimates: dialect.hasCloseEstimates,
        statistics: await readStatistics(session, dialect, meter),
        newest: await readNewest(session, dialect, tables, meter),
        hours: await countHours(session, dialect, tables, at, meter),
      })),
    "schedule",
  );
  const looked = tables.map((table) => {
    const statistics = seen.statistics.get(tableKey(table.schemaName, table.tableName));
    const state =
      seen.newest.get(table.id) ??
      statistics?.changes ??
      (seen.hasCloseEstimates ? estimateAsState(statistics) : null);
    return { table, statistics, state, ...collapseOf(table, statistics?.rowEstimate ?? null) };
  });
  const collapsed = looked.filter(({ isConfirmed }) => isConfirmed).map(({ table }) => table);
  const counted = await countCollapsed(dataSourceId, collapsed, meter);
  const verdicts = [
    ...(await noticeChanges(looked, timezone, at)),
    ...(await judgeCounts(counted, seen.hours, timezone, at)),
  ];
  await settleAlerts(verdicts, at);
  await endOldEvents(dataSourceId, at);
  await db.insert(watchRuns).values({
    ...{ dataSourceId, kind: "Look", startedAt: at, tables: tables.length, tablesLeft: 0 },
    ...{ seconds: meter.seconds, statements: meter.statements, rowsRead: meter.rowsRead },
  });
}

/** Reads the catalog if that is due, and notices what changed in it, whoever has read it. */
async function rereadSchema(dataSourceId: number, lastLookAt: Date | null, at: Date): Promise<void> {
  const readAt = await schemaReadAt(dataSourceId);
  const isOld = readAt === null || at.getTime() - readAt.getTime() > schemaMinutes * minute;
  const isSeen = readAt !== null && lastLookAt !== null && readAt < lastLookAt;
  if (!isOld && isSeen) return;
  const schema = isOld ? await readSchema(dataSourceId) : await findKnownSchema(db, dataSourceId);
  if (schema) await noticeSchema(dataSourceId, schema, at);
}

async function readStatistics(
  session: Session,
  dialect: Dialect,
  meter: Meter,
): Promise<Map<string, Statistics>> {
  const { rows } = await meter.read(session, dialect.tableStatistics, { timeoutMs: limits.statisticsMs });
  return new Map(
    rows.map(([schemaName, tableName, estimate, changes]) => [
      tableKey(String(schemaName), String(tableName)),
      {
        rowEstimate: estimate === null || estimate === undefined ? null : Number(estimate),
        changes: changes === null || changes === undefined ? null : String(changes),
      },
    ]),
  );
}

/** Where the server does not say what has changed, the number of rows must do, unless it is only guessed. */
const estimateAsState = (statistics: Statistics | undefined) =>
  statistics?.rowEstimate == null ? null : `${statistics.rowEstimate} rows`;

type Asked = { id: number; sql: string };

/** One number or text for each table, many in a statement. A table that fails is left out, and so is what takes too long. */
async function askEach(
  session: Session,
  asked: readonly Asked[],
  meter: Meter,
  timeoutMs: number,
): Promise<Map<number, string>> {
  const answers = new Map<number, string>();
  for (const some of inParts(asked, limits.tablesAtOnce)) {
    const ask = async (part: readonly Asked[]) => {
      const sql = part.map(({ id, sql }) => `select ${id} as id, (${sql}) as v`).join(" union all ");
      const { rows } = await meter.read(session, sql, { timeoutMs });
      for (const [id, value] of rows)
        if (value !== null && value !== undefined) answers.set(Number(id), String(value));
    };
    try {
      await ask(some);
    } catch (error) {
      if (!isSourceError(error) || error.kind === "unreachable") throw error;
      // One of them was dropped since, or is locked.
      for (const each of some)
        await ask([each]).catch((problem) => {
          if (!isSourceError(problem) || problem.kind === "unreachable") throw problem;
        });
    }
  }
  return answers;
}

function readNewest(session: Session, dialect: Dialect, tables: readonly Watched[], meter: Meter) {
  const asked = tables.flatMap((table) => {
    if (table.arrivalColumn === null || !table.isArrivalCheap) return [];
    const column = dialect.quote(table.arrivalColumn);
    const finite = dialect.isFiniteTime(column);
    const newest = dialect.exactText(`max(${column})`, "time");
    const sql = `select ${newest} from ${relationOf(dialect, table)}${finite === null ? "" : ` where ${finite}`}`;
    return [{ id: table.id, sql }];
  });
  return askEach(session, asked, meter, limits.newestMs);
}

const relationOf = (dialect: Dialect, { schemaName, tableName }: Watched) =>
  relationIn(dialect, schemaName, tableName);

/** The rows of the last whole hour, of tables that change within hours. */
async function countHours(
  session: Session,
  dialect: Dialect,
  tables: readonly Watched[],
  at: Date,
  meter: Meter,
): Promise<Map<number, { until: Date; rows: number }>> {
  const until = new Date(Math.floor(at.getTime() / hour) * hour);
  const from = new Date(until.getTime() - hour);
  const due = tables.filter(
    ({ arrivalColumn, isArrivalCheap, countedUntil, lateAfter, lastChangeAt }) =>
      arrivalColumn !== null &&
      isArrivalCheap &&
      (countedUntil === null || countedUntil < until) &&
      lateAfter !== null &&
      lastChangeAt !== null &&
      lateAfter.getTime() - lastChangeAt.getTime() < 1000 * hourlyBelow + lookMinutes * minute,
  );
  const literal = (moment: Date) => dialect.momentLiteral(moment.toISOString().slice(0, 19));
  const asked = due.map((table) => {
    const column = dialect.moment(dialect.quote(table.arrivalColumn ?? ""));
    const sql = `select ${dialect.count()} from ${relationOf(dialect, table)} where ${column} >= ${literal(from)} and ${column} < ${literal(until)}`;
    return { id: table.id, sql };
  });
  const counts = await askEach(session, asked, meter, limits.countMs);
  for (const rows of counts.values()) meter.rowsRead += Number(rows);
  return new Map([...counts].map(([id, rows]) => [id, { until, rows: Number(rows) }]));
}

/**
 * Whether the server says that most rows are gone, and has said so twice: many tables are emptied and filled again within
 * minutes, and estimates err.
 */
function collapseOf(table: Watched, estimate: number | null): { isSuspected: boolean; isConfirmed: boolean } {
  const isSuspected =
    estimate !== null &&
    (table.rowEstimate ?? 0) >= collapse.leastRows &&
    estimate < (table.rowEstimate ?? 0) * collapse.left;
  return { isSuspected, isConfirmed: isSuspected && table.collapsedAt !== null };
}

async function countCollapsed(
  dataSourceId: number,
  tables: readonly Watched[],
  meter: Meter,
): Promise<Map<number, number>> {
  if (tables.length === 0) return new Map();
  const counts = await useDatabase(
    dataSourceId,
    (dialect, source) =>
      source.session((session) =>
        askEach(
          session,
          tables.map((table) => ({
            id: table.id,
            sql: `select ${dialect.count()} from ${relationOf(dialect, table)}`,
          })),
          meter,
          limits.countMs,
        ),
      ),
    "schedule",
  );
  for (const rows of counts.values()) meter.rowsRead += Number(rows);
  return new Map([...counts].map(([id, rows]) => [id, Number(rows)]));
}

type Looked = {
  table: Watched;
  statistics: Statistics | undefined;
  state: string | null;
  isSuspected: boolean;
  isConfirmed: boolean;
};

/** What has changed since the last look, and what should have. */
async function noticeChanges(looked: readonly Looked[], timezone: string, at: Date): Promise<Verdict[]> {
  const changed = looked.filter(
    ({ table, state }) => state !== null && table.lastState !== null && state !== table.lastState,
  );
  await addPoints(changed.flatMap(({ table }) => intervalOf(table, at)));
  const pauses = await usualPauses(
    changed.map(({ table }) => table),
    timezone,
    at,
  );
  const isChanged = new Set(changed.map(({ table }) => table.id));
  const rows = looked.map(({ table, statistics, state, isSuspected, isConfirmed }) => {
    const pause = pauses.get(table.id);
    const hasChanged = isChanged.has(table.id);
    return {
      id: table.id,
      lastState: state ?? table.lastState,
      lastChangeAt: hasChanged ? at : table.lastChangeAt,
      lateAfter: hasChanged
        ? pause === undefined
          ? null
          : new Date(at.getTime() + 1000 * pause + lookMinutes * minute)
        : table.lateAfter,
      // What is suspected is compared with the number before it.
      rowEstimate:
        isSuspected && !isConfirmed ? table.rowEstimate : (statistics?.rowEstimate ?? table.rowEstimate),
      collapsedAt: isSuspected && !isConfirmed ? at : null,
    };
  });
  for (const some of inParts(rows, 1000))
    await db.execute(sql`
      update ${watchedTables} set last_look_at = ${at.toISOString()}::timestamptz, last_state = seen."lastState",
        last_change_at = seen."lastChangeAt", late_after = seen."lateAfter", row_estimate = seen."rowEstimate", collapsed_at = seen."collapsedAt"
      from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as seen (id int, "lastState" text, "lastChangeAt" timestamptz,
        "lateAfter" timestamptz, "rowEstimate" double precision, "collapsedAt" timestamptz)
      where ${watchedTables.id} = seen.id`);
  return rows.flatMap((row, place): Verdict[] => {
    const table = looked[place]?.table;
    // After a pause of the service, the next look tells what changed meanwhile; without statistics, none does.
    if (!table || !isRecent(table, at) || looked[place]?.state === null) return [];
    return [{ ...about(row.id, "Late"), sentence: lateWords(row, at) }];
  });
}

const about = (tableId: number, kind: Verdict["kind"]) => ({
  ...{ tableId, kind },
  ...{ columnName: null, measure: null },
});

const isRecent = ({ lastLookAt }: Watched, at: Date) =>
  lastLookAt !== null && at.getTime() - lastLookAt.getTime() <= longestGapMs;

function intervalOf(table: Watched, at: Date) {
  if (table.lastChangeAt === null || !isRecent(table, at)) return [];
  const value = (at.getTime() - table.lastChangeAt.getTime()) / 1000;
  return [
    { tableId: table.id, columnName: null, measure: "Interval" as const, at: table.lastChangeAt, value },
  ];
}

function lateWords(
  { lastChangeAt, lateAfter }: { lastChangeAt: Date | null; lateAfter: Date | null },
  at: Date,
): string | null {
  if (lastChangeAt === null || lateAfter === null || at <= lateAfter) return null;
  const since = (at.getTime() - lastChangeAt.getTime()) / 1000;
  const usual = (lateAfter.getTime() - lastChangeAt.getTime()) / 1000 - lookMinutes * 60;
  return `No change for ${lasting(since)}, usually within ${lasting(usual)}`;
}

/** Of tables that have just changed: how long they usually stay as they are. */
async function usualPauses(
  tables: readonly Watched[],
  timezone: string,
  at: Date,
): Promise<Map<number, number>> {
  const pauses = new Map<number, number>();
  for (const some of inParts(tables, 200)) {
    const series = await readSeries(
      some.map(({ id }) => id),
      new Date(at.getTime() - historyMs),
      ["Interval"],
    );
    for (const { tableId, points } of series) {
      const pause = usualPause(points.slice(-maxIntervals), timezone, at);
      if (pause !== null) pauses.set(tableId, pause);
    }
  }
  return pauses;
}
/** Learning is quick, but there may be ten thousand tables. */
const maxIntervals = 500;

/** Adds what was counted, and judges it. */
async function judgeCounts(
  collapsed: ReadonlyMap<number, number>,
  hours: ReadonlyMap<number, { until: Date; rows: number }>,
  timezone: string,
  at: Date,
): Promise<Verdict[]> {
  const ofHours = [...hours].map(([tableId, { until, rows }]) => ({
    ...{ tableId, columnName: null, measure: "HourRows" as const },
    ...{ at: new Date(until.getTime() - hour), value: rows },
  }));
  const ofCounts = [...collapsed].map(([tableId, value]) => ({
    ...{ tableId, columnName: null, measure: "Rows" as const, at, value },
  }));
  await addPoints([...ofHours, ...ofCounts]);
  for (const some of inParts([...hours], 1000))
    await db.execute(sql`
      update ${watchedTables} set counted_until = ${some[0]?.[1].until.toISOString()}::timestamptz
      where ${watchedTables.id} = any(${`{${some.map(([id]) => id).join()}}`}::int[])`);
  const verdicts: Verdict[] = [];
  for (const { measure, ids } of [
    { measure: "HourRows" as const, ids: [...hours.keys()] },
    { measure: "Rows" as const, ids: [...collapsed.keys()] },
  ])
    for (const some of inParts(ids, 200))
      for (const { tableId, points } of await readSeries(some, new Date(at.getTime() - historyMs), [measure]))
        verdicts.push({
          ...{ tableId, kind: "Volume", columnName: null, measure },
          sentence: sentenceOf(measure, points, timezone),
        });
  return verdicts;
}

function sentenceOf(measure: "HourRows" | "Rows", points: readonly Point[], timezone: string): string | null {
  const latest = points.at(-1);
  const judged = judgeLatest(measure, timezone, points);
  return latest && judged?.isUnusual ? unusualInWords(measure, null, latest.value, judged) : null;
}
