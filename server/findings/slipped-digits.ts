import type { ObservedColumn } from "../profile/observed-column.ts";

/** Numbers with more places are measured or computed, and end in no digit that says anything. */
const mostPlaces = 6;
/** Of the usual numbers, so many of the largest are compared with: large ones are rounded more often than small ones. */
const largest = 0.25;

/**
 * How much the last digits of some numbers say that a decimal point slipped in them: 12.34 becomes 123.40 or 1234.00,
 * which end in more zeros than the largest of the usual numbers do. From 0 to 1, where it is so by chance in one of a
 * thousand cases. Indexes of values, the usual ones from the least to the greatest. Pure.
 */
export function slippedDigits(
  { values, counts }: ObservedColumn,
  doubted: readonly number[],
  usual: readonly number[],
): number {
  const near = usual.slice(-Math.ceil(usual.length * largest));
  const texts = (indexes: readonly number[]) => indexes.map((index) => plainDigits(values[index] ?? ""));
  const [odd, others] = [texts(doubted), texts(near)];
  if ([...odd, ...others].includes(null)) return 0;
  const places = Math.max(...[...odd, ...others].map((number) => number?.places ?? 0));
  const zerosOf = (number: (typeof odd)[number]) =>
    number ? number.zeros + places - number.places : Number.POSITIVE_INFINITY;
  const zeros = Math.min(...odd.map(zerosOf));
  if (places > mostPlaces || zeros === 0 || !Number.isFinite(zeros)) return 0;
  // What is rounded has fewer digits before its zeros; what slipped has as many as before.
  if (meanDigits(odd) < meanDigits(others) - 0.5) return 0;
  let [alike, all] = [1, 2];
  for (const [place, index] of near.entries()) {
    const rows = counts[index] ?? 0;
    all += rows;
    if (zerosOf(others[place] ?? null) >= zeros) alike += rows;
  }
  const rows = doubted.reduce((sum, index) => sum + (counts[index] ?? 0), 0);
  return Math.min(1, (-Math.log10(alike / all) * rows) / 3);
}

const meanDigits = (numbers: readonly ReturnType<typeof plainDigits>[]) =>
  numbers.reduce((sum, number) => sum + (number?.digits ?? 0), 0) / numbers.length;

/** Places after the point, zeros at the end, and digits without zeros around them; null for other ways of writing. */
function plainDigits(text: string): { places: number; zeros: number; digits: number } | null {
  const [, whole, fraction = ""] = /^\s*[+-]?(\d+)(?:\.(\d*))?\s*$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const all = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = all.replace(/0+$/, "").length;
  return { places: fraction.length, zeros: all.length - digits, digits };
}
