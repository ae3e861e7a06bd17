/** What executions and their judgment can be. Pages load this file without Zod. */

export const executionStatuses = [
  "Created",
  "NotificationSent",
  "NoResults",
  "NotificationSilenced",
  "BelowThreshold",
  "Failed",
  "Timeout",
] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** All other statuses count against the subscription, including `Created` (waiting or running) and `BelowThreshold`. */
export const successfulStatuses = ["NotificationSent", "NoResults", "NotificationSilenced"] as const;

export const anomalyMethods = ["StandardDeviation", "Iqr", "PercentageChange", "Learned"] as const;
export type AnomalyMethod = (typeof anomalyMethods)[number];

export const anomalyMetrics = ["RowCount", "FirstNumericColumn"] as const;
export type AnomalyMetric = (typeof anomalyMetrics)[number];

/** By method: standard deviations, interquartile range factor, percent, spreads. */
export const defaultSensitivity: Record<AnomalyMethod, number> = {
  StandardDeviation: 2.5,
  Iqr: 1.5,
  PercentageChange: 50,
  Learned: 4,
};
