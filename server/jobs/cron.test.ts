import { expect, test } from "vitest";
import { cronProblem, nextRuns } from "./cron.ts";

const at = (iso: string) => new Date(iso);

test("runs follow the wall clock of their zone", () => {
  // 09:00 in Berlin is 08:00 UTC in winter and 07:00 UTC in summer; the clocks change on 2026-03-29.
  expect(nextRuns("0 9 * * *", "Europe/Berlin", at("2026-03-27T12:00:00Z"), 2)).toEqual([
    at("2026-03-28T08:00:00Z"),
    at("2026-03-29T07:00:00Z"),
  ]);
});

test("an hour skipped in spring runs once that day, and one repeated in autumn runs once", () => {
  // 02:30 does not exist on 2026-03-29 in Berlin: it runs when the clock jumps from 02:00 to 03:00.
  const spring = nextRuns("30 2 * * *", "Europe/Berlin", at("2026-03-28T12:00:00Z"), 2);
  expect(spring).toEqual([at("2026-03-29T01:00:00Z"), at("2026-03-30T00:30:00Z")]);
  // 02:30 happens twice on 2026-10-25.
  const autumn = nextRuns("30 2 * * *", "Europe/Berlin", at("2026-10-24T12:00:00Z"), 2);
  expect(autumn).toEqual([at("2026-10-25T00:30:00Z"), at("2026-10-26T01:30:00Z")]);
});

test("the same applies where the clocks change at other hours and on other days", () => {
  // New York: 02:00 becomes 03:00 on 2026-03-08, and 02:00 becomes 01:00 on 2026-11-01.
  expect(nextRuns("30 2 * * *", "America/New_York", at("2026-03-07T12:00:00Z"), 2)).toEqual([
    at("2026-03-08T07:00:00Z"),
    at("2026-03-09T06:30:00Z"),
  ]);
  expect(nextRuns("30 1 * * *", "America/New_York", at("2026-10-31T12:00:00Z"), 2)).toEqual([
    at("2026-11-01T05:30:00Z"),
    at("2026-11-02T06:30:00Z"),
  ]);
});

test("a half-hourly schedule has no gaps or duplicates when the clocks change", () => {
  const everyHalfHour = (zone: string, after: string) =>
    nextRuns("*/30 * * * *", zone, at(after), 8).map((run) => run.getTime() / 60_000);
  for (const [zone, after] of [
    ["Europe/Berlin", "2026-03-28T23:50:00Z"],
    ["Europe/Berlin", "2026-10-24T23:20:00Z"],
    ["America/New_York", "2026-03-08T05:40:00Z"],
    ["America/New_York", "2026-11-01T04:10:00Z"],
  ] as const) {
    const runs = everyHalfHour(zone, after);
    expect(runs.slice(1).map((minute, index) => minute - (runs[index] ?? 0))).toEqual(Array(7).fill(30));
  }
});

test.each([
  ["0 0 30 2 *", "names a date that never comes"],
  ["* * * * * *", "must have five fields: minute, hour, day of month, month, day of week"],
  ["@daily", "must have five fields: minute, hour, day of month, month, day of week"],
  ["61 * * * *", "is not a cron expression"],
  ["a b c d e", "is not a cron expression"],
])("%s is rejected", (expression, problem) => {
  expect(cronProblem(expression)).toBe(problem);
});

test("29 February is found", () => {
  expect(cronProblem("0 0 29 2 *")).toBeNull();
});
