import { type ObservedColumn, rowsWith } from "../profile/observed-column.ts";

/** Texts in other letters than the rest of their column: of half the width, of the full width, or of another script. Pure. */

/** The doubted values by their indexes, what is said of them, and how many rows are written as usual. */
export type OtherLetters = { against: number[]; says: string; usualRows: number };

/** So many rows show what is usual; of so few categories each has so many rows, and one in other letters at most so much. */
const least = { rows: 20, ofCategory: 20 };
const most = { share: 0.05, categories: 12, ofCategory: 0.01 };

const halfKatakana = /[\uff66-\uff9f]/;
const fullKatakana = /[\u30a1-\u30fa]/;
/** Codes and amounts: in a sentence, one wide letter among Japanese ones is how it is written. */
const wideCode = /^[\p{P}\p{Z}\p{S}]*[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a][^\p{Lo}]*$/u;
const plainCode = /^[\u0020-\u007e]*[\dA-Za-z][\u0020-\u007e]*$/;

export function otherLettersIn(column: ObservedColumn): OtherLetters[] {
  return [
    among(column, halfKatakana, fullKatakana, "in half-width letters, where the others have the full width"),
    among(column, wideCode, plainCode, "in full-width letters, where the others have plain ones"),
    ofOtherScript(column),
  ].filter((found) => found !== null);
}

function among(column: ObservedColumn, odd: RegExp, usual: RegExp, says: string): OtherLetters | null {
  const against: number[] = [];
  const others: number[] = [];
  for (const [index, value] of column.values.entries()) {
    // Most texts have none of these letters.
    if (odd.test(value)) against.push(index);
    else if (usual.test(value)) others.push(index);
  }
  if (against.length === 0) return null;
  const [doubtedRows, usualRows] = [rowsWith(column, against).length, rowsWith(column, others).length];
  const isRare = doubtedRows <= (doubtedRows + usualRows) * most.share;
  return isRare && usualRows >= least.rows ? { against, says, usualRows } : null;
}

/** `男` among M and F: where a handful of categories is in one script, one that hardly any row has is not in another. */
function ofOtherScript({ values, counts, rows, nulls }: ObservedColumn): OtherLetters | null {
  if (values.length > most.categories) return null;
  const filled = rows.length - nulls;
  const isRare = (index: number) => (counts[index] ?? 0) <= filled * most.ofCategory;
  const usual = [...values.keys()].filter((index) => !isRare(index));
  const against = [...values.keys()].filter((index) => isRare(index) && isOfOtherScript(values[index] ?? ""));
  const usualRows = usual.reduce((sum, index) => sum + (counts[index] ?? 0), 0);
  const isOfOne =
    usual.length >= 2 &&
    usual.every((index) => isLatin(values[index] ?? "") && (counts[index] ?? 0) >= least.ofCategory);
  return isOfOne && against.length > 0
    ? { against, says: "in another script than the others", usualRows }
    : null;
}

const isLatin = (text: string) => /\p{Script=Latin}/u.test(text) && !isOfOtherScript(text);
const isOfOtherScript = (text: string) => /\p{L}/u.test(text) && !/\p{Script=Latin}/u.test(text);
