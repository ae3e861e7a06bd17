import { expect, test } from "vitest";
import { fieldText, momentOfText, suggestedTimes } from "./later.ts";

const zone = "Europe/Berlin";
/** 20 November 2025 is a Thursday. In Berlin, it is 14:03. */
const thursday = new Date("2025-11-20T13:03:00Z");
const offered = (now: Date) =>
  suggestedTimes(now, zone).map(({ label, until }) => [label, fieldText(until, zone)]);

test("offers an hour from now, tomorrow, and next Monday", () => {
  expect(offered(thursday)).toEqual([
    ["for 1 hour", "2025-11-20T15:03"],
    ["until tomorrow, 09:00", "2025-11-21T09:00"],
    ["until Monday, 09:00", "2025-11-24T09:00"],
  ]);
});

test("on Sunday, tomorrow is Monday; on Monday, next Monday is a week away", () => {
  // Still Saturday in UTC.
  expect(offered(new Date("2025-11-22T23:30:00Z")).map(([label]) => label)).toEqual([
    "for 1 hour",
    "until tomorrow, 09:00",
  ]);
  expect(offered(new Date("2025-11-24T07:00:00Z")).at(-1)).toEqual([
    "until Monday, 09:00",
    "2025-12-01T09:00",
  ]);
});

test("crosses the end of a year, and a change of clocks", () => {
  expect(offered(new Date("2025-12-31T22:30:00Z"))).toEqual([
    ["for 1 hour", "2026-01-01T00:30"],
    ["until tomorrow, 09:00", "2026-01-01T09:00"],
    ["until Monday, 09:00", "2026-01-05T09:00"],
  ]);
  expect(suggestedTimes(new Date("2025-03-29T20:00:00Z"), zone)[1]?.until.toISOString()).toBe(
    "2025-03-30T07:00:00.000Z",
  );
});

test("a field's text converts to a time in the zone and back", () => {
  expect(momentOfText(fieldText(thursday, zone), zone)).toEqual(thursday);
  for (const text of ["", "2025-11-20", "0202-11-20T10:00", "2025-13-40T10:00"])
    expect(momentOfText(text, zone)).toBeNull();
});
