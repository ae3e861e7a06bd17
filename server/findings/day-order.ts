import { formOf, isDateLike, writingsOf } from "./date-writing.ts";

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

/** So many rows are written in one of two ways, and so many at least in the rarer one; of fewer texts nothing is known. */
const two = { together: 0.98, rarer: 0.02, texts: 20 };

/**
 * Which texts are dates written in the rarer of two ways, `01-04-20` among `12/21/2019`, however many there are; and an
 * example and the form of the other. A spreadsheet leaves a column so when it reads as dates only what has a day up to 12, and takes
 * that for the month. null for other columns. `counts` are the rows of each text. Pure.
 */
export function rarerOfTwoForms(
  values: readonly string[],
  counts: Int32Array,
  indexes: readonly number[],
): { rarer: number[]; example: string; usualForm: string } | null {
  if (indexes.length < two.texts) return null;
  const rowsOf = (those: readonly number[]) => those.reduce((sum, index) => sum + (counts[index] ?? 0), 0);
  const byForm = Map.groupBy(indexes, (index) => {
    const text = values[index] ?? "";
    return writingsOf(text).length === 0 ? null : formOf(text);
  });
  const forms = [...byForm]
    .flatMap(([form, those]) => (form === null ? [] : { form, those, rows: rowsOf(those) }))
    .toSorted((a, b) => b.rows - a.rows);
  const [usual, rarer] = forms;
  const all = rowsOf(indexes);
  if (!usual || !rarer || rarer.rows < all * two.rarer) return null;
  if (usual.rows + rarer.rows < all * two.together) return null;
  return { rarer: rarer.those, example: values[usual.those[0] ?? -1] ?? "", usualForm: usual.form };
}
