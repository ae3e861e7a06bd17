import { isDateLike, writingsOf } from "./date-writing.ts";

/** How the dates of a text column are written, and which are written in another way. Pure. */

/**
 * The way of writing that nearly all of the texts share, and those that are dates of another one, or of none: `25/04/2021` in
 * a column of month/day/year. null for other columns. Where the days alone do not tell which comes first, both are
 * accepted. ISO dates count as year-month-day.
 */
export function dayOrderOf(
  values: readonly string[],
  indexes: readonly number[],
): { writing: string; against: number[]; others: number[] } | null {
  if (indexes.length < 20) return null;
  const step = Math.max(1, Math.floor(indexes.length / 100));
  const some = indexes.filter((_, position) => position % step === 0);
  if (some.filter((index) => isDateLike(values[index] ?? "")).length < some.length * 0.9) return null;
  const read = new Map(indexes.map((index) => [index, writingsOf(values[index] ?? "")]));
  const tally = new Map<string, number>();
  for (const writings of read.values())
    for (const writing of writings) tally.set(writing, (tally.get(writing) ?? 0) + 1);
  const [first, second] = [...tally].toSorted((a, b) => b[1] - a[1]);
  if (!first || first[1] < indexes.length * 0.95) return null;
  const accepted = second && second[1] === first[1] ? [first[0], second[0]] : [first[0]];
  const against = indexes.filter((index) => !accepted.some((writing) => read.get(index)?.includes(writing)));
  return {
    writing: accepted.join(" or "),
    against: against.filter((index) => isDateLike(values[index] ?? "")),
    others: against.filter((index) => !isDateLike(values[index] ?? "")),
  };
}
