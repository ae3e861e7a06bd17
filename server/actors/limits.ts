/** Of think cycles, plan runs and calls of models; times in milliseconds. Tests shorten them. */
export const limits = {
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  retryMs: 5_000,
  pollMs: 250,
  /** What was interrupted so often is given up: maybe it is what ends the process. */
  maxAttempts: 3,
  /** A cycle that an execution woke waits so long for others that end with it. */
  settleMs: 3_000,
  /** An approval reads the schema anew that a plan rests on, when it was read longer ago. */
  schemaAgeMs: 60_000,
  /** For all tables together. */
  profileMs: 30_000,
  /** Somebody who asks a model themselves waits so long for a turn: it is better to be told than to wait longer. */
  turnMs: 20_000,
};

/** What an actor is told at most. */
export const most = {
  tables: 200,
  messages: 50,
  executionsOfSubscription: 10,
};
