import type { ObservedColumn } from "../profile/observed-column.ts";

/** How the texts of a column look, by their different values. Pure. */

/** So many of them are looked at: the first of many are like the rest. */
const looked = 2000;

/** Which share of the values looks like a code: one word, with a digit or all in capitals, and no sentence. */
export function codeShare({ values }: ObservedColumn): number {
  const some = values.slice(0, looked);
  const codes = some.filter(
    (value) => /^\S+$/u.test(value) && (/\d/.test(value) || /^[A-Z]{2,}$/.test(value) || value.includes("@")),
  );
  return some.length === 0 ? 0 : codes.length / some.length;
}

/** How many words a value has, on average. */
export function wordsPerValue({ values }: ObservedColumn): number {
  const some = values.slice(0, looked);
  const words = some.reduce((sum, value) => sum + value.trim().split(/\s+/u).length, 0);
  return some.length === 0 ? 0 : words / some.length;
}
