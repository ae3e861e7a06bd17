import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { chanceOfAtLeast } from "./chance.ts";

/** The rows of one group that differ from its others, and these others. */
export type Split = { different: readonly number[]; others: readonly number[] };

/** A change is kept for so long; several groups change at so many times; and chance would give that this seldom. */
const limits = { lasts: 3, times: 3, chance: 0.001 };

/**
 * Whether what differs within groups changed at some time: a club that plays in another league since 2013, pupils who moved
 * to another school. Then the rows that differ are the first or the last ones of their group by a column of times or years,
 * and each group has its own time; what all groups have since one moment is no change of theirs. Pure.
 */
export function areChanges({ columns, rowCount }: ObservedTable, splits: readonly Split[]): boolean {
  const able = columns.filter((column) => canOrder(column, rowCount));
  return able.some((column) => {
    const measures = column.moments ?? column.numbers;
    if (!measures) return false;
    let [byChance, compared, ended, lasting] = [0, 0, 0, 0];
    const times = new Set<number>();
    for (const split of splits) {
      const [different, others] = [split.different, split.others].map((rows) =>
        rangeOf(rows, column, measures),
      );
      if (!different || !others) continue;
      compared++;
      byChance += Math.min(
        1,
        2 / combinations(split.different.length + split.others.length, split.different.length),
      );
      if (!(different.from > others.to || different.to < others.from)) continue;
      ended++;
      times.add(different.from > others.to ? different.from : others.from);
      if (different.times >= limits.lasts) lasting++;
    }
    const isChance = chanceOfAtLeast(ended, byChance, compared) * able.length > limits.chance;
    return ended * 2 > splits.length && !isChance && (lasting > 0 || times.size >= limits.times);
  });
}

/** Times, and numbers that come again and again, as years, rounds, and grades do. */
function canOrder({ moments, numbers, values }: ObservedColumn, rows: number): boolean {
  if (values.length < limits.times) return false;
  if (moments) return true;
  return (
    numbers !== null &&
    values.length <= Math.min(500, rows / 3) &&
    numbers.every((number) => Number.isInteger(number))
  );
}

function rangeOf(
  rows: readonly number[],
  { rows: valueAt }: ObservedColumn,
  measures: Float64Array,
): { from: number; to: number; times: number } | null {
  const found = rows.map((row) => measures[valueAt[row] ?? -1] ?? Number.NaN);
  if (found.length === 0 || found.some(Number.isNaN)) return null;
  const sorted = found.toSorted((a, b) => a - b);
  return { from: sorted[0] ?? 0, to: sorted.at(-1) ?? 0, times: new Set(sorted).size };
}

/** How many ways there are to choose some of all. */
function combinations(all: number, some: number): number {
  let ways = 1;
  for (let index = 1; index <= Math.min(some, all - some); index++) ways *= (all - index + 1) / index;
  return ways;
}
