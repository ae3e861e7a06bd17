import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

test("runs batches until the last, even after one that removes nothing", async () => {
  const batches = [3, 0, 2];
  const removed = await inBatches(async () => ({
    removed: batches.shift() ?? Number.NaN,
    isLast: batches.length === 0,
  }));
  expect(removed).toBe(5);
});

test("pauses for as long as it works, and stops at its time limit", async () => {
  const work = async () => {
    for (const until = performance.now() + 20; performance.now() < until; );
    return { removed: 1, isLast: false };
  };
  const startedAt = performance.now();
  const batches = await inBatches(work, 100);
  const took = performance.now() - startedAt;
  expect(took).toBeGreaterThanOrEqual(100);
  // Batches of 20 ms each, with a pause of the same length between two.
  expect(batches).toBeLessThanOrEqual(Math.ceil(took / 40) + 1);
});

test("an error stops it", async () => {
  await expect(inBatches(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
});
