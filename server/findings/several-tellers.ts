import { groupBy, sizesOf } from "../profile/grouping.ts";
import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { calendarOrder } from "./calendar.ts";
import { agreement, surplus } from "./chance.ts";
import { rowsByValue } from "./dependencies.ts";
import { isNamedLikeKey, isNamedLikeNumber, isNamedLikeVersion } from "./names.ts";
import { isOfMoments } from "./of-moments.ts";

/** Several tellers, each with one row for nearly every thing: what they tell of one should be the same. */
export type Tellers = { teller: ObservedColumn; thing: ObservedColumn };

const least = { tellers: 3, rowsPerThing: 3, density: 0.3 };
const most = { tellers: 200, repeated: 0.03 };

/**
 * The pair of columns that makes a table one of several tellers: few tellers, many things, one row for most pairs of
 * them, and hardly ever two. null for other tables. Pure.
 */
export function tellersIn(table: ObservedTable): Tellers | null {
  // What differs from one day to the next in a calendar, or in a series, is no matter of who tells it.
  if (calendarOrder(table)) return null;
  const named = table.columns.filter(({ kind }) => kind === "text" || kind === "integer" || kind === "uuid");
  const tellers = named.filter(
    ({ name, values }) =>
      values.length >= least.tellers &&
      values.length <= Math.min(most.tellers, table.rowCount / 10) &&
      (isNamedLikeKey(name) || values.filter(isOfFigures).length * 2 < values.length) &&
      !isNamedLikeNumber(name) &&
      !isNamedLikeVersion(name),
  );
  const things = named.filter(
    (thing) =>
      thing.values.length * least.rowsPerThing <= filledRows(thing) &&
      !isPlaceInLine(thing) &&
      !isOfMoments(thing),
  );
  for (const teller of tellers)
    for (const thing of things) {
      if (teller === thing || thing.values.length < teller.values.length) continue;
      const all = teller.values.length * thing.values.length;
      const [low, high] = boundsOf(teller, thing);
      if (high < all * least.density || low > all * (1 + most.repeated)) continue;
      const pairs = groupBy([teller, thing]);
      const told = sizesOf(pairs).reduce((sum, size) => sum + size, 0);
      const density = told / all;
      if (density < least.density || density > 1 + most.repeated) continue;
      if (surplus(pairs) <= told * most.repeated) return { teller, thing };
    }
  return null;
}

/** 1, 2, 3, and so on: places among what belongs together, and no things. */
function isPlaceInLine({ numbers, values }: ObservedColumn): boolean {
  if (!numbers?.every(Number.isInteger)) return false;
  const low = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
  const high = numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY);
  return (low === 0 || low === 1) && high - low + 1 === values.length;
}

/** In how many rows both columns have a value, without counting: spares most pairs of columns the count. */
const boundsOf = (one: ObservedColumn, other: ObservedColumn): [low: number, high: number] => [
  one.rows.length - one.nulls - other.nulls,
  Math.min(filledRows(one), filledRows(other)),
];

/** Years, months, and weeks are no tellers: from one to the next, things change. */
const isOfFigures = (value: string) => !/\p{L}/u.test(value);

/** How often two rows of the same thing tell the same, and how often any two rows do. */
export function agreementOf(
  thing: ObservedColumn,
  column: ObservedColumn,
): { within: number; overall: number } {
  let [alike, pairs] = [0, 0];
  for (const rows of rowsByValue(thing)) {
    const counts = new Map<number, number>();
    for (const row of rows) {
      const index = column.rows[row] ?? -1;
      if (index >= 0) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    const filled = [...counts.values()].reduce((sum, count) => sum + count, 0);
    pairs += filled * (filled - 1);
    for (const count of counts.values()) alike += count * (count - 1);
  }
  return { within: pairs === 0 ? 0 : alike / pairs, overall: agreement(column) };
}
