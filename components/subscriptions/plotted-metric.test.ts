import { expect, test } from "vitest";
import type { AnomalyMetric } from "@/server/subscriptions/kinds.ts";
import type { Anomaly, Execution } from "@/server/subscriptions/schema.ts";
import { plottedMetric, plottedWords } from "./plotted-metric.ts";

const subscription = (metric: AnomalyMetric, enabled = true) => ({
  anomalyDetection: { enabled, metric, method: "Iqr", sensitivity: 1.5 } as const,
  condition: { kind: "RowCountAbove", threshold: 5 } as const,
});
const run = (id: number, more: Partial<Execution>): Execution => ({
  ...{ id, subscriptionId: 1, status: "NotificationSent", trigger: "Scheduled", queryVersion: 1 },
  ...{ executedAt: "2026-11-20T10:00:00.000Z", rowCount: 1, executionTimeMs: 1, errorMessage: null },
  ...{ metricValue: null, metricColumn: null, usual: null, parameters: {} },
  outcome: {
    ...{ run: "Ran", found: null },
    told: { state: "NothingToTell", recipients: 0, sent: 0, failed: 0, silencedUntil: null },
  },
  ...more,
});
const anomaly = (executionId: number, metric: AnomalyMetric): Anomaly => ({
  ...{
    id: executionId,
    subscriptionId: 1,
    queryName: "Delay",
    subscriptionName: "Delay",
    executionId,
    metric,
    severity: "High",
  },
  ...{ detectedAt: "2026-11-20T10:00:00.000Z", detectedValue: 31.5, expectedLow: 8, expectedHigh: 15 },
  ...{ explanation: "…", acknowledged: false, acknowledgedBy: null },
});

test("plots the evaluated number, with its column name, usual range, and anomalies", () => {
  const usual = { metric: "FirstNumericColumn", low: 8, high: 15 } as const;
  const runs = [
    run(3, { metricValue: 31.5, metricColumn: "average_delay_minutes", usual }),
    run(2, { metricValue: 12.25, metricColumn: "average_delay_minutes", usual }),
    run(1, { metricValue: null, rowCount: 0 }),
  ];
  const plotted = plottedMetric(subscription("FirstNumericColumn"), runs, [anomaly(3, "FirstNumericColumn")]);
  expect(plotted).toEqual({
    metric: "FirstNumericColumn",
    label: "average_delay_minutes",
    threshold: null,
    runs: [
      { value: 31.5, usual: { low: 8, high: 15 }, isUnusual: true },
      { value: 12.25, usual: { low: 8, high: 15 }, isUnusual: false },
      { value: null, usual: null, isUnusual: false },
    ],
  });
  expect(plotted.runs.map((each) => plottedWords(plotted, each))).toEqual([
    "average_delay_minutes 31.5, usually 8 to 15",
    "average_delay_minutes 12.25, usually 8 to 15",
    null,
  ]);
});

test("an anomaly of a different metric is not marked, nor its usual range drawn", () => {
  const usual = { metric: "FirstNumericColumn", low: 8, high: 15 } as const;
  const runs = [run(1, { rowCount: 7, metricValue: 31.5, usual })];
  const plotted = plottedMetric(subscription("RowCount"), runs, [anomaly(1, "FirstNumericColumn")]);
  expect(plotted).toEqual({
    ...{ metric: "RowCount", label: "Rows found", threshold: 5 },
    runs: [{ value: 7, usual: null, isUnusual: false }],
  });
});

test("runs of an earlier version take their values from the anomaly", () => {
  const runs = [run(1, { metricValue: null })];
  const plotted = plottedMetric(subscription("FirstNumericColumn"), runs, [anomaly(1, "FirstNumericColumn")]);
  expect(plotted.label).toBe("First number of the first row");
  expect(plotted.runs).toEqual([{ value: 31.5, usual: { low: 8, high: 15 }, isUnusual: true }]);
});

test("without detection rows are plotted, and the usual range never goes below zero", () => {
  expect(plottedMetric(subscription("FirstNumericColumn", false), [], []).metric).toBe("RowCount");
  const usual = { metric: "RowCount", low: -2, high: 4 } as const;
  const plotted = plottedMetric(subscription("RowCount"), [run(1, { rowCount: 1, usual })], []);
  expect(plotted.runs[0]?.usual).toEqual({ low: 0, high: 4 });
});
