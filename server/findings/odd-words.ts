/** Digits and signs in columns of mere words, such as names and cities. Pure. */

const sign = /[#$%^*_~|\\{}=@[\]]/;
/** `3rd`, `80s`, `4x4`, `5a`, `MP3`, `B2B` and the like are words. */
const isUsualWithDigits = (word: string) =>
  /^\d+(st|nd|rd|th|s|er|e|x\d+|[a-z])$/i.test(word) || /^([A-Z]{1,4}-?\d+[A-Z]?|[A-Z]\d[A-Z])$/.test(word);

const words = (text: string) => text.split(/[\s/,.()&'’-]+/u).filter((word) => word !== "");

/** Where words are not set apart from each other, neither are numbers. */
const unseparated = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Between letters, for the first of them, or one at the end: `70mm` and `anna2006` are what people write. */
const misplaced = /\p{L}\d+\p{L}|^[01]\p{Ll}|\p{L}\d$/u;

const isOdd = (word: string) =>
  misplaced.test(word) && /\p{L}{2}/u.test(word) && !isUsualWithDigits(word) && !unseparated.test(word);

/** Whether a value ends in a number, and others in the same words with another: `forb 2` and `forb 3`. */
function countedAmong(values: readonly string[]): (value: string) => boolean {
  const stemOf = (value: string) => value.replace(/\d+$/, "");
  const counted = Map.groupBy(
    values.filter((value) => /\d$/.test(value)),
    stemOf,
  );
  return (value) => /\d$/.test(value) && (counted.get(stemOf(value))?.length ?? 0) > 1;
}

/** In so many rows at most; where more have them, they belong there. */
const mostOdd = 0.02;

export type OddWords = { digits: number[]; signs: number[] };

/**
 * The values with a digit inside a word (`B0ston`), and those with a sign that no other value has (`Ann#`), of texts that
 * are otherwise letters; null for texts that are not.
 */
export function oddWordsOf(values: readonly string[], counts: Int32Array): OddWords | null {
  const result: OddWords = { digits: [], signs: [] };
  const isCounted = countedAmong(values);
  const all = counts.reduce((sum, count) => sum + count, 0);
  let [odd, letters, length] = [0, 0, 0];
  for (const [index, value] of values.entries()) {
    const count = counts[index] ?? 0;
    length += value.length * count;
    const [hasDigit, hasSign] = [/\d/.test(value), sign.test(value)];
    if (!hasDigit && !hasSign && /\p{L}{2}/u.test(value)) letters += count;
    if (hasDigit || hasSign) odd += count;
    if (odd > all * mostOdd) return null;
    if (hasDigit && words(value).some(isOdd) && !isCounted(value)) result.digits.push(index);
    else if (hasSign && !hasDigit) result.signs.push(index);
  }
  return letters >= all * (1 - mostOdd) && length <= all * 40 ? result : null;
}
