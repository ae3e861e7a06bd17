import { expect, test } from "vitest";
import { awaitedRun } from "./awaited-run.ts";

const contract = {
  enabled: true,
  cronExpression: "0 6 * * *",
  timezone: "Europe/Berlin",
  updatedAt: "2025-11-01T00:00:00Z",
  lastEvaluatedAt: "2025-11-19T05:00:03Z",
};
// 06:00 in Berlin in winter is 05:00 UTC.
const due = new Date("2025-11-20T05:00:00Z");
const after = (seconds: number) => new Date(due.getTime() + seconds * 1000);

test("a run is awaited from its scheduled time until its result", () => {
  expect(awaitedRun(contract, after(-1))).toBeNull();
  expect(awaitedRun(contract, after(0))).toEqual(due);
  expect(awaitedRun(contract, after(90))).toEqual(due);
  expect(awaitedRun({ ...contract, lastEvaluatedAt: "2025-11-20T05:00:20Z" }, after(90))).toBeNull();
  expect(awaitedRun({ ...contract, lastEvaluatedAt: null }, after(90))).toEqual(due);
});

test("no run is awaited for a disabled or just changed contract, or after the timeout", () => {
  expect(awaitedRun({ ...contract, enabled: false }, after(90))).toBeNull();
  expect(awaitedRun({ ...contract, updatedAt: "2025-11-20T05:00:30Z" }, after(90))).toBeNull();
  expect(awaitedRun(contract, after(601))).toBeNull();
});
