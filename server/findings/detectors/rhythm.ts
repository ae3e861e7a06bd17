import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { loadColumnOf } from "../load-column.ts";
import { lengthOf, periodAt, startOf, type Unit } from "../timeline.ts";

const day = 86_400_000;

/** When rows came into a table, in periods of the length at which they usually come. */
export type Rhythm = {
  column: ObservedColumn;
  /** Whether the column's name says that it is about loading. */
  isNamed: boolean;
  unit: Unit;
  /** How many rows came in each period, by its number since 1970; only periods with rows. */
  counts: ReadonlyMap<number, number>;
  /** When the first period begins, and the newest moment, without strays. In milliseconds since 1970. */
  first: number;
  newest: number;
  /** The longest time between two periods with rows, in milliseconds. */
  longestGap: number;
};

const least = { periods: 20, months: 12, ofSlot: 0.8, ofRows: 0.01 };
/** Loads by the month come within so many days of it, and nearly always in the same so many of its days. */
const monthly = { lasts: 10 * day, window: 7 * day, ofMonths: 0.9 };

/** Every table is compared with every other: each is looked at once. */
const known = new WeakMap<ObservedTable, { now: number; rhythm: Rhythm | null }>();

export function rhythmOf(table: ObservedTable, now: number): Rhythm | null {
  const before = known.get(table);
  if (before?.now === now) return before.rhythm;
  const rhythm = rhythmIn(table, now);
  known.set(table, { now, rhythm });
  return rhythm;
}

/** null for a table without a column of moments that runs with its rows, or with too few periods to have a rhythm. */
function rhythmIn(table: ObservedTable, now: number): Rhythm | null {
  const loads = loadColumnOf(table);
  if (!loads) return null;
  const { column, isNamed } = loads;
  for (const unit of ["Month", "Hour", "Day", "Week"] as const) {
    const moments = momentsByPeriod(column, unit, now);
    if (unit === "Month" && !areLoadsOfMonths(moments)) continue;
    const counts = new Map([...moments].map(([at, { rows }]) => [at, rows]));
    const found = spanOf(counts, unit);
    if (!found) continue;
    const newest = moments.get(found.last)?.newest ?? 0;
    return { ...{ column, isNamed, unit, counts, newest }, first: found.first, longestGap: found.longestGap };
  }
  return null;
}

type Moments = { rows: number; oldest: number; newest: number };

function momentsByPeriod({ moments, counts }: ObservedColumn, unit: Unit, now: number): Map<number, Moments> {
  const found = new Map<number, Moments>();
  for (const [index, moment] of moments?.entries() ?? []) {
    if (Number.isNaN(moment) || moment > now + day) continue;
    const at = periodAt(moment, unit);
    const known = found.get(at) ?? { rows: 0, oldest: moment, newest: moment };
    known.rows += counts[index] ?? 0;
    known.oldest = Math.min(known.oldest, moment);
    known.newest = Math.max(known.newest, moment);
    found.set(at, known);
  }
  return found;
}

/**
 * Whether rows come at once in a month, and always about the same days of it, counted from its beginning or its end: what
 * comes now and then has no rhythm, however few months are without.
 */
function areLoadsOfMonths(months: ReadonlyMap<number, Moments>): boolean {
  if (months.size < least.months) return false;
  const lasting = [...months.values()].map(({ oldest, newest }) => newest - oldest).sort((a, b) => a - b);
  if ((lasting[Math.floor(lasting.length * monthly.ofMonths)] ?? 0) > monthly.lasts) return false;
  const begins = [...months].map(([at, { oldest }]) => oldest - startOf(at, "Month"));
  const ends = [...months].map(([at, { newest }]) => startOf(at + 1, "Month") - newest);
  return [begins, ends].some(areTogether);
}

/** Whether nearly all of these are within one window. */
function areTogether(times: readonly number[]): boolean {
  const sorted = times.toSorted((a, b) => a - b);
  const needed = Math.ceil(sorted.length * monthly.ofMonths);
  return sorted.some(
    (from, index) => (sorted[index + needed - 1] ?? Number.POSITIVE_INFINITY) - from < monthly.window,
  );
}

/** null when the periods with rows are too few, or do not usually follow each other. */
function spanOf(counts: ReadonlyMap<number, number>, unit: Unit) {
  const fewest = unit === "Month" ? least.months : least.periods;
  let periods = [...counts.keys()].sort((a, b) => a - b);
  const gaps = periods.slice(1).map((at, index) => at - (periods[index] ?? 0));
  const usual = gaps.toSorted((a, b) => a - b);
  if (periods.length < fewest || usual[Math.floor(usual.length * 0.7)] !== 1) return null;
  // Some rows long after all others, or before, are dates that someone mistyped.
  const far = Math.max(10, (usual[Math.floor(usual.length * 0.95)] ?? 1) * 10);
  periods = withoutStrays(periods, counts, far);
  if (periods.length < fewest) return null;
  const longest = periods.slice(1).reduce((most, at, index) => Math.max(most, at - (periods[index] ?? 0)), 1);
  return {
    first: startOf(periods[0] ?? 0, unit),
    last: periods.at(-1) ?? 0,
    longestGap: longest * lengthOf(unit),
  };
}

/** Without what is far before all others, or after them, and hardly anything. */
export function withoutStrays(
  periods: readonly number[],
  counts: ReadonlyMap<number, number>,
  far: number,
): number[] {
  const rowsIn = (some: readonly number[]) => some.reduce((sum, at) => sum + (counts.get(at) ?? 0), 0);
  const most = Math.max(2, rowsIn(periods) * least.ofRows);
  const breaks = [...periods.keys()].filter(
    (place) => (periods[place] ?? 0) - (periods[place - 1] ?? Number.NaN) > far,
  );
  const from = breaks.findLast((place) => rowsIn(periods.slice(0, place)) <= most) ?? 0;
  const to = breaks.find((place) => place > from && rowsIn(periods.slice(place)) <= most) ?? periods.length;
  return periods.slice(from, to);
}

const longer = new WeakMap<Rhythm, Map<Unit, ReadonlyMap<number, number>>>();

/** Rows by longer periods, from the first to the newest. */
export function regrouped(rhythm: Rhythm, unit: Unit): ReadonlyMap<number, number> {
  const before = longer.get(rhythm) ?? new Map<Unit, ReadonlyMap<number, number>>();
  longer.set(rhythm, before);
  const found = before.get(unit) ?? regroup(rhythm, unit);
  before.set(unit, found);
  return found;
}

function regroup(rhythm: Rhythm, unit: Unit): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [at, rows] of rhythm.counts) {
    const start = startOf(at, rhythm.unit);
    if (start < rhythm.first || start > rhythm.newest) continue;
    const place = periodAt(start, unit);
    found.set(place, (found.get(place) ?? 0) + rows);
  }
  return found;
}

/** Hours are alike by the hour of the week, days by the weekday, and weeks and months all. */
export const cycleOf = (unit: Unit): number => (unit === "Hour" ? 168 : unit === "Day" ? 7 : 1);

/** The hours or days of the week at which rows nearly always come. */
export function usualSlots(counts: ReadonlyMap<number, number>, unit: Unit): (at: number) => boolean {
  const [first, last] = ends(counts);
  const [all, filled] = [new Map<number, number>(), new Map<number, number>()];
  // In less than three weeks no hour of the week is there often enough.
  const cycle = last - first < 3 * 168 ? Math.min(24, cycleOf(unit)) : cycleOf(unit);
  for (let at = first; at <= last; at++) {
    const slot = at % cycle;
    all.set(slot, (all.get(slot) ?? 0) + 1);
    if (counts.has(at)) filled.set(slot, (filled.get(slot) ?? 0) + 1);
  }
  return (at) => {
    const slot = at % cycle;
    return (filled.get(slot) ?? 0) >= (all.get(slot) ?? 1) * least.ofSlot;
  };
}

export function ends(counts: ReadonlyMap<number, number>): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const at of counts.keys()) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  return [first, last];
}
