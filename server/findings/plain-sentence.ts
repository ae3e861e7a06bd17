import { figure } from "../text.ts";

/** Judges sentences of a language model. Pure. */

const length = { least: 8, most: 300 };
const markup = /[<>`]|\]\(|\*\*|https?:|www\./i;

/** The numbers in a text, without separators of thousands: `2,000` is 2000. */
const numbersIn = (text: string): string[] =>
  (text.match(/\d[\d,.]*/g) ?? []).map((number) => number.replace(/[.,]+$/, "").replaceAll(",", ""));

/** One line of plain text without markup and addresses; null for anything else. */
export function plainSentence(text: string): string | null {
  const line = text.trim();
  if (line.length < length.least || line.length > length.most || !line.isWellFormed()) return null;
  return /\p{C}|\p{Zl}|\p{Zp}/u.test(line) || markup.test(line) ? null : line;
}

/**
 * Another sentence for a finding if it is plain, names the number of rows, or every number where rows are missing, and
 * has no number that ours has not; null otherwise.
 */
export function sameFigures(text: string, own: string, rows: number): string | null {
  const line = plainSentence(text);
  if (line === null) return null;
  const [told, known] = [numbersIn(line), numbersIn(own)];
  const wanted = rows > 0 ? [figure(rows).replaceAll(",", "")] : known;
  const isFaithful =
    wanted.every((each) => told.includes(each)) && told.every((each) => known.includes(each));
  return isFaithful ? line : null;
}

/** What a model says of rows that we count: plain, and without a number that its condition does not name. */
export function withoutFigures(text: string, named: string): string | null {
  const line = plainSentence(text);
  const known = numbersIn(named);
  return line !== null && numbersIn(line).every((each) => known.includes(each)) ? line : null;
}
