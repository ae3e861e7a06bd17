import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import type { ObservedDatabase } from "./candidate.ts";

/** Letters that so many rows have, or that a column of that name has elsewhere. */
const code = { letters: /^[A-Z]{1,4}$/, rows: 20 };

/**
 * `NC` and `DSQ` among the places of a race stand for a place where there is none, and are no mistakes: whether one of a
 * column's values is such a code. Always false where the others are no numbers. Pure.
 */
export function codesAmongNumbers(
  table: ObservedTable,
  column: ObservedColumn,
  { tables }: ObservedDatabase,
): (index: number) => boolean {
  if (!column.numbers) return () => false;
  const namedAlike = tables
    .filter((other) => other !== table)
    .flatMap(({ columns }) => columns.filter(({ name, kind }) => name === column.name && kind === "text"));
  return (index) => {
    const value = column.values[index] ?? "";
    if (!code.letters.test(value)) return false;
    return (
      (column.counts[index] ?? 0) >= code.rows || namedAlike.some(({ values }) => values.includes(value))
    );
  };
}
