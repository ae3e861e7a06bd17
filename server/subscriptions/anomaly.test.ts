import { describe, expect, test } from "vitest";
import { findAnomaly } from "./anomaly.ts";
import type { AnomalyMethod } from "./kinds.ts";

/** 15 × 90 and 15 × 110: mean and median 100, quartiles 90 and 110. */
const history: number[] = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 90 : 110));
/** Each deviates from the mean by 10: sqrt(30 × 100 / 29). */
const deviation = Math.sqrt(3000 / 29);

/** From Monday, June 1, 2026. */
const daysAfter = (days: number) => new Date(Date.UTC(2026, 5, 1 + days, 9));

const judged = (value: number, method: AnomalyMethod, sensitivity: number, points = history) =>
  findAnomaly(
    value,
    points.map((each, n) => ({ at: daysAfter(n - points.length), value: each })),
    { method, sensitivity, metric: "RowCount" },
    { at: daysAfter(0), timezone: "UTC" },
  );

describe("standard deviation", () => {
  test("values within the given number of deviations are normal, bounds included", () => {
    expect(judged(100 + 2 * deviation, "StandardDeviation", 2)).toBeNull();
    expect(judged(100 - 2 * deviation, "StandardDeviation", 2)).toBeNull();
    expect(judged(121, "StandardDeviation", 2)).toMatchObject({ detectedValue: 121 });
    expect(judged(79, "StandardDeviation", 2)).toMatchObject({ detectedValue: 79 });
  });

  test("the reason states the normal range in figures and in words", () => {
    const found = judged(200, "StandardDeviation", 2);
    // 2 × 10.17095 = 20.34190
    expect(found?.expectedLow).toBeCloseTo(79.6581, 4);
    expect(found?.expectedHigh).toBeCloseTo(120.3419, 4);
    expect(found?.explanation).toBe(
      "The row count 200 is above the usual 79.6581 to 120.342 " +
        "(mean 100 ± 2 standard deviations of 10.171, from 30 executions in 30 days)",
    );
  });

  test("severity grows with the distance from the normal range", () => {
    const severity = (times: number) => judged(100 + times * 2 * deviation, "StandardDeviation", 2)?.severity;
    expect([1.1, 1.6, 2.6, 4.1].map(severity)).toEqual(["Low", "Medium", "High", "Critical"]);
  });

  test("if all past values are equal, any other value is an anomaly", () => {
    const same = Array.from({ length: 30 }, () => 7);
    expect(judged(7, "StandardDeviation", 2.5, same)).toBeNull();
    expect(judged(8, "StandardDeviation", 2.5, same)).toMatchObject({
      severity: "High",
      expectedLow: 7,
      expectedHigh: 7,
    });
  });
});

test("the interquartile range is measured from the quartiles", () => {
  // 90 - 1.5 × 20 = 60 and 110 + 1.5 × 20 = 140
  expect(judged(60, "Iqr", 1.5)).toBeNull();
  expect(judged(140, "Iqr", 1.5)).toBeNull();
  expect(judged(59, "Iqr", 1.5)).toMatchObject({ expectedLow: 60, expectedHigh: 140, severity: "Low" });
  // 260 is four times as far from the median as 140.
  expect(judged(260, "Iqr", 1.5)).toMatchObject({ severity: "Critical" });
});

test("percentage change is measured from the median", () => {
  expect(judged(150, "PercentageChange", 50)).toBeNull();
  expect(judged(50, "PercentageChange", 50)).toBeNull();
  expect(judged(151, "PercentageChange", 50)).toMatchObject({ expectedLow: 50, expectedHigh: 150 });
  const zeros = Array.from({ length: 30 }, () => 0);
  expect(judged(0, "PercentageChange", 50, zeros)).toBeNull();
  expect(judged(1, "PercentageChange", 50, zeros)).toMatchObject({ severity: "High" });
});

test("fewer than 30 points give no result", () => {
  expect(judged(1_000_000, "StandardDeviation", 2, history.slice(1))).toBeNull();
});

describe("learned", () => {
  // Eight weeks before Monday, June 1: 1,000 or 1,020 rows on weekdays, 200 or 204 on weekends.
  const weeks = Array.from({ length: 56 }, (_, n) => (n % 7 >= 5 ? 200 + 4 * (n % 2) : 1000 + 20 * (n % 2)));

  test("a Monday is judged by Mondays, in words", () => {
    expect(judged(1010, "Learned", 4, weeks)).toBeNull();
    const few = judged(200, "Learned", 4, weeks);
    expect(few?.expectedLow).toBeGreaterThan(800);
    expect(few?.expectedHigh).toBeLessThan(1250);
    expect(few?.explanation).toBe(
      `The row count 200 is below the usual ${whole(few?.expectedLow)} to ${whole(few?.expectedHigh)} of Mondays ` +
        "(learned, from 56 executions in 120 days)",
    );
  });

  test("needs 14 points, and a lower sensitivity finds more", () => {
    const steady = Array.from({ length: 14 }, (_, n) => 1000 + 20 * (n % 2));
    expect(judged(1, "Learned", 4, steady.slice(1))).toBeNull();
    expect(judged(1, "Learned", 4, steady)).not.toBeNull();
    const narrow = judged(5000, "Learned", 2, weeks);
    const wide = judged(5000, "Learned", 6, weeks);
    expect(narrow?.expectedHigh).toBeLessThan(wide?.expectedHigh ?? 0);
  });

  const whole = (value: number | undefined) => value?.toLocaleString("en");
});

describe("learned, of values every five minutes", () => {
  /** Between 90 and 110, as irregular as chance, and the same in each run. */
  const noisy = (n: number) => 100 + 20 * (((Math.sin(n + 1) * 43_758.5453) % 1) / 2);
  const minute = (n: number) => new Date(Date.UTC(2026, 5, 1) + n * 300_000);
  const week = 2016;
  const judgedAfter = (values: readonly number[], value: number) => {
    const history = [...Array.from({ length: week }, (_, n) => noisy(n)), ...values];
    return findAnomaly(
      value,
      history.map((each, n) => ({ at: minute(n), value: each })),
      { method: "Learned", sensitivity: 4, metric: "FirstNumericColumn" },
      { at: minute(history.length), timezone: "UTC" },
    );
  };

  test("a value beyond the range says which view of the last points is unlike before", () => {
    const found = judgedAfter([], 300);
    expect(found?.expectedHigh).toBeLessThan(130);
    expect(found?.explanation).toMatch(
      /^The first number 300 is above the usual [\d.]+ to [\d.]+: [a-z0-9 ]+ \(learned, from 2,016 executions in 120 days\)$/,
    );
  });

  test("a flat line is an anomaly within the range", () => {
    const flat = Array.from({ length: 40 }, () => 100);
    const found = flat.map((value, n) => judgedAfter(flat.slice(0, n), value)).find((each) => each !== null);
    expect(found?.severity).toBe("Medium");
    expect(found?.explanation).toContain("The first number 100 is unusual, though within the usual ");
    expect(found?.explanation).toContain(": the last 120 minutes vary less than before (");
  });
});
