import { expect, test } from "vitest";
import { backtest, type PastExecution } from "./backtest.ts";

const past = (rowCounts: number[]): PastExecution[] =>
  rowCounts.map((rowCount, index) => ({
    rowCount,
    metricValue: null,
    status: rowCount > 5 ? "NotificationSent" : rowCount > 0 ? "BelowThreshold" : "NoResults",
    executedAt: new Date(Date.UTC(2026, 0, 1 + index)),
  }));

test("another condition is applied to past executions", () => {
  const history = past([0, 3, 8, 0, 12]);
  const above = (threshold: number) =>
    backtest(history, { kind: "RowCountAbove", threshold }, undefined).wouldHaveNotified;
  expect([above(0), above(3), above(8), above(12)]).toEqual([3, 2, 1, 0]);
  expect(backtest(history, { kind: "Always", threshold: null }, undefined)).toEqual({
    executions: 5,
    since: new Date("2026-01-01T00:00:00Z"),
    wouldHaveNotified: 5,
    didNotify: 2,
    anomalies: null,
  });
});

test("each execution is judged on the ones before it, the first thirty on none", () => {
  const history = past([900, ...Array.from({ length: 29 }, (_, i) => 10 + (i % 2)), 10, 900, 10]);
  const detection = { enabled: true, method: "Iqr", sensitivity: 1.5, metric: "RowCount" } as const;
  // The first 900 has too little history; the second is far from the quartiles 10 and 11.
  expect(backtest(history, { kind: "RowsFound", threshold: null }, detection).anomalies).toBe(1);
  expect(
    backtest(history, { kind: "RowsFound", threshold: null }, { ...detection, metric: "FirstNumericColumn" })
      .anomalies,
  ).toBe(0);
});

test("without history there is no result", () => {
  expect(backtest([], { kind: "Always", threshold: null }, undefined)).toMatchObject({
    executions: 0,
    since: null,
    wouldHaveNotified: 0,
  });
});
