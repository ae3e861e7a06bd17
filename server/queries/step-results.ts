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
