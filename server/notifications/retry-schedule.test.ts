import { describe, expect, test } from "vitest";
import { maxTries, nextWaitMs, retryAfterMs } from "./retry-schedule.ts";

const minutes = (ms: number | null) => (ms === null ? null : ms / 60_000);
const after = (tries: number, more: object = {}, random = () => 0) =>
  minutes(nextWaitMs({ tries, queuedMsAgo: 0, ...more }, random));

test("delays grow from a minute to twelve hours, and end", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((tries) => after(tries))).toEqual([
    ...[1, 5, 15, 60, 180, 360, 720],
    null,
  ]);
  expect(maxTries).toBe(8);
});

test("they add up to most of a day, even with maximum jitter", () => {
  let queuedMsAgo = 0;
  for (let tries = 1; tries < maxTries; tries += 1) {
    const wait = nextWaitMs({ tries, queuedMsAgo }, () => 1);
    expect(wait).not.toBeNull();
    queuedMsAgo += wait ?? 0;
  }
  expect(queuedMsAgo / 3_600_000).toBeCloseTo(24.6, 1);
});

test("deliveries that failed together are not retried together", () => {
  expect(after(4, {}, () => 0.5)).toBe(63);
});

test("a receiver's Retry-After is respected, up to a day", () => {
  expect(after(1, { retryAfterMs: 10 * 60_000 })).toBe(10);
  expect(after(2, { retryAfterMs: 1000 })).toBe(5);
  expect(after(1, { retryAfterMs: 3 * 24 * 3_600_000 })).toBeNull();
  expect(after(1, { queuedMsAgo: 26 * 3_600_000 })).toBeNull();
});

describe("Retry-After", () => {
  const now = Date.parse("2030-01-31T12:00:00Z");
  test.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Thu, 31 Jan 2030 12:01:00 GMT", 60_000],
    ["Thu, 31 Jan 2030 11:00:00 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
