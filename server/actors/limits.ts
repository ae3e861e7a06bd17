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
  /** What is wrong with them is looked for before a first plan. */
  findingsMs: 30_000,
  /** Someone who asks a model themselves waits so long for a turn: it is better to be told than to wait longer. */
  turnMs: 20_000,
};

/** The most that an actor's briefing includes. */
export const briefingLimits = {
  tables: 200,
  messages: 50,
  executionsOfSubscription: 10,
  /** So many tables are read for what is wrong with them, and so many findings of earlier scans are known. */
  tablesReadForFindings: 30,
  findings: 60,
};
