import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { partsOf } from "../data-sources/dialects/scan.ts";

/**
 * `@@result1`, case-insensitive, as a whole word: not @@resultset or x@@result1.
 */
const written = /(?<![\w@$\u0080-\uffff])@@result(\d+)(?![\w$\u0080-\uffff])/gi;

/**
 * The numbers of the steps whose results a text reads, without duplicates, in order of first use. Ignores strings,
 * quoted names, and comments.
 */
export function resultsReadBy(sql: string, dialect: Dialect): number[] {
  const numbers = partsOf(sql, dialect)
    .filter(({ isOpaque }) => !isOpaque)
    .flatMap(({ text }) => [...text.matchAll(written)].map(([, digits]) => Number(digits)));
  return [...new Set(numbers)];
}

/** The text with each actual `@@resultN` replaced by a table name. */
export function withTablesFor(sql: string, dialect: Dialect, tableOf: (number: number) => string): string {
  const named = (text: string) => text.replace(written, (_, digits) => tableOf(Number(digits)));
  return partsOf(sql, dialect)
    .map(({ text, isOpaque }) => (isOpaque ? text : named(text)))
    .join("");
}

type Reader = { order: number; dataSourceId?: number | null | undefined; sql?: string | undefined };

/** The step of that order, preceded by the earlier steps it depends on, directly or indirectly. */
export function withDependencies<S extends Reader>(
  steps: readonly S[],
  order: number,
  dialect: Dialect,
): S[] {
  const needed = new Set([order]);
  for (const step of steps.toReversed())
    if (needed.has(step.order) && step.dataSourceId == null)
      for (const read of resultsReadBy(step.sql ?? "", dialect)) needed.add(read);
  return steps.filter((step) => needed.has(step.order));
}
