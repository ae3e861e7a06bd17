import type { Dialect } from "../data-sources/engines/engine.ts";
import { partsOf } from "./sql-parts.ts";

/** `@@result1`, in any case: as whole words, so that @@resultset and x@@result1 are something else. */
const written = /(?<![\w@$\u0080-\uffff])@@result(\d+)(?![\w$\u0080-\uffff])/gi;

/**
 * The numbers of the steps whose results a text reads, each once, in order of first use. One in a string, a quoted
 * name or a comment is none.
 */
export function resultsReadBy(sql: string, dialect: Dialect): number[] {
  const numbers = partsOf(sql, dialect)
    .filter(({ isOpaque }) => !isOpaque)
    .flatMap(({ text }) => [...text.matchAll(written)].map(([, digits]) => Number(digits)));
  return [...new Set(numbers)];
}

/** The text with each `@@resultN` that counts replaced by the name of a table. */
export function withTablesFor(sql: string, dialect: Dialect, tableOf: (number: number) => string): string {
  const named = (text: string) => text.replace(written, (_, digits) => tableOf(Number(digits)));
  return partsOf(sql, dialect)
    .map(({ text, isOpaque }) => (isOpaque ? text : named(text)))
    .join("");
}

type Reader = { order: number; dataSourceId?: number | null | undefined; sql?: string | undefined };

/** The step of that order, and before it the earlier ones whose results it needs, directly or through others. */
export function withNeeded<S extends Reader>(steps: readonly S[], order: number, dialect: Dialect): S[] {
  const needed = new Set([order]);
  for (const step of steps.toReversed())
    if (needed.has(step.order) && step.dataSourceId == null)
      for (const read of resultsReadBy(step.sql ?? "", dialect)) needed.add(read);
  return steps.filter((step) => needed.has(step.order));
}
