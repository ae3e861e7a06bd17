import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, plural, withArticle } from "../../text.ts";
import type { Candidate, ObservedDatabase, Timeline } from "../candidate.ts";
import { medianOf } from "../measured.ts";
import { timelineOf, unitOf } from "../timeline.ts";
import { type Rhythm, rhythmOf } from "./rhythm.ts";

const [hour, day] = [3_600_000, 86_400_000];
/** A hole has at most this part of the usual rows, of which there are so many; and there are few holes. */
const limits = { share: 0.35, steady: 0.25, beside: 0.6, usual: 8, holes: 0.02, together: 14 };

type Period = { at: number; rows: number; usual: number; ratio: number };

/** Hours, days or weeks with far fewer rows than are usual then, between others that are as usual. */
export function missingPeriodsIn(table: ObservedTable, database: ObservedDatabase): Candidate[] {
  const rhythm = rhythmOf(table, database.now);
  if (!rhythm) return [];
  const scaled = [hour, day, 7 * day].find(
    (period) => period >= rhythm.period && usualRows(rhythm, period) >= limits.usual,
  );
  if (!scaled) return [];
  const periods = periodsOf(rhythm, scaled);
  const ratios = periods.map(({ ratio }) => ratio).sort((a, b) => a - b);
  // How far below the middle the periods of this table usually lie: some go up and down a lot.
  const low = ratios[Math.floor(ratios.length * 0.03)] ?? 0;
  if (low < limits.steady) return [];
  const holes = periods.filter(
    ({ ratio, rows, usual, at }) =>
      ratio <= Math.min(limits.share, low * 0.5) &&
      isBeyondChance(rows, usual) &&
      !isHoliday(at * scaled, scaled),
  );
  if (holes.length === 0 || holes.length > Math.max(limits.together, periods.length * limits.holes))
    return [];
  return inRuns(holes)
    .filter((run) => run.length <= limits.together && standsAlone(run, periods))
    .map((run) =>
      described(table, rhythm, run, { period: scaled, periods, low, holes: holes.length, database }),
    );
}

/** The periods before and after are as usual: where the numbers sink and rise again, nothing was cut. */
function standsAlone(run: readonly Period[], periods: readonly Period[]): boolean {
  const before = periods.findLast(({ at }) => at < (run[0]?.at ?? 0));
  const after = periods.find(({ at }) => at > (run.at(-1)?.at ?? 0));
  return [before, after].every((beside) => (beside?.ratio ?? 1) >= limits.beside);
}

const usualRows = (rhythm: Rhythm, period: number) => medianOf([...regrouped(rhythm, period).values()]);

function regrouped(rhythm: Rhythm, period: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [at, rows] of rhythm.counts) {
    const start = at * rhythm.period;
    if (start < rhythm.first || start > rhythm.newest) continue;
    const place = Math.floor(start / period);
    found.set(place, (found.get(place) ?? 0) + rows);
  }
  return found;
}

/** Each period but the first and the last, which may be begun or unfinished, beside what is usual around it. */
function periodsOf(rhythm: Rhythm, period: number): Period[] {
  const counts = regrouped(rhythm, period);
  // A day is like the same day of other weeks, an hour like the same hour of the same weekday, a week like its neighbors.
  const cycle = period === day ? 7 : period === hour ? 168 : 1;
  const [first, last] = [Math.floor(rhythm.first / period), Math.floor(rhythm.newest / period)];
  const found: Period[] = [];
  if (last - first > 50_000) return found;
  for (let at = first + 1; at < last; at++) {
    const around = [-4, -3, -2, -1, 1, 2, 3, 4]
      .map((step) => at + step * cycle)
      .filter((each) => each > first && each < last)
      .map((each) => counts.get(each) ?? 0);
    if (around.length < 4) continue;
    const usual = medianOf(around);
    const rows = counts.get(at) ?? 0;
    if (usual < limits.usual || Math.min(...around) === 0) {
      // Between zeros nothing is usual, unless it is a single one.
      if (usual < limits.usual || around.filter((count) => count === 0).length > 2) continue;
    }
    found.push({ at, rows, usual, ratio: rows / usual });
  }
  return found;
}

/** So few of so many do not come by chance, as independent events do: Chernoff's bound of a Poisson number. */
function isBeyondChance(rows: number, usual: number): boolean {
  const bound = rows === 0 ? -usual : rows - usual - rows * Math.log(rows / usual);
  return bound < Math.log(1e-4);
}

/** Around the turn of the year much rests. */
function isHoliday(moment: number, period: number): boolean {
  if (period > day) return false;
  const at = new Date(moment);
  const date = (at.getUTCMonth() + 1) * 100 + at.getUTCDate();
  return date >= 1224 || date <= 102;
}

function inRuns(holes: readonly Period[]): Period[][] {
  const runs: Period[][] = [];
  for (const hole of holes) {
    const run = runs.at(-1);
    if (run && hole.at - (run.at(-1)?.at ?? 0) <= 2) run.push(hole);
    else runs.push([hole]);
  }
  return runs;
}

function described(
  table: ObservedTable,
  rhythm: Rhythm,
  run: readonly Period[],
  found: {
    period: number;
    periods: readonly Period[];
    low: number;
    holes: number;
    database: ObservedDatabase;
  },
): Candidate {
  const { period, database } = found;
  const sum = (of: (each: Period) => number) => run.reduce((total, each) => total + of(each), 0);
  const [rows, usual] = [sum((each) => each.rows), Math.round(sum((each) => each.usual))];
  const text = (at: number) =>
    new Date(at * period)
      .toISOString()
      .slice(0, period < day ? 16 : 10)
      .replace("T", " ");
  const [from, to] = [text(run[0]?.at ?? 0), text(run.at(-1)?.at ?? 0)];
  const when =
    from === to
      ? period > day
        ? `in the week of ${from}`
        : period < day
          ? `from ${from} on for an hour`
          : `on ${from}`
      : `from ${from} to ${to}`;
  const others = database.tables
    .filter((each) => each !== table)
    .flatMap((each) => rhythmOf(each, database.now) ?? [])
    .filter((each) => each.period <= period)
    .map((each) => run.map(({ at }) => periodsOf(each, period).find((other) => other.at === at)?.ratio ?? 1))
    .map((ratios) => Math.max(...ratios));
  return {
    kind: "Truncated",
    table,
    columns: [rhythm.column.name],
    rows: new Int32Array(0),
    condition: null,
    outOf: table.rowCount,
    statement:
      `${rows === 0 ? "No row" : `Only ${plural(rows, "row")}`} of ${table.tableName} ` +
      `${rows <= 1 ? "has" : "have"} ${withArticle(rhythm.column.name)} ${when}, where ${figure(usual)} are usual.`,
    rule: null,
    features: {
      empty: Number(rows === 0),
      depth: 1 - Math.min(1, rows / usual),
      steady: Math.min(1, found.low),
      usual: Math.min(1, Math.log10(usual) / 4),
      few: 1 / found.holes,
      length: 1 / run.length,
      siblingsToo: others.length === 0 ? 0 : others.filter((ratio) => ratio < 0.5).length / others.length,
    },
    evidence: { since: from, timeline: timelineAround(rhythm, run, found) },
  };
}

function timelineAround(
  { column, first, newest }: Rhythm,
  run: readonly Period[],
  { period, periods }: { period: number; periods: readonly Period[] },
): Timeline {
  const usual = new Map(periods.map((each) => [each.at, each.usual]));
  const holes = new Set(run.map(({ at }) => at));
  const places = {
    ...{ from: Math.floor(first / period), to: Math.floor(newest / period) },
    ...{ doubtedFrom: run[0]?.at ?? 0, doubtedTo: run.at(-1)?.at ?? 0 },
  };
  return timelineOf(column, unitOf(period), places, (at) => {
    const known = usual.get(at);
    return { ...(known !== undefined && { usual: known }), isInDoubt: holes.has(at) };
  });
}
