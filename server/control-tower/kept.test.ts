import { expect, test, vi } from "vitest";
import { kept } from "./kept.ts";

test("callers at the same time, and those a while after, share one calculation", async () => {
  const calculate = vi.fn(async () => ({ answer: 42 }));
  const [first, second] = await Promise.all([kept("a", 60_000, calculate), kept("a", 60_000, calculate)]);
  expect(await kept("a", 60_000, calculate)).toBe(first);
  expect(second).toBe(first);
  expect(calculate).toHaveBeenCalledTimes(1);
  await kept("b", 60_000, calculate);
  expect(calculate).toHaveBeenCalledTimes(2);
});

test("it is calculated anew when its time is over, and each time where nothing is kept", async () => {
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

test("a failure is not kept", async () => {
  await expect(kept("d", 60_000, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await kept("d", 60_000, async () => "up")).toBe("up");
});
