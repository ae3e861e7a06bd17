import { setTimeout as rest } from "node:timers/promises";

/** The number of rows that one statement reads or removes: its locks last only milliseconds, and block nobody. */
export const batchSize = 1000;

/** A cleanup that is long overdue stops after this many milliseconds. The next one continues. */
const maxMs = 5 * 60_000;
/** The minimum pause between batches, in milliseconds. */
const minPauseMs = 2;

/**
 * Removes old rows batch by batch, until one is the last. Each is its own transaction, followed by a pause of the
 * same duration, so that a cleanup uses at most half of a connection and of a database processor. Returns how many rows
 * were removed.
 */
export async function inBatches(
  batch: () => Promise<{ removed: number; isLast: boolean }>,
  limitMs = maxMs,
): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  for (;;) {
    const beganAt = performance.now();
    const { removed, isLast } = await batch();
    count += removed;
    const now = performance.now();
    if (isLast || now - startedAt > limitMs) return count;
    await rest(Math.max(now - beganAt, minPauseMs));
  }
}
