import { expect, test } from "vitest";
import type { Arrivals, ColumnProfile } from "../../profile/table-profile.ts";
import { allowanceFor, arrivalRank } from "./freshness-allowance.ts";

const hour = 3600;
const day = 24 * hour;

const column = (given: Partial<ColumnProfile>): ColumnProfile => ({
  ...{
    name: "placed_at",
    type: "timestamp",
    kind: "time",
    isNullable: true,
    isPrimaryKey: false,
    values: 1000,
  },
  ...{ different: null, least: null, greatest: null, newest: "2026-03-02 11:00:00", ageSeconds: 60 },
  ...{ shortest: null, longest: null, samples: [] },
  ...given,
});
const rhythm = (given: Partial<Arrivals>): Arrivals => ({
  ...{ hours: 800, longestGapHours: 1, fewestRows: 10, spanHours: 830, latestHoursAgo: 0 },
  ...given,
});

test.each<[string, Partial<ColumnProfile>, number | null]>([
  ["rows around the clock", { arrivals: rhythm({}) }, 60],
  ["a few rows in each hour", { arrivals: rhythm({ fewestRows: 2 }) }, 120],
  [
    "rows around the clock, but of this morning alone",
    { arrivals: rhythm({ hours: 6, spanHours: 5 }) },
    1440,
  ],
  ["quiet nights: 10 hours, and half as much again", { arrivals: rhythm({ longestGapHours: 10 }) }, 1440],
  ["quiet weekends: 64 hours, and half as much again", { arrivals: rhythm({ longestGapHours: 64 }) }, 5760],
  [
    "quiet nights, and no weekend seen yet",
    { arrivals: rhythm({ longestGapHours: 10, spanHours: 90 }) },
    4320,
  ],
  ["a load each night", { ageSeconds: 9 * hour, arrivals: rhythm({ hours: 35, longestGapHours: 24 }) }, 2880],
  // The previous day's times, loaded at night: this old every day, although the times themselves are hourly.
  ["the day before, at noon", { ageSeconds: 36 * hour, arrivals: rhythm({}) }, 4320],
  [
    "one load in all that time",
    { ageSeconds: 2 * day, arrivals: rhythm({ hours: 1, longestGapHours: null, spanHours: 0 }) },
    10_080,
  ],
  [
    "a date a day",
    { kind: "date", ageSeconds: 12 * hour, arrivals: rhythm({ hours: 35, longestGapHours: 24 }) },
    4320,
  ],
  ["no rhythm known", { ageSeconds: hour }, 1440],
  ["no rhythm known, and older", { ageSeconds: 2 * day }, 5760],
  ["no rhythm known, and old", { ageSeconds: 15 * day }, null],
  ["nothing in the last weeks", { ageSeconds: 2 * day, arrivals: null }, null],
  ["a time zone ahead", { ageSeconds: -2 * hour }, 1440],
  ["all of it ahead", { ageSeconds: -30 * day }, null],
  ["one wrong date ahead, and rows that come", { ageSeconds: -9000 * day, arrivals: rhythm({}) }, 60],
  ["no value", { newest: null, ageSeconds: null }, null],
])("%s", (_, given, expected) => {
  expect(allowanceFor(column(given))?.maxAgeMinutes ?? null).toBe(expected);
});

test("what is far outside its rhythm has stopped, and the bound stays that of the rhythm", () => {
  expect(
    allowanceFor(column({ ageSeconds: 5 * day, arrivals: rhythm({ latestHoursAgo: 120 }) })),
  ).toMatchObject({
    ...{ hasStopped: true, maxAgeMinutes: 1440 },
  });
  expect(allowanceFor(column({ arrivals: rhythm({}) }))?.hasStopped).toBe(false);
});

test("the time at which a row arrived ranks above others, and planned times do not count", () => {
  const names = ["due_at", "at", "updated_at", "created_at", "loaded_at"];
  const ranks = names.map((name) => arrivalRank(column({ name })));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(ranks[0]).toBeLessThan(1);
  expect(arrivalRank(column({ name: "created_at", kind: "text" }))).toBe(0);
});
