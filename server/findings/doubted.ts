import type { ObservedColumn } from "../profile/observed-column.ts";
import { figure, plural } from "../text.ts";
import type { Evidence } from "./candidate.ts";

/** Evidence is for people to look at: so many values, each no longer than this. */
const shown = { values: 10, length: 120 };

/** The values at these indexes with their rows, most frequent first. */
export function withRows(
  column: ObservedColumn,
  indexes: Iterable<number>,
): NonNullable<Evidence["doubted"]> {
  return [...indexes]
    .map((index) => ({ value: column.values[index] ?? "", rows: column.counts[index] ?? 0 }))
    .toSorted((a, b) => b.rows - a.rows)
    .slice(0, shown.values)
    .map(({ value, rows }) => ({ value: value.slice(0, shown.length), rows }));
}

/** The most frequent values of a column beside some. */
export function usualIn(
  column: ObservedColumn,
  besides: ReadonlySet<number>,
  most = 5,
): NonNullable<Evidence["usual"]> {
  const others = [...column.values.keys()].filter((index) => !besides.has(index));
  return withRows(column, others).slice(0, most);
}

/** `2 of 8,960 rows`, the beginning of most statements. */
export const rowsOf = (doubted: number, all: number): string => `${figure(doubted)} of ${plural(all, "row")}`;

/** The verb after it: `1 of 40 rows has …`, `2 of 40 rows have …`. */
export const have = (doubted: number): string => (doubted === 1 ? "has" : "have");

/** A value in a sentence: in quotes, and short. */
export const quoted = (value: string): string => `“${value.length > 60 ? `${value.slice(0, 59)}…` : value}”`;
