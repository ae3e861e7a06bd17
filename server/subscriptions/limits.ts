/** Of executions: times in milliseconds, rows and bytes. Tests shorten them. */
export const limits = {
  /** What is kept of a result for its notification; rows beyond are counted, and not kept. */
  maxRows: 100_000,
  maxBytes: 16 * 1024 * 1024,
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  retryMs: 5_000,
  pollMs: 250,
  /** An execution that was interrupted so often is stored as failed: maybe it is what ends the process. */
  maxAttempts: 3,
};

/** So many executions in a row that failed or timed out make an incident. */
export const failuresBeforeIncident = 3;

/** How late an execution may be, or how long beyond its time limit it may run, before the subscription has stalled. */
export const stalledAfterMinutes = 15;

/** Anomalies are judged on this many days before, and on no fewer points. */
export const anomalyDays = 30;
export const anomalyPoints = 30;

/** So many of its latest executions are what a subscription's detail shows; they stay, however old they are. */
export const shownExecutions = 20;

/** For how many days counts are kept by the day: somewhat longer than Control Tower's longest window, of 365. */
export const countedDays = 400;
