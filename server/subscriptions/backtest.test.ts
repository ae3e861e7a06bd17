import { expect, test } from "vitest";
import { backtest as backtestIn, type PastExecution } from "./backtest.ts";
import type { AnomalyDetection, Condition } from "./schema.ts";

const past = (rowCounts: number[]): PastExecution[] =>
  rowCounts.map((rowCount, index) => ({
    rowCount,
    metricValue: null,
    status: rowCount > 5 ? "NotificationSent" : rowCount > 0 ? "BelowThreshold" : "NoResults",
    executedAt: new Date(Date.UTC(2026, 0, 1 + index)),
  }));

const backtest = (past: PastExecution[], condition: Condition, detection: AnomalyDetection | undefined) =>
  backtestIn(past, condition, detection, { timezone: "UTC", before: [] });

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

test("with Learned, a quiet weekend is usual and a quiet Monday is not", () => {
  // The first is Thursday, January 1, 2026. Weekdays 100 or 102 rows, weekends 20 or 21.
  const rowsOn = (index: number) => ([2, 3].includes(index % 7) ? 20 + (index % 2) : 100 + 2 * (index % 2));
  const history = past(Array.from({ length: 60 }, (_, index) => (index === 53 ? 20 : rowsOn(index))));
  const detection = { enabled: true, method: "Learned", sensitivity: 4, metric: "RowCount" } as const;
  const known = (before: number) => ({
    timezone: "UTC",
    before: history.slice(0, before).map(({ executedAt: at, rowCount: value }) => ({ at, value })),
  });
  const condition = { kind: "RowsFound", threshold: null } as const;
  // 53 days later it is Monday, February 23.
  expect(history[53]?.executedAt.getUTCDay()).toBe(1);
  expect(backtestIn(history.slice(42), condition, detection, known(42)).anomalies).toBe(1);
  // Ten alone are too few to tell.
  expect(backtestIn(history.slice(50), condition, detection, known(0)).anomalies).toBe(0);
});
