/** Limits for executions: times in milliseconds, rows, and bytes. Tests shorten them. */
export const limits = {
  /** How much of a result is kept for its notification; further rows are only counted. */
  maxRows: 100_000,
  maxBytes: 16 * 1024 * 1024,
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  retryMs: 5_000,
  pollMs: 250,
  /** An execution interrupted this often is stored as failed, since it may be what ends the process. */
  maxAttempts: 3,
};

/** How many of a result's first rows are compared with those of the run before. */
export const comparedRows = 1_000;

/** The number of consecutive failed or timed-out executions that opens an incident. */
export const failuresBeforeIncident = 3;

/**
 * How late an execution may start, or how far it may exceed its time limit, before the subscription counts as stalled.
 */
export const stalledAfterMinutes = 15;

/** Anomalies are judged on this many previous days and at least this many points. */
export const anomalyDays = 30;
export const anomalyPoints = 30;

/** The Learned method sees further back, for what happens once a month, but at most the newest points. */
export const learnedDays = 120;
export const maxLearnedPoints = 10_000;

/** The number of latest executions in a subscription's details; they are kept whatever their age. */
export const shownExecutions = 20;

/** The number of runs in the small charts of lists. */
export const sparkRuns = 30;

/** How many days daily counts are kept: somewhat longer than Control Tower's longest window of 365. */
export const countedDays = 400;
