import { expect, test } from "vitest";
import { incidentSpans, versionMarks } from "./chart-marks.ts";

const minute = (at: number) => Date.UTC(2026, 10, 20, 10, at);
const incident = (kind: "Failing" | "Stalled", opened: number, closed: number | null) => ({
  ...{ kind, reason: "why" },
  openedAt: new Date(minute(opened)).toISOString(),
  closedAt: closed === null ? null : new Date(minute(closed)).toISOString(),
});
const spans = (times: number[], ...incidents: ReturnType<typeof incident>[]) =>
  incidentSpans(times.map(minute), incidents).map(({ kind, from, to }) => [kind, from, to]);

test("a version is marked at its first run, but not the version of the first run", () => {
  const runs = [1, 1, 2, 2, 4, 2].map((queryVersion) => ({ queryVersion }));
  expect(versionMarks(runs)).toEqual([
    { index: 2, version: 2 },
    { index: 4, version: 4 },
    { index: 5, version: 2 },
  ]);
});

test("an incident spans the runs from the one that opened it to the one that ended it", () => {
  // The run of minute 20 opened it shortly after it began, and that of minute 40 ended it.
  expect(spans([0, 10, 20, 30, 40, 50], incident("Failing", 21, 41))).toEqual([["Failing", 2, 4]]);
});

test("an open incident reaches the last run; one from before the chart begins at its edge", () => {
  expect(spans([0, 10, 20], incident("Failing", 11, null))).toEqual([["Failing", 1, 2]]);
  expect(spans([0, 10, 20], incident("Failing", -60, 5))).toEqual([["Failing", 0, 0]]);
  expect(spans([0, 10, 20], incident("Failing", -60, -5))).toEqual([]);
  expect(spans([], incident("Failing", 1, null))).toEqual([]);
});

test("one in which nothing ran lies between two runs", () => {
  expect(spans([0, 10, 60], incident("Stalled", 35, 59))).toEqual([["Stalled", 1.5, 1.5]]);
  expect(spans([0, 10, 60], incident("Stalled", 35, 61))).toEqual([["Stalled", 1.5, 2]]);
  expect(spans([0, 10, 60], incident("Stalled", 65, null))).toEqual([["Stalled", 2.5, 2.5]]);
});
