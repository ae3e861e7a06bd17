import { expect, test } from "vitest";
import { courseOf, type RuleSeriesPoint } from "./rule-course.ts";

const point = (score: number, measured: number | null): RuleSeriesPoint => ({
  evaluationId: 1,
  evaluatedAt: "2025-11-01T00:00:00.000Z",
  score,
  passed: score === 100,
  measured,
  usual: null,
});

test("freshness is an age with its limit, on an axis that includes both", () => {
  const course = courseOf({ type: "Freshness", configuration: { column: "at", maxAgeMinutes: 60 } }, [
    point(100, 20),
    point(0, null),
  ]);
  expect(course).toMatchObject({ variant: "line", values: [20, null], low: 0, high: 63 });
  expect(course.limits).toEqual([{ value: 60, label: "limit" }]);
});

test("a mean is drawn close by, with its bounds", () => {
  const course = courseOf({ type: "Mean", configuration: { column: "hpa", max: "1020" } }, [
    point(100, 1000),
    point(0, 1010),
  ]);
  expect(course).toMatchObject({ variant: "line", values: [1000, 1010], low: 999, high: 1021 });
});

test("volume is drawn as bars from zero, with the configured bounds", () => {
  const course = courseOf({ type: "Volume", configuration: { minRows: 10 } }, [point(100, 200), point(0, 0)]);
  expect(course).toMatchObject({ variant: "bars", values: [200, 0], low: 0, high: 210 });
  expect(course.limits.map(({ value }) => value)).toEqual([10]);
});

test("by group, the rows of all groups have no bounds, and the oldest group has its limit", () => {
  const volume = courseOf({ type: "Volume", configuration: { minRows: 20, groupBy: ["state"] } }, [
    point(0, 3376),
  ]);
  expect(volume).toMatchObject({ values: [3376], limits: [] });
  const freshness = courseOf(
    { type: "Freshness", configuration: { column: "at", maxAgeMinutes: 60, groupBy: ["state"] } },
    [point(0, 90)],
  );
  expect(freshness.limits).toEqual([{ value: 60, label: "limit" }]);
});

test("an empty table without bounds still has an axis", () => {
  expect(courseOf({ type: "Volume", configuration: { maxRows: 0 } }, [point(100, 0)])).toMatchObject({
    low: 0,
    high: 1,
  });
});

test("other rules show their score, from 0 to 100", () => {
  const course = courseOf({ type: "NullRate", configuration: { maxNullPercent: 5 } }, [point(80, 25)]);
  expect(course).toMatchObject({ variant: "line", values: [80], limits: [], low: 0, high: 100 });
});
