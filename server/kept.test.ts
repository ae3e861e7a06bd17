import { expect, test, vi } from "vitest";
import { kept } from "./kept.ts";

test("concurrent and later callers share one calculation", async () => {
  const calculate = vi.fn(async () => ({ answer: 42 }));
  const [first, second] = await Promise.all([kept("a", 60_000, calculate), kept("a", 60_000, calculate)]);
  expect(await kept("a", 60_000, calculate)).toBe(first);
  expect(second).toBe(first);
  expect(calculate).toHaveBeenCalledTimes(1);
  await kept("b", 60_000, calculate);
  expect(calculate).toHaveBeenCalledTimes(2);
});

test("it is recalculated after it expires, and every time with caching off", async () => {
  vi.useFakeTimers({ now: 0 });
  const calculate = vi.fn(async () => Date.now());
  expect(await kept("c", 30_000, calculate)).toBe(0);
  vi.setSystemTime(29_999);
  expect(await kept("c", 30_000, calculate)).toBe(0);
  vi.setSystemTime(30_000);
  expect(await kept("c", 30_000, calculate)).toBe(30_000);
  expect(await kept("c", 0, calculate)).toBe(30_000);
  expect(calculate).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test("a failure is not cached", async () => {
  await expect(kept("d", 60_000, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await kept("d", 60_000, async () => "up")).toBe("up");
});
