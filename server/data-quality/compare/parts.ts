import type { Both } from "./sides.ts";

/**
 * The positions of rows, which are whole numbers, cut into parts of the same width. A width is a power of two, so that a
 * part is cut into parts again without a rest. Pure.
 */

/** Part n has the positions from `first` + n · `width` on. */
export type Cut = { first: bigint; width: bigint };

/** A part in which the tables differ, with the number of rows on each side and the sum of their hashes. */
export type Part = { at: bigint; rows: Both<number>; totals: Both<bigint> };

export const rowsIn = ({ rows }: Part) => Math.max(...rows);

/** How many parts the whole is cut into at first, at most. */
export const firstParts = 1024;

export function firstCut(first: bigint, last: bigint): { cut: Cut; parts: number } {
  const span = last - first + 1n;
  let width = 1n;
  while (width * BigInt(firstParts) < span) width *= 2n;
  return { cut: { first, width }, parts: Number((span + width - 1n) / width) };
}

/** How many parts to cut into in all, and how many parts one statement may name. */
const most = { cut: 65_536, named: 1000 };
/** How many rows one statement fetches, unless a part has more. */
const fetchedAtOnce = 10_000;
/**
 * Rows are fetched if a part has no more, or if there are no more in all parts that differ; one statement counts some parts.
 * More and smaller statements cost little where positions are a key with an index, and then less is sent and held in memory.
 * A hash is in no index, so each statement reads the whole table.
 */
const answered = {
  key: { ofPart: 12, ofAll: 2000, counted: 4096 },
  hash: { ofPart: 32, ofAll: 50_000, counted: 16_384 },
};
export type Positions = keyof typeof answered;

/** Which parts to fetch, and which to cut again, as they have many rows. */
export function next(
  parts: readonly Part[],
  { width }: Cut,
  positions: Positions,
): { fetch: Part[]; split: Part[] } {
  const { ofPart, ofAll } = answered[positions];
  const all = parts.reduce((sum, part) => sum + rowsIn(part), 0);
  const isSmall = (part: Part) => all <= ofAll || width === 1n || rowsIn(part) <= ofPart;
  return { fetch: parts.filter(isSmall), split: parts.filter((part) => !isSmall(part)) };
}

/** Into how many parts each of these is cut: into parts of a few rows, but not into too many to count at once. */
export function factorFor(parts: readonly Part[], { width }: Cut): bigint {
  const rows = parts.reduce((sum, part) => sum + rowsIn(part), 0);
  const wanted = Math.min(most.cut / parts.length, rows / parts.length / 8, Number(width), firstParts);
  let factor = 2n;
  while (Number(factor) * 2 <= wanted) factor *= 2n;
  return factor;
}

/** The parts that one statement cuts again. */
export const batchesToSplit = (parts: readonly Part[], factor: bigint, positions: Positions) =>
  batches(parts, () => Number(factor), answered[positions].counted);

/** The parts whose rows one statement fetches. */
export const batchesToFetch = (parts: readonly Part[]) => batches(parts, rowsIn, fetchedAtOnce);

function batches(parts: readonly Part[], sizeOf: (part: Part) => number, limit: number): Part[][] {
  const found: Part[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const own = sizeOf(part);
    const last = found.at(-1);
    if (!last || size + own > limit || last.length >= most.named) {
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
