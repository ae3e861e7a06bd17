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

const least = { periods: 20 };

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
  // A row or two long after all others, or before, are dates that someone mistyped.
  const far = Math.max(10, (usual[Math.floor(usual.length * 0.95)] ?? 1) * 10);
  const isStray = (at: number | undefined, next: number | undefined) =>
    at !== undefined && next !== undefined && Math.abs(at - next) > far && (counts.get(at) ?? 0) <= 2;
  while (isStray(periods.at(-1), periods.at(-2))) periods = periods.slice(0, -1);
  while (isStray(periods[0], periods[1])) periods = periods.slice(1);
  if (periods.length < least.periods) return null;
  const longest = periods.slice(1).reduce((most, at, index) => Math.max(most, at - (periods[index] ?? 0)), 1);
  return {
    first: (periods[0] ?? 0) * period,
    newest: (periods.at(-1) ?? 0) * period,
    longestGap: longest * period,
  };
}
