import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import type { ObservedDatabase } from "./candidate.ts";
import { wordsOf } from "./names.ts";

/** What so much of another column says is how a database writes it. */
const usual = { share: 0.05, rows: 20 };

/**
 * Whether a column of the same name in another table often has a value, by the value's index: where most ends are
 * 9999-01-01, those of a table in which little is still open are, too. Looks for such columns only when asked.
 */
export function usualElsewhere(
  table: ObservedTable,
  column: ObservedColumn,
  { tables }: ObservedDatabase,
): (index: number) => boolean {
  let known: ReadonlySet<string> | undefined;
  return (index) => {
    known ??= new Set(
      tables
        .filter((other) => other !== table)
        .flatMap(({ columns }) => columns.filter((other) => isNamedAlike(other, column)))
        .flatMap(frequentIn),
    );
    return known.has(column.values[index] ?? "");
  };
}

const isNamedAlike = (one: ObservedColumn, other: ObservedColumn): boolean =>
  one.kind === other.kind && wordsOf(one.name).join() === wordsOf(other.name).join();

function frequentIn({ values, counts, rows }: ObservedColumn): string[] {
  const least = Math.max(usual.rows, rows.length * usual.share);
  return values.filter((_, index) => (counts[index] ?? 0) >= least);
}
