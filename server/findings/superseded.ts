import { type ObservedColumn, valueAt } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { pointersWithin, wholeKeyOf } from "./explained.ts";
import { isNamedLikeKey } from "./names.ts";

/** A state has few others beside it, and no more of the rows are in it. In fewer groups, it is there by chance. */
const limits = { states: 12, ofRows: 0.2, groups: 3 };

/**
 * How far rows that are alike are there again because one took the place of the others, from 0 to 1: in so much of the
 * groups, all but one row are in the same rare state, as what was annulled and entered again is, or point to another row
 * of the table, as customers do that were merged; or a row takes back what another has booked: it points to it, or has
 * the same number below zero. Columns of `besides` are what the rows have in common. Pure.
 */
export function supersededShare(
  table: ObservedTable,
  groups: readonly (readonly number[])[],
  besides: readonly string[],
): number {
  if (groups.length === 0) return 0;
  const shareOf = (isReplaced: (row: number) => boolean) =>
    groups.filter((rows) => rows.filter(isReplaced).length === rows.length - 1).length / groups.length;
  const byPointer = pointersWithin(table).map(({ column, rows: pointedTo }) =>
    Math.max(
      shareOf((row) => (column.rows[row] ?? -1) >= 0),
      shareOf((row) => pointedTo[row] === 1),
    ),
  );
  const byState =
    groups.length < limits.groups
      ? []
      : table.columns
          .filter((column) => isOfStates(column) && !besides.includes(column.name))
          .flatMap((column) =>
            rareIn(column).map((state) => shareOf((row) => (column.rows[row] ?? -1) === state)),
          );
  const byReversal = [...reversalsIn(table)].map(
    (isReversed) => groups.filter((rows) => rows.length > 1 && isReversed(rows)).length / groups.length,
  );
  return Math.max(0, ...byPointer, ...byState, ...byReversal);
}

/**
 * For each column that may tell, whether one of some rows takes back another: in a column that few rows fill, it names that
 * one's key, which is proof enough whatever the column is called; or its amount is that one's below zero.
 */
function* reversalsIn(table: ObservedTable): Generator<(rows: readonly number[]) => boolean> {
  const key = wholeKeyOf(table);
  for (const column of table.columns) {
    if (key && column !== key && column.kind === key.kind && column.nulls >= table.rowCount / 2)
      yield (rows) => {
        const keys = new Set(rows.map((row) => valueAt(key, row)));
        return rows.some((row) => {
          const named = valueAt(column, row);
          return named !== null && named !== valueAt(key, row) && keys.has(named);
        });
      };
    const { numbers } = column;
    if (numbers && !isNamedLikeKey(column.name))
      yield (rows) => {
        const amounts = new Set(rows.map((row) => numbers[column.rows[row] ?? -1] ?? Number.NaN));
        return [...amounts].some((amount) => amount > 0 && amounts.has(-amount));
      };
  }
}

const isOfStates = ({ values }: ObservedColumn): boolean =>
  values.length >= 2 && values.length <= limits.states;

const rareIn = ({ values, counts, rows }: ObservedColumn): number[] =>
  [...values.keys()].filter((value) => (counts[value] ?? 0) <= rows.length * limits.ofRows);
