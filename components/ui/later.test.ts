import { expect, test } from "vitest";
import { localText, momentOfText, suggestedTimes } from "./later.ts";

/** 20 November 2025 is a Thursday. */
const thursday = new Date(2025, 10, 20, 14, 3);
const offered = (now: Date) => suggestedTimes(now).map(({ label, until }) => [label, localText(until)]);

test("offers an hour from now, tomorrow, and next Monday", () => {
  expect(offered(thursday)).toEqual([
    ["for 1 hour", "2025-11-20T15:03"],
    ["until tomorrow, 09:00", "2025-11-21T09:00"],
    ["until Monday, 09:00", "2025-11-24T09:00"],
  ]);
});

test("on Sunday, tomorrow is Monday; on Monday, next Monday is a week away", () => {
  expect(offered(new Date(2025, 10, 23, 8)).map(([label]) => label)).toEqual([
    "for 1 hour",
    "until tomorrow, 09:00",
  ]);
  expect(offered(new Date(2025, 10, 24, 8)).at(-1)).toEqual(["until Monday, 09:00", "2025-12-01T09:00"]);
});

test("crosses the end of a month and of a year", () => {
  expect(offered(new Date(2025, 11, 31, 23, 30))).toEqual([
    ["for 1 hour", "2026-01-01T00:30"],
    ["until tomorrow, 09:00", "2026-01-01T09:00"],
    ["until Monday, 09:00", "2026-01-05T09:00"],
  ]);
});

test("a field's text converts to a local time and back", () => {
  expect(momentOfText(localText(thursday))).toEqual(thursday);
  for (const text of ["", "2025-11-20", "0202-11-20T10:00", "2025-13-40T10:00"])
    expect(momentOfText(text)).toBeNull();
});
