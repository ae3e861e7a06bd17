/** Which texts are spelled nearly alike. Pure. */

/** What stays of a text when case, accents, punctuation and white space are left out. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Letters of other alphabets, and digits, that look like these. */
const lookalikes = new Map<string, string>([
  ...(["0o", "1l", "il", "|l"] as const).map((pair) => [pair[0] ?? "", pair[1] ?? ""] as const),
  ...[..."аеорсухкмтвн"].map((letter, index) => [letter, "aeopcyxkmtbh"[index] ?? ""] as const),
  ...[..."αορνκτ"].map((letter, index) => [letter, "aopvkt"[index] ?? ""] as const),
]);

/** What a text looks like: `0+` like `O+`, `B1ock` like `Block`. Signs stay: they may be all that differs. */
export const lookOf = (text: string): string =>
  [...text.normalize("NFKC").toLowerCase()].map((letter) => lookalikes.get(letter) ?? letter).join("");

/**
 * How many letters have to be put in, left out, replaced, or swapped with their neighbor, to make one text of the
 * other; `most` + 1 when it is more than `most`. (Optimal string alignment, in a band of that width.)
 */
export function editDistance(one: string, other: string, most: number): number {
  const [a, b] = [[...one], [...other]];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + Number(!isSame));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [before, above] = [above, row];
  }
  return Math.min(above[b.length] ?? 0, most + 1);
}

/**
 * How many slips a text may have: longer ones have more places for them, and fewer neighbors that are other words.
 * Numbers that differ are other numbers, so there must be letters.
 */
export function slipsIn(text: string): number {
  if (text.length < 5 || (text.match(/\p{L}/gu)?.length ?? 0) < 4) return 0;
  return text.length < 12 ? 1 : text.length < 30 ? 2 : 3;
}

/** A part that so many texts have in common tells nothing of any of them. */
const mostCommon = 400;

/**
 * Finds among some texts those within `slipsIn` edits of another. Texts that are near have at least one of their parts in
 * common: cut into one part more than edits are allowed, each edit can spoil one part alone.
 */
export class NearTexts {
  private readonly byPart = new Map<string, number[]>();
  private readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.texts = texts;
    for (const [index, text] of texts.entries())
      for (const part of partsOf(text)) {
        const found = this.byPart.get(part);
        if (found) found.push(index);
        else this.byPart.set(part, [index]);
      }
  }

  /**
   * The indexes of the texts that are near this one but not it, each with its distance. Comparing letters takes long, so
   * only those are compared that are wanted.
   */
  near(
    text: string,
    isWanted: (index: number) => boolean = () => true,
  ): { index: number; distance: number }[] {
    const most = slipsIn(text);
    if (most === 0) return [];
    const tried = new Set<number>();
    const found: { index: number; distance: number }[] = [];
    // Texts are cut by their own lengths, which a slip may have changed.
    const parts = Array.from({ length: 2 * most + 1 }, (_, index) =>
      partsOf(text, text.length - most + index),
    );
    for (const part of new Set(parts.flat()))
      for (const index of commonTo(this.byPart.get(part))) {
        if (tried.has(index)) continue;
        tried.add(index);
        if (!isWanted(index)) continue;
        const other = this.texts[index] ?? "";
        const distance = editDistance(text, other, most);
        if (distance > 0 && distance <= most) found.push({ index, distance });
      }
    return found;
  }
}

const commonTo = (indexes: readonly number[] = []) => (indexes.length > mostCommon ? [] : indexes);

/** The beginning and the end of a text of some length: one slip leaves one of them as it is. */
function partsOf(text: string, length = text.length): string[] {
  const sizes = [Math.floor(length / 2) - 1, ...(length >= 12 ? [Math.floor(length / 4)] : [])];
  return sizes
    .map((size) => Math.max(2, size))
    .flatMap((size) => [`^${text.slice(0, size)}`, `${text.slice(-size)}$`]);
}
