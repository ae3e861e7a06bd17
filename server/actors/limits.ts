/** Limits of think cycles, plan runs, and model calls; times in milliseconds. Tests shorten them. */
export const limits = {
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  retryMs: 5_000,
  pollMs: 250,
  /** Give up after this many interruptions, in case it is what crashes the process. */
  maxAttempts: 3,
  /** A cycle triggered by an execution waits this long for other executions to finish. */
  settleMs: 3_000,
  /** Approving a plan reads its schema again if it is older than this. */
  schemaAgeMs: 60_000,
  /** For all tables together. */
  profileMs: 30_000,
  /** The time limit on looking for faults in the tables before a first plan. */
  findingsMs: 30_000,
  /** How long someone who asks a model directly waits for a turn: an error is better than a longer wait. */
  turnMs: 20_000,
};

/** The maximum content of an actor's briefing. */
export const briefingLimits = {
  tables: 200,
  messages: 50,
  executionsOfSubscription: 10,
  /** How many tables are read for faults, and how many findings of earlier scans are included. */
  tablesReadForFindings: 30,
  findings: 60,
};
