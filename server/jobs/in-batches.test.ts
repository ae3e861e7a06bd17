import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

test("batch follows batch until the last, also where one removes nothing", async () => {
  const batches = [3, 0, 2];
  const removed = await inBatches(async () => ({
    removed: batches.shift() ?? Number.NaN,
    isLast: batches.length === 0,
  }));
  expect(removed).toBe(5);
});

test("it rests for as long as it works, and stops when its time is over", async () => {
  const work = async () => {
    for (const until = performance.now() + 20; performance.now() < until; );
    return { removed: 1, isLast: false };
  };
  const startedAt = performance.now();
  const batches = await inBatches(work, 100);
  const took = performance.now() - startedAt;
  expect(took).toBeGreaterThanOrEqual(100);
  // So many of 20 ms each, and as many rests less one between them.
  expect(batches).toBeLessThanOrEqual(Math.ceil(took / 40) + 1);
});

test("what fails ends it", async () => {
  await expect(inBatches(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
});
