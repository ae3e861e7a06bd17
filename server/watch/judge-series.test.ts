import { describe, expect, test } from "vitest";
import { judgeLatest, type Point, unusualInWords, usualPause } from "./judge-series.ts";

const day = 86_400_000;
const start = Date.UTC(2026, 0, 5, 2); // A Monday.
const daily = (values: readonly number[]): Point[] =>
  values.map((value, n) => ({ at: new Date(start + n * day), value }));
/** The same each time, between −1 and 1. */
const noise = (n: number) => Math.sin(n * 12.9898) * Math.cos(n * 78.233);

/** 10,000 rows on weekdays and 2,000 on weekends, ± 4 %. */
const weeks = (days: number) =>
  Array.from({ length: days }, (_, n) => Math.round((n % 7 < 5 ? 10_000 : 2_000) * (1 + 0.04 * noise(n))));

describe("new rows in a day", () => {
  test("are judged from the fifteenth day on", () => {
    expect(judgeLatest("NewRows", "UTC", daily(weeks(14)))).toBeNull();
    expect(judgeLatest("NewRows", "UTC", daily(weeks(15)))).not.toBeNull();
  });

  test("are usual on a weekend, and half of a Monday's are not", () => {
    const history = weeks(63);
    expect(judgeLatest("NewRows", "UTC", daily(history.slice(0, 62)))?.isUnusual).toBe(false);
    const monday = daily([...history, 4_800]);
    const judged = judgeLatest("NewRows", "UTC", monday);
    expect(judged).toMatchObject({ isUnusual: true, season: "Mondays" });
    if (!judged) throw new Error("Not judged");
    expect(judged.low).toBeGreaterThan(6_000);
    expect(judged.high).toBeLessThan(14_000);
    expect(unusualInWords("NewRows", null, 4_800, judged)).toMatch(
      /^New rows in a day: 4,800, usually [\d,]+ to [\d,]+ on Mondays$/,
    );
  });

  test("a steady number that moves a little is nothing to tell", () => {
    const steady = daily([...Array.from({ length: 40 }, () => 500), 520]);
    expect(judgeLatest("NewRows", "UTC", steady)?.isUnusual).toBe(false);
  });
});

describe("new rows in an hour", () => {
  const hourly = (values: readonly number[]): Point[] =>
    values.map((value, n) => ({ at: new Date(start + n * 3_600_000), value }));
  const usual = Array.from({ length: 24 * 21 }, (_, n) => Math.round(1000 * (1 + 0.2 * noise(n))));

  test("one hour below what is usual may be chance, two are not, and none at all needs no second", () => {
    expect(judgeLatest("HourRows", "UTC", hourly([...usual, 650]))?.isUnusual).toBe(false);
    expect(judgeLatest("HourRows", "UTC", hourly([...usual, 650, 650]))?.isUnusual).toBe(true);
    expect(judgeLatest("HourRows", "UTC", hourly([...usual, 0]))?.isUnusual).toBe(true);
  });
});

describe("a share", () => {
  const shares = Array.from({ length: 40 }, (_, n) => 0.03 + 0.004 * noise(n));

  test("of NULL that rises to a fifth is unusual, in words with its column", () => {
    const judged = judgeLatest("NullShare", "UTC", daily([...shares, 0.2]));
    expect(judged?.isUnusual).toBe(true);
    if (judged)
      expect(unusualInWords("NullShare", "email", 0.2, judged)).toMatch(
        /^Share of NULL in email: 20%, usually [\d.]+% to [\d.]+%$/,
      );
  });

  test("that was always 0 may be a little more", () => {
    const none = Array.from({ length: 40 }, () => 0);
    expect(judgeLatest("NullShare", "UTC", daily([...none, 0.01]))?.isUnusual).toBe(false);
    expect(judgeLatest("NullShare", "UTC", daily([...none, 0.3]))?.isUnusual).toBe(true);
  });
});

describe("the usual pause", () => {
  const hour = 3600;
  const intervals = (lengths: readonly number[]): Point[] => {
    let at = start;
    return lengths.map((value) => {
      const point = { at: new Date(at), value };
      at += 1000 * value;
      return point;
    });
  };

  test("is not known of few", () => {
    expect(usualPause(intervals(Array(13).fill(hour)), "UTC", new Date(start))).toBeNull();
  });

  test("is three tenths longer than that of a regular load", () => {
    const regular = intervals(Array(100).fill(24 * hour));
    expect(usualPause(regular, "UTC", new Date(start + 100 * day))).toBeCloseTo(31.2 * hour, -2);
  });

  test("may be a weekend, from a Friday on", () => {
    // Loaded Monday to Friday: four pauses of a day, then one of three.
    const weekdays = intervals(Array.from({ length: 100 }, (_, n) => (n % 5 === 4 ? 72 : 24) * hour));
    const friday = usualPause(weekdays, "UTC", new Date(start + 144 * day));
    const tuesday = usualPause(weekdays, "UTC", new Date(start + 141 * day));
    expect(friday).toBeGreaterThan(72 * hour);
    expect(tuesday).toBeLessThan(48 * hour);
  });

  test("is as long as one that was seen twice, while little is known", () => {
    const early = intervals([...Array(18).fill(hour), 20 * hour, 20 * hour]);
    expect(usualPause(early, "UTC", new Date(start + 3 * day))).toBeGreaterThanOrEqual(20 * hour);
  });
});
