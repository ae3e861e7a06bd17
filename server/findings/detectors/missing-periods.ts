import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, plural, withArticle } from "../../text.ts";
import type { Candidate, ObservedDatabase, Timeline } from "../candidate.ts";
import { dayOffAt } from "../days-off.ts";
import { medianOf } from "../measured.ts";
import { lengthOf, momentText, periodAt, startOf, timelineOf, type Unit } from "../timeline.ts";
import { cycleOf, type Rhythm, regrouped, rhythmOf } from "./rhythm.ts";

const day = 86_400_000;
/**
 * A thin period has at most this part of the usual rows; more where all loads are alike. If it has rows, it lacks at least
 * so many, since one of two is soon away. Runs of them are no longer
 * than so many, and stand between periods that are as usual. A table that is loaded
 * on this part of so many days off or more is loaded on all.
 */
const limits = {
  thin: 0.35,
  thinWhereAlike: 0.7,
  fewestLost: 3,
  alike: 0.9,
  together: 14,
  beside: 0.6,
  same: 0.6,
  low: 0.25,
  daysOff: 3,
  worked: 0.75,
};
/**
 * How far a hole is from chance, in nats: more than so many where there is one period, and so many times as many as other thin runs of the table.
 * Of these so many, or this part of the periods, may be as bad: they are holes, too.
 */
const surprise = { least: 3, beside: 2.5, holes: 4, ofPeriods: 0.01, spread: 0.02, half: 0.45, few: 4 };
const most = { periods: 50_000 };

type Period = { at: number; rows: number; usual: number; ratio: number };
type Run = { periods: Period[]; score: number };

/** Hours, days, weeks or months with far fewer rows than are usual then, between others that are as usual. */
export function missingPeriodsIn(table: ObservedTable, database: ObservedDatabase): Candidate[] {
  const rhythm = rhythmOf(table, database.now);
  if (!rhythm) return [];
  const others = database.tables
    .filter((each) => each !== table)
    .flatMap((each) => rhythmOf(each, database.now) ?? []);
  // The longer the periods, the more rows say whether some are missing: longer ones are looked at as well.
  const scales: Unit[] = rhythm.unit === "Hour" ? ["Day", "Hour"] : [rhythm.unit];
  const found: Candidate[] = [];
  for (const unit of scales) {
    const whole = { ...lookedAt(rhythm, unit, database.now), shared: [] };
    const seen = besidesShared(whole, unit, others, database.now);
    // Where whole days go up and down, their hours do with them.
    if (unit === "Hour" && lookedAt(rhythm, "Day", database.now).low < limits.low) continue;
    const isAlone = (run: Run) => besides(run.periods, unit, others, database.now).length === 0;
    // Where no other table tells how usual a day is, it is one among all thin days of this one.
    const among = seen.shared.length === 0 ? null : holesIn(whole, unit, isAlone);
    const isNone = (run: Run) =>
      among !== null &&
      isAlone(run) &&
      !among.some(({ periods }) => periods.some((period) => run.periods.includes(period)));
    const runs = holesIn(seen, unit, isAlone)
      .filter((run) => !isNone(run))
      .filter((run) => !isShared(run, unit, others, database.now) && !cameUndated(run, unit, rhythm, table))
      .filter((run) => !found.some(({ evidence: { since } }) => isInside(run, unit, since ?? "")));
    found.push(
      ...runs.map((run) =>
        described(table, rhythm, run, { unit, seen, holes: runs.length, others, now: database.now }),
      ),
    );
  }
  return found.toSorted((a, b) => (a.evidence.since ?? "").localeCompare(b.evidence.since ?? ""));
}

/** What is said of the day is not said of its hours again. */
const isInside = ({ periods }: Run, unit: Unit, since: string) =>
  since.slice(0, 10) === new Date(startOf(periods[0]?.at ?? 0, unit)).toISOString().slice(0, 10);

/**
 * Without the periods that are thin in most of the other tables as well: how far a table goes down on days on which nobody
 * is at work says nothing about the others.
 */
function besidesShared(seen: LookedAt, unit: Unit, others: readonly Rhythm[], now: number): Seen {
  const shared = new Set(
    seen.periods.filter(
      (each) => each.ratio < 0.5 && isShared({ periods: [each], score: 0 }, unit, others, now),
    ),
  );
  if (shared.size === 0) return { ...seen, shared: [] };
  const own = spreadOf(
    seen.periods.filter((each) => !shared.has(each)),
    seen.last,
  );
  // What is beside a rest goes up and down by more than what is left, so the spread stays.
  return { ...own, spread: seen.spread, shared: [...shared] };
}

/** The thin runs that are like no others in the table, and that nothing explains. */
function holesIn(
  { periods, shared, spread, isAlike, last }: Seen,
  unit: Unit,
  isAlone: (run: Run) => boolean,
): Run[] {
  const isThin = ({ rows, usual, ratio }: Period) =>
    ratio <= (isAlike ? limits.thinWhereAlike : limits.thin) &&
    (rows === 0 || usual - rows >= limits.fewestLost);
  const all = [...periods, ...shared].sort((a, b) => a.at - b.at);
  const daysOff = daysOffIn(all, unit);
  const runsOf = (some: readonly Period[]) =>
    inRuns(some.filter(isThin), some)
      .map((run) => ({ periods: run, score: -chanceOf(withoutDaysOff(run, daysOff, unit)) / spread }))
      .filter(({ score }) => score > 0);
  const own = runsOf(periods);
  // What others rest on, too, tells of another year only where there are no others.
  const withShared = shared.length === 0 ? own : runsOf(all);
  const runs = own
    .filter((run) => !isYearly(run, isAlone(run) ? withShared : own, unit))
    .toSorted((a, b) => b.score - a.score);
  const expected = Math.max(surprise.holes, Math.floor(periods.length * surprise.ofPeriods));
  const usual = runs[expected]?.score ?? 0;
  // Where there are many periods, one of them is thin by chance.
  const least = surprise.least + Math.log(Math.max(1, periods.length));
  return runs
    .slice(0, expected)
    .filter(({ score }) => score >= least && score >= usual * surprise.beside)
    .filter((run) => periodsOf(run) <= limits.together && standsAlone(run, periods, last));
}

const periodsOf = ({ periods }: Run) => (periods.at(-1)?.at ?? 0) - (periods[0]?.at ?? 0) + 1;

/** Of so many rows that are usual so few come by chance, as independent events do: Chernoff's bound, as a logarithm. */
function chanceOf(run: readonly Period[]): number {
  const [rows, usual] = [sumOf(run, "rows"), sumOf(run, "usual")];
  if (rows >= usual) return 0;
  return rows === 0 ? -usual : rows - usual - rows * Math.log(rows / usual);
}

const sumOf = (run: readonly Period[], what: "rows" | "usual") =>
  run.reduce((sum, each) => sum + each[what], 0);

/** The periods before and after are as usual: where the numbers sink and rise again, nothing was cut. */
function standsAlone({ periods: run }: Run, periods: readonly Period[], last: number): boolean {
  const [from, to] = [run[0]?.at ?? 0, run.at(-1)?.at ?? 0];
  const before = periods.filter(({ at }) => at < from).slice(-2);
  const after = periods.filter(({ at }) => at > to).slice(0, 2);
  // Where a table begins, its numbers often rise.
  return before.length > 0 && isAsUsual(before) && (to === last || isAsUsual(after));
}

/** What did not come then came with the load before or after. */
function isMadeUp({ periods: run }: Run, periods: readonly Period[]): boolean {
  const missing = sumOf(run, "usual") - sumOf(run, "rows");
  const [from, to] = [run[0]?.at ?? 0, run.at(-1)?.at ?? 0];
  const beside = [periods.findLast(({ at }) => at < from), periods.find(({ at }) => at > to)];
  return beside.some((each) => {
    const more = each ? each.rows - each.usual : 0;
    const usual = each?.usual ?? 0;
    return more >= missing * 0.5 && more >= usual * 0.45 && more >= 2.5 * Math.sqrt(usual);
  });
}

/** The same days of another year, or the same weekday about then: a holiday, or a rest in summer. */
function isYearly({ periods: run }: Run, runs: readonly Run[], unit: Unit): boolean {
  if (unit === "Hour") return false;
  const from = run[0]?.at ?? 0;
  const year = 365.25 * day;
  return runs.some(({ periods: other }) => {
    const distance = Math.abs(startOf(other[0]?.at ?? 0, unit) - startOf(from, unit));
    const years = Math.round(distance / year);
    const off = Math.abs(distance - years * year);
    const isSame = off <= 1.5 * day || (off <= 7 * day && (distance % (7 * day) === 0 || run.length >= 5));
    return years >= 1 && isSame && other.length >= run.length / 2 && other.length <= run.length * 2;
  });
}

/** Nothing came into most of the other tables either, where something usually does: nobody was at work. */
function isShared({ periods: run }: Run, unit: Unit, others: readonly Rhythm[], now: number): boolean {
  const ratios = besides(run, unit, others, now);
  return ratios.length > 0 && ratios.filter((ratio) => ratio < 0.5).length >= ratios.length / 2;
}

/**
 * Rows without a moment stand between those from before and after, half as many as are missing or more: they came, but do not
 * say when.
 */
function cameUndated(
  { periods: run }: Run,
  unit: Unit,
  { column: { moments, rows } }: Rhythm,
  { rowCount }: ObservedTable,
): boolean {
  const periods = [...(moments ?? [])].map((moment) => periodAt(moment, unit));
  const [from, to] = [run[0]?.at ?? 0, run.at(-1)?.at ?? 0];
  const before = periods.reduce(
    (last, at) => (at < from ? Math.max(last, at) : last),
    Number.NEGATIVE_INFINITY,
  );
  const after = periods.reduce((next, at) => (at > to ? Math.min(next, at) : next), Number.POSITIVE_INFINITY);
  let undated = 0;
  let isThen = false;
  for (let row = 0; row < rowCount; row++) {
    const at = periods[rows[row] ?? -1] ?? Number.NaN;
    if (!Number.isNaN(at)) isThen = at >= before && at <= after;
    else if (isThen) undated++;
  }
  return undated >= (sumOf(run, "usual") - sumOf(run, "rows")) / 2;
}

/** How much of what is usual came into other tables then. */
function besides(run: readonly Period[], unit: Unit, others: readonly Rhythm[], now: number): number[] {
  return others
    .filter((other) => lengthOf(other.unit) <= lengthOf(unit))
    .flatMap((other) => {
      const places = placesOf(lookedAt(other, unit, now));
      const then = run.flatMap(({ at }) => places.get(at) ?? []);
      return then.length === 0 ? [] : [sumOf(then, "rows") / sumOf(then, "usual")];
    });
}

const gathered = new WeakMap<LookedAt, ReadonlyMap<number, Period>>();

/** Each is asked about again and again. */
function placesOf(seen: LookedAt): ReadonlyMap<number, Period> {
  const before = gathered.get(seen);
  if (before) return before;
  const places = new Map(seen.periods.map((period) => [period.at, period]));
  gathered.set(seen, places);
  return places;
}

type LookedAt = {
  periods: readonly Period[];
  /** How much further than by chance the periods are from what is usual: 1 for independent events, 0 for equal loads. */
  spread: number;
  /** Whether hardly any load is smaller than the others. */
  isAlike: boolean;
  /** How small the smaller ones are. */
  low: number;
  last: number;
};

/** What is left of it without the thin periods that others share. */
type Seen = LookedAt & { shared: readonly Period[] };

const known = new WeakMap<Rhythm, Map<Unit, LookedAt>>();

function lookedAt(rhythm: Rhythm, unit: Unit, now: number): LookedAt {
  const before = known.get(rhythm) ?? new Map<Unit, LookedAt>();
  known.set(rhythm, before);
  const found = before.get(unit) ?? lookAt(rhythm, unit, now);
  before.set(unit, found);
  return found;
}

/** Each period but the first, and the last unless it is over, beside what is usual around it. */
function lookAt(rhythm: Rhythm, unit: Unit, now: number): LookedAt {
  const counts = regrouped(rhythm, unit);
  // A day is like the same day of other weeks, an hour like the same hour of the same weekday, a week or a month like its
  // neighbors.
  const cycle = cycleOf(unit);
  const [first, newest] = [periodAt(rhythm.first, unit), periodAt(rhythm.newest, unit)];
  const periods: Period[] = [];
  if (newest - first > most.periods) return { periods, spread: 1, isAlike: false, low: 0, last: newest };
  const last = isOver(rhythm, unit, newest, now) ? newest : newest - 1;
  for (let at = first + 1; at <= last; at++) {
    const around = [-4, -3, -2, -1, 1, 2, 3, 4]
      .map((step) => at + step * cycle)
      .filter((each) => each > first && each <= last)
      .map((each) => counts.get(each) ?? 0);
    const usual = around.length < 4 ? 0 : lowerMedianOf(around);
    // Between zeros nothing is usual, unless it is a single one.
    if (usual < 1 || around.filter((count) => count === 0).length > 2) continue;
    const rows = counts.get(at) ?? 0;
    periods.push({ at, rows, usual, ratio: rows / usual });
  }
  return spreadOf(periods, last);
}

/** How far periods go up and down. */
function spreadOf(periods: readonly Period[], last: number): LookedAt {
  const ratios = periods.map(({ ratio }) => ratio).sort((a, b) => a - b);
  const low = ratios[Math.floor(ratios.length * 0.02)] ?? 0;
  // Half of the squares of normal numbers are below 0.455.
  const squares = periods.map(({ rows, usual }) => (rows - usual) ** 2 / usual);
  // A few rows that are not always as many go further down by chance than half of the periods show.
  const areEqual = (ratios[Math.floor(ratios.length * 0.1)] ?? 0) >= limits.alike;
  const few = areEqual ? 0 : Math.min(1, surprise.few / medianOf(periods.map(({ usual }) => usual)));
  const seen = Math.max(surprise.spread, few, medianOf(squares) / 0.455);
  // Where hardly any period is far below what is usual, none goes down by more than chance, however far others go up.
  const spread = low >= surprise.half ? Math.min(1, seen) : seen;
  return { periods, spread, low, isAlike: low >= limits.alike, last };
}

/** Of an even number the lower one: in a short time a peak or two is not what is usual. */
const lowerMedianOf = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1] ?? 0;

/** Whether nothing more of a period is to come: it is past, or loads come at once and this one has. */
function isOver({ column, newest, longestGap }: Rhythm, unit: Unit, at: number, now: number): boolean {
  const end = startOf(at + 1, unit);
  // A copy of last year may have been taken at noon.
  if (now >= end && now - end <= longestGap + 2 * day) return true;
  const moments = (column.moments ?? new Float64Array()).filter((moment) => moment < now + day);
  if (moments.every((moment) => moment % day === 0)) return false;
  const [low, high] = [new Map<number, number>(), new Map<number, number>()];
  for (const moment of moments) {
    const place = periodAt(moment, unit);
    low.set(place, Math.min(low.get(place) ?? moment, moment));
    high.set(place, Math.max(high.get(place) ?? moment, moment));
  }
  const lasting = medianOf([...low].map(([place, from]) => (high.get(place) ?? from) - from));
  return lasting <= lengthOf(unit) / 10 && now - newest >= 3 * lasting;
}

/** The periods of each day on which nobody works, by the number of the day since 1970. */
const daysOffIn = (periods: readonly Period[], unit: Unit): ReadonlyMap<number, Period[]> =>
  lengthOf(unit) > day
    ? new Map()
    : Map.groupBy(
        periods.filter(({ at }) => dayOffAt(startOf(at, unit))),
        ({ at }) => periodAt(startOf(at, unit), "Day"),
      );

/**
 * Without days on which nobody works, unless the table tells otherwise: that nothing came then says nothing. Nothing is
 * left where half is at the turn of the year, which some extend.
 */
function withoutDaysOff(
  run: readonly Period[],
  daysOff: ReadonlyMap<number, Period[]>,
  unit: Unit,
): readonly Period[] {
  const days = Map.groupBy(run, ({ at }) => periodAt(startOf(at, unit), "Day"));
  const off = [...days].flatMap(([at, those]) =>
    daysOff.has(at) && !isWorkedOn(at, those, daysOff) ? those : [],
  );
  const atTurnOfYear = off.filter(({ at }) => dayOffAt(startOf(at, unit))?.isTurnOfYear);
  if (off.length > 0 && atTurnOfYear.length >= run.length / 2) return [];
  return run.filter((each) => !off.includes(each));
}

/**
 * A table is loaded on a day off if the rest of that day was as usual; or else that day in other years; or else most of
 * the others. At the turn of the year even what never rests may rest: there, only the same day tells.
 */
function isWorkedOn(at: number, thin: readonly Period[], daysOff: ReadonlyMap<number, Period[]>): boolean {
  const off = dayOffAt(at * day);
  const rest = (daysOff.get(at) ?? []).filter((period) => !thin.includes(period));
  if (rest.length > 0) return isAsUsual(rest);
  const others = [...daysOff].flatMap(([other, those]) => {
    const known = other === at ? null : dayOffAt(other * day);
    return known ? [{ ...known, isWorked: isAsUsual(those) }] : [];
  });
  const same = others.filter(({ name }) => name === off?.name);
  const full = others.filter(({ isFull }) => isFull);
  const telling = same.length > 0 || off?.isTurnOfYear || full.length < limits.daysOff ? same : full;
  const worked = telling.filter(({ isWorked }) => isWorked).length;
  return worked > 0 && worked >= telling.length * limits.worked;
}

const isAsUsual = (periods: readonly Period[]) =>
  sumOf(periods, "rows") >= sumOf(periods, "usual") * limits.beside;

/** Thin periods that follow each other, with what is between two of them. */
function inRuns(thin: readonly Period[], periods: readonly Period[]): Period[][] {
  const places = new Map(periods.map((period, place) => [period.at, place]));
  const runs: Period[][] = [];
  for (const hole of thin) {
    const run = runs.at(-1);
    const last = run?.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    const place = places.get(hole.at) ?? 0;
    if (run && hole.at - last <= 2) run.push(...periods.slice((places.get(last) ?? place) + 1, place + 1));
    else runs.push([hole]);
  }
  return runs;
}

function described(
  table: ObservedTable,
  rhythm: Rhythm,
  { periods: run, score }: Run,
  found: { unit: Unit; seen: Seen; holes: number; others: readonly Rhythm[]; now: number },
): Candidate {
  const { unit, seen } = found;
  const [rows, usual] = [sumOf(run, "rows"), Math.round(sumOf(run, "usual"))];
  const text = (at: number) => momentText(startOf(at, unit), unit === "Hour");
  const [from, to] = [text(run[0]?.at ?? 0), text(run.at(-1)?.at ?? 0)];
  const isOne = from === to;
  const when: Record<Unit, string> = {
    Hour: isOne ? `from ${from} on for an hour` : `from ${from} to ${to}`,
    Day: isOne ? `on ${from}` : `from ${from} to ${to}`,
    Week: isOne ? `in the week of ${from}` : `from ${from} to ${to}`,
    Month: isOne ? `in ${from.slice(0, 7)}` : `from ${from.slice(0, 7)} to ${to.slice(0, 7)}`,
  };
  const beside = besides(run, unit, found.others, found.now);
  return {
    kind: "Truncated",
    table,
    columns: [rhythm.column.name],
    rows: new Int32Array(0),
    condition: null,
    outOf: table.rowCount,
    statement:
      `${rows === 0 ? "No row" : `Only ${plural(rows, "row")}`} of ${table.tableName} ` +
      `${rows <= 1 ? "has" : "have"} ${withArticle(rhythm.column.name)} ${when[unit]}, where ${figure(usual)} are usual.`,
    rule: null,
    features: {
      surprise: Math.min(1, Math.log10(Math.max(1, score / surprise.least)) / 2),
      empty: Number(rows === 0),
      depth: 1 - Math.min(1, rows / usual),
      steady: Math.min(1, seen.low),
      usual: Math.min(1, Math.log10(Math.max(1, usual)) / 4),
      few: 1 / found.holes,
      length: 1 / run.length,
      isLast: Number(run.at(-1)?.at === seen.last),
      alive: beside.filter((ratio) => ratio >= 0.5).length / (beside.length + 1),
      madeUp: Number(isMadeUp({ periods: run, score }, seen.periods)),
      isHole: 1,
    },
    evidence: { since: from, timeline: timelineAround(rhythm, run, found) },
  };
}

function timelineAround(
  { column, first, newest }: Rhythm,
  run: readonly Period[],
  { unit, seen: { periods } }: { unit: Unit; seen: Seen },
): Timeline {
  const usual = new Map(periods.map((each) => [each.at, each.usual]));
  const holes = new Set(run.map(({ at }) => at));
  const places = {
    ...{ from: periodAt(first, unit), to: periodAt(newest, unit) },
    ...{ doubtedFrom: run[0]?.at ?? 0, doubtedTo: run.at(-1)?.at ?? 0 },
  };
  return timelineOf(column, unit, places, (at) => {
    const known = usual.get(at);
    return { ...(known !== undefined && { usual: known }), isInDoubt: holes.has(at) };
  });
}
