/** Known words that contain a typed word or that it misspells. */
export function similarWordsOf(typed: string, words: readonly string[]): string[] {
  const holding = words.filter((word) => word.includes(typed) && !word.startsWith(typed));
  // A known word is not a misspelling.
  if (words.includes(typed)) return holding.slice(0, maxWords);
  const allowed = errorsAllowed(typed);
  const meant = words
    .map((word) => ({ word, errors: errorsIn(typed, word) }))
    .filter(({ word, errors }) => errors <= allowed && !word.includes(typed))
    .sort((a, b) => a.errors - b.errors || a.word.length - b.word.length)
    .map(({ word }) => word);
  return [...holding, ...meant].slice(0, maxWords);
}

const maxWords = 50;

/** Longer words tolerate more errors before they could be any other word. */
const errorsAllowed = (typed: string) => {
  const { length } = [...typed];
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
};

/**
 * The number of wrong, missing, extra, or transposed letters in a word typed so far: `custmer` has one in `customers`.
 * (Damerau–Levenshtein distance to the nearest prefix of the word.)
 */
export function errorsIn(typed: string, word: string): number {
  const letters = [...typed];
  const meant = [...word];
  let before: number[] = [];
  let row = meant.map((_, column) => column).concat(meant.length);
  for (const [index, letter] of letters.entries()) {
    const next = [index + 1];
    for (const [column, other] of meant.entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped =
        index > 0 && column > 0 && letter === meant[column - 1] && letters[index - 1] === other;
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return Math.min(...row);
}
