import { filledRows, type ObservedColumn, rowsWith } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { usualIn, withRows } from "./doubted.ts";
import { explainedBy } from "./explained.ts";
import { isNamedLikeKey, isNamedLikeOptional, isNamedLikeProse } from "./names.ts";

/** More different values than these are no exceptions any more, and no list that a database should be asked for. */
export const mostDoubted = 2000;

/** What every candidate that doubts some values of one column has in common. Pure. */
export function valuesAgainst(table: ObservedTable, column: ObservedColumn, indexes: readonly number[]) {
  const rows = rowsWith(column, indexes);
  const outOf = filledRows(column);
  const doubted = new Set(indexes);
  return {
    table,
    columns: [column.name],
    rows,
    outOf,
    condition: {
      is: "oneOf" as const,
      column: column.name,
      values: indexes.map((index) => column.values[index] ?? ""),
    },
    features: {
      rarity: Math.min(1, -Math.log10(rows.length / Math.max(outOf, 1)) / 4),
      few: rows.length === 0 ? 0 : 1 / rows.length,
      size: Math.min(1, Math.log10(Math.max(outOf, 1)) / 5),
      isKey: Number(isNamedLikeKey(column.name)),
      isOptional: Number(isNamedLikeOptional(column.name)),
      isProse: Number(isNamedLikeProse(column.name)),
      explained: explainedBy(table, rows, [column.name])?.share ?? 0,
    },
    evidence: { doubted: withRows(column, indexes), usual: usualIn(column, doubted) },
  };
}

/** In how many rows one of these values is. */
export function rowsOfValues({ counts }: ObservedColumn, indexes: Iterable<number>): number {
  let sum = 0;
  for (const index of indexes) sum += counts[index] ?? 0;
  return sum;
}

/**
 * A regular expression that every engine understands and that the doubted values alone do not match, made of the
 * characters that only they have; null where there is no such character for one of them.
 */
export function withoutTheirCharacters(
  { values }: ObservedColumn,
  indexes: readonly number[],
): string | null {
  const doubted = new Set(indexes);
  const theirs = new Set(indexes.flatMap((index) => [...(values[index] ?? "")]));
  for (const character of theirs)
    if (/[\p{L}\p{N}\p{Cc}\]\\^-]/u.test(character) && character < "\u0080") theirs.delete(character);
  for (const [index, value] of values.entries()) {
    if (theirs.size === 0) return null;
    if (!doubted.has(index)) for (const character of value) theirs.delete(character);
  }
  const hasOne = (index: number) => [...(values[index] ?? "")].some((character) => theirs.has(character));
  return indexes.every(hasOne) && theirs.size <= 40 ? `^[^${[...theirs].join("")}]*$` : null;
}

/** The first of some regular expressions that the doubted values do not match and all others do; null if none is so. */
export function failingAlone(
  { values }: ObservedColumn,
  indexes: readonly number[],
  patterns: readonly string[],
): string | null {
  const doubted = new Set(indexes);
  const isSo = (pattern: RegExp) =>
    [...values.keys()].every((at) => pattern.test(values[at] ?? "") !== doubted.has(at));
  return patterns.find((pattern) => isSo(new RegExp(pattern, "u"))) ?? null;
}
