import type { Both } from "./sides.ts";

/**
 * The positions of rows, which are whole numbers, cut into parts of the same width. A width is a power of two, so that a
 * part is cut into parts again without a rest. Pure.
 */

/** Part n has the positions from `first` + n · `width` on. */
export type Cut = { first: bigint; width: bigint };

/** What is in some parts: the number of rows on each side, and the sum of their hashes. */
export type Content = { rows: Both<number>; totals: Both<bigint> };
/** A part in which the tables differ. */
export type Part = Content & { at: bigint };

export function contentOf(parts: readonly Part[]): Content {
  const all: Content = { rows: [0, 0], totals: [0n, 0n] };
  for (const { rows, totals } of parts)
    for (const place of [0, 1] as const) {
      all.rows[place] += rows[place];
      all.totals[place] += totals[place];
    }
  return all;
}

/**
 * The parts of each side as a server writes them, "part:rows:total": what is in all of them, and those that differ, in
 * order. Most are the same on both sides, to the letter, so they are told apart as texts.
 */
export function countedParts(
  here: readonly string[],
  there: readonly string[],
): { all: Content; differing: Part[] } {
  const all: Content = { rows: [0, 0], totals: [0n, 0n] };
  const differing = new Map<bigint, Part>();
  const add = (text: string, place: 0 | 1, isSame: boolean) => {
    const [at = "", rows = "", total = ""] = text.split(":");
    all.rows[place] += Number(rows);
    all.totals[place] += BigInt(total);
    if (isSame) return;
    const key = BigInt(at);
    const part = differing.get(key) ?? { at: key, rows: [0, 0], totals: [0n, 0n] };
    part.rows[place] = Number(rows);
    part.totals[place] = BigInt(total);
    differing.set(key, part);
  };
  const [isHere, isThere] = [new Set(here), new Set(there)];
  for (const text of here) add(text, 0, isThere.has(text));
  for (const text of there) add(text, 1, isHere.has(text));
  return { all, differing: [...differing.values()].toSorted((a, b) => (a.at < b.at ? -1 : 1)) };
}

export const rowsIn = ({ rows }: Part) => Math.max(...rows);

/** How many parts the whole is cut into at first, at most. */
export const firstParts = 1024;

export function firstCut(first: bigint, last: bigint): { cut: Cut; parts: number } {
  const span = last - first + 1n;
  let width = 1n;
  while (width * BigInt(firstParts) < span) width *= 2n;
  return { cut: { first, width }, parts: Number((span + width - 1n) / width) };
}

/** How many parts to cut into in all. */
const mostParts = 65_536;
/**
 * Rows are fetched if a part has no more, or if there are no more in all parts that differ. One statement counts some
 * parts, or fetches some rows, unless a part has more; and it names some parts that differ. More and smaller statements
 * cost little where an index finds positions: then less is read, sent, and held in memory. Without one, as for hashes,
 * each statement reads the whole table.
 */
const answered = {
  index: { ofPart: 12, ofAll: 2000, counted: 1024, fetched: 1000, named: 100 },
  scan: { ofPart: 32, ofAll: 50_000, counted: 16_384, fetched: 10_000, named: 1000 },
};
/** How a statement finds the rows of some parts. */
export type Finding = keyof typeof answered;

/**
 * Whether an index finds keys: then the first and the last one are there at once, and otherwise they take as long as
 * counting the first parts, as both read the whole table. A wrong guess costs time or memory, and changes no result.
 */
export const findingBy = ({ boundsMs, countedMs }: { boundsMs: number; countedMs: number }): Finding =>
  4 * boundsMs < countedMs ? "index" : "scan";

/** Which parts to fetch, and which to cut again, as they have many rows. */
export function next(
  parts: readonly Part[],
  { width }: Cut,
  finding: Finding,
): { fetch: Part[]; split: Part[] } {
  const { ofPart, ofAll } = answered[finding];
  const all = parts.reduce((sum, part) => sum + rowsIn(part), 0);
  const isSmall = (part: Part) => all <= ofAll || width === 1n || rowsIn(part) <= ofPart;
  return { fetch: parts.filter(isSmall), split: parts.filter((part) => !isSmall(part)) };
}

/** Into how many parts each of these is cut: into parts of a few rows, but not into too many to count at once. */
export function factorFor(parts: readonly Part[], { width }: Cut): bigint {
  const rows = parts.reduce((sum, part) => sum + rowsIn(part), 0);
  const wanted = Math.min(mostParts / parts.length, rows / parts.length / 8, Number(width), firstParts);
  let factor = 2n;
  while (Number(factor) * 2 <= wanted) factor *= 2n;
  return factor;
}

/** The parts that one statement cuts again. */
export const batchesToSplit = (parts: readonly Part[], factor: bigint, finding: Finding) =>
  batches(parts, () => Number(factor), { limit: answered[finding].counted, named: answered[finding].named });

/** The parts whose rows one statement fetches. */
export const batchesToFetch = (parts: readonly Part[], finding: Finding) =>
  batches(parts, rowsIn, { limit: answered[finding].fetched, named: answered[finding].named });

function batches(
  parts: readonly Part[],
  sizeOf: (part: Part) => number,
  { limit, named }: { limit: number; named: number },
): Part[][] {
  const found: Part[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const own = sizeOf(part);
    const last = found.at(-1);
    if (!last || size + own > limit || last.length >= named) {
      found.push([part]);
      size = own;
    } else {
      last.push(part);
      size += own;
    }
  }
  return found;
}

/** The positions of parts, from and to inclusively; neighbors as one. */
export function rangesOf(parts: readonly Part[], { first, width }: Cut): { from: bigint; to: bigint }[] {
  const ranges: { from: bigint; to: bigint }[] = [];
  for (const { at } of parts) {
    const from = first + at * width;
    const last = ranges.at(-1);
    if (last && last.to + 1n === from) last.to += width;
    else ranges.push({ from, to: from + width - 1n });
  }
  return ranges;
}
