import type { SegmentCounts } from "./segment.ts";

/**
 * How much a segment tells of the failing rows, in nats for each of them: the divergence of its share of the failing
 * rows from its share of all rows. It is high if it holds most failing rows and few others, and 0 if failing rows are in
 * it no more often than others. A share that was not seen in a sample is half a row.
 */
export function surpriseOf({ failing, rows, allFailing, allRows }: SegmentCounts): number {
  if (allFailing === 0) return 0;
  const inside = failing / allFailing;
  const expected = (Math.max(rows, 0) + 0.5) / (allRows + 1);
  return inside <= expected ? 0 : divergence(inside, expected);
}

/**
 * Whether chance would hardly give as much, when so many segments were looked at: by the likelihood ratio of both
 * shares, once in a hundred times for all of them together.
 */
export function isBeyondChance(counts: SegmentCounts, looks: number): boolean {
  return 2 * counts.allFailing * surpriseOf(counts) > 2 * Math.log(Math.max(1, looks) / 0.01);
}

const divergence = (p: number, q: number) => term(p, q) + term(1 - p, 1 - q);
const term = (p: number, q: number) => (p <= 0 ? 0 : p * Math.log(p / q));
