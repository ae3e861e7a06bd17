/** Time limits of an evaluation's parts, in milliseconds, and retry limits. Tests shorten them. */
export const limits = {
  /** One rule, from statement to result; then it is cancelled on the server. */
  ruleTimeoutMs: 60_000,
  /** Comparing two tables, with everything that it reads; a statement is cancelled at its end. */
  compareTimeoutMs: 600_000,
  /**
   * Planning one rule without running it. If it takes longer it is waiting for a lock, which says nothing about the
   * rule.
   */
  checkTimeoutMs: 5_000,
  /** How long a process counts as working on an evaluation without a heartbeat, and the heartbeat interval. */
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  /** The delay before retrying an evaluation after an unexpected error, to avoid a busy loop. */
  retryMs: 5_000,
  /** The poll interval while waiting for another process. */
  pollMs: 250,
  /** How long a rule is measured before its name is shown as in progress. */
  progressMs: 150,
  /** The time for one sample of failing rows, and for all samples of an evaluation. */
  sampleTimeoutMs: 20_000,
  samplesTimeoutMs: 120_000,
  /** How many failing values are looked through for those that are known. */
  knownValues: 1000,
  /** The maximum size of a sample when fetched. */
  sampleBytes: 1024 * 1024,
  /** How often sampling checks for a free connection, and how long it keeps waiting for one. */
  sampleRestMs: 5_000,
  samplePatienceMs: 15 * 60_000,
  /** An evaluation interrupted this often is stored as failed, since it may be what ends the process. */
  maxAttempts: 3,
};

/** The number of latest scores shown in a table's history; a contract keeps this many evaluations forever. */
export const shownScores = 30;
