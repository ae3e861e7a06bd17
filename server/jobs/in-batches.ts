import { setTimeout as rest } from "node:timers/promises";

/** Rows that one statement looks at or removes: it holds their locks for some milliseconds, and nobody waits. */
export const batchSize = 1000;

/** A cleaning that is long overdue stops after so many milliseconds. The next one goes on. */
const mostMs = 5 * 60_000;
/** Between two batches there is a rest of this many milliseconds at least. */
const leastRestMs = 2;

/**
 * Removes what is old, batch by batch, until one finds nothing more to look at. Each is a transaction of its own, and
 * is followed by a rest of the same length: of one connection, and of one of the database's processors, a cleaning
 * has half at most. Returns how many rows were removed.
 */
export async function inBatches(
  batch: () => Promise<{ removed: number; isLast: boolean }>,
  limitMs = mostMs,
): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  for (;;) {
    const beganAt = performance.now();
    const { removed, isLast } = await batch();
    count += removed;
    const now = performance.now();
    if (isLast || now - startedAt > limitMs) return count;
    await rest(Math.max(now - beganAt, leastRestMs));
  }
}
