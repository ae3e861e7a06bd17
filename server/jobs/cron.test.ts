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

test("an hour that spring skips runs once that day, and one that autumn repeats does not run twice", () => {
  // 02:30 does not exist on 2026-03-29 in Berlin: it runs when the clock jumps from 02:00 to 03:00.
  const spring = nextRuns("30 2 * * *", "Europe/Berlin", at("2026-03-28T12:00:00Z"), 2);
  expect(spring).toEqual([at("2026-03-29T01:00:00Z"), at("2026-03-30T00:30:00Z")]);
  // 02:30 happens twice on 2026-10-25.
  const autumn = nextRuns("30 2 * * *", "Europe/Berlin", at("2026-10-24T12:00:00Z"), 2);
  expect(autumn).toEqual([at("2026-10-25T00:30:00Z"), at("2026-10-26T01:30:00Z")]);
});

test.each([
  ["0 0 30 2 *", "names a date that never comes"],
  ["* * * * * *", "must have five fields: minute, hour, day of month, month, day of week"],
  ["@daily", "must have five fields: minute, hour, day of month, month, day of week"],
  ["61 * * * *", "is not a cron expression"],
  ["a b c d e", "is not a cron expression"],
])("%s is refused", (expression, problem) => {
  expect(cronProblem(expression)).toBe(problem);
});

test("29 February comes", () => {
  expect(cronProblem("0 0 29 2 *")).toBeNull();
});
