import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { loadColumnOf } from "../load-column.ts";

const [hour, day] = [3_600_000, 86_400_000];

/** When rows came into a table, in periods of the length at which they usually come. */
export type Rhythm = {
  column: ObservedColumn;
  /** Whether the column's name says that it is about loading. */
  isNamed: boolean;
  /** In milliseconds: an hour, a day or a week. */
  period: number;
  /** How many rows came in each period, by its number since 1970; only periods with rows. */
  counts: ReadonlyMap<number, number>;
  /** The first and the newest moment, without strays. In milliseconds since 1970. */
  first: number;
  newest: number;
  /** The longest time between two periods with rows. */
  longestGap: number;
};

const least = { periods: 20, ofSlot: 0.8, ofRows: 0.01 };

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
  for (const period of [hour, day, 7 * day]) {
    const counts = countsOf(column, period, now);
    const found = spanOf(counts, period);
    if (!found) continue;
    return { column, isNamed, period, counts, ...found };
  }
  return null;
}

function countsOf({ moments, counts }: ObservedColumn, period: number, now: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const [index, moment] of moments?.entries() ?? []) {
    if (Number.isNaN(moment) || moment > now + day) continue;
    const at = Math.floor(moment / period);
    found.set(at, (found.get(at) ?? 0) + (counts[index] ?? 0));
  }
  return found;
}

/** null when the periods with rows are too few, or do not usually follow each other. */
function spanOf(counts: ReadonlyMap<number, number>, period: number) {
  let periods = [...counts.keys()].sort((a, b) => a - b);
  const gaps = periods.slice(1).map((at, index) => at - (periods[index] ?? 0));
  const usual = gaps.toSorted((a, b) => a - b);
  if (periods.length < least.periods || usual[Math.floor(usual.length * 0.7)] !== 1) return null;
  // Some rows long after all others, or before, are dates that someone mistyped.
  const far = Math.max(10, (usual[Math.floor(usual.length * 0.95)] ?? 1) * 10);
  periods = withoutStrays(periods, counts, far);
  if (periods.length < least.periods) return null;
  const longest = periods.slice(1).reduce((most, at, index) => Math.max(most, at - (periods[index] ?? 0)), 1);
  return {
    first: (periods[0] ?? 0) * period,
    newest: (periods.at(-1) ?? 0) * period,
    longestGap: longest * period,
  };
}

/** Without what is far before all others, or after them, and hardly anything. */
function withoutStrays(
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

const longer = new WeakMap<Rhythm, Map<number, ReadonlyMap<number, number>>>();

/** Rows by longer periods, from the first to the newest. */
export function regrouped(rhythm: Rhythm, period: number): ReadonlyMap<number, number> {
  const before = longer.get(rhythm) ?? new Map<number, ReadonlyMap<number, number>>();
  longer.set(rhythm, before);
  const found = before.get(period) ?? regroup(rhythm, period);
  before.set(period, found);
  return found;
}

function regroup(rhythm: Rhythm, period: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [at, rows] of rhythm.counts) {
    const start = at * rhythm.period;
    if (start < rhythm.first || start > rhythm.newest) continue;
    const place = Math.floor(start / period);
    found.set(place, (found.get(place) ?? 0) + rows);
  }
  return found;
}

/** Hours are alike by the hour of the week, days by the weekday, and weeks all. */
export const cycleOf = (period: number): number => (period === hour ? 168 : period === day ? 7 : 1);

/** The hours or days of the week at which rows nearly always come. */
export function usualSlots(counts: ReadonlyMap<number, number>, period: number): (at: number) => boolean {
  const [first, last] = ends(counts);
  const [all, filled] = [new Map<number, number>(), new Map<number, number>()];
  // In less than three weeks no hour of the week is there often enough.
  const cycle = last - first < 3 * 168 ? Math.min(24, cycleOf(period)) : cycleOf(period);
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
