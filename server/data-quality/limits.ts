/** How long an evaluation's parts may take, in milliseconds, and how often it is tried. Tests shorten them. */
export const limits = {
  /** One rule, from its statement to its answer; then it is cancelled on the server. */
  ruleTimeoutMs: 60_000,
  /** Planning one rule without running it; what takes longer waits for a lock, and says nothing about the rule. */
  checkTimeoutMs: 5_000,
  /** For how long a process is believed to work on an evaluation without a sign of life, and how often it gives one. */
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  /** How long an evaluation rests that something unexpected ended, so that a lasting fault is not a busy loop. */
  retryMs: 5_000,
  /** How often somebody who waits for another process looks. */
  pollMs: 250,
  /** For how long a rule is measured before it is named as the one that is. */
  progressMs: 150,
  /** One look at failing rows, and all looks for one evaluation. */
  sampleTimeoutMs: 20_000,
  samplesTimeoutMs: 120_000,
  /** What it is allowed to weigh on the way in. */
  sampleBytes: 1024 * 1024,
  /** For how long failing rows wait until a connection is to spare, looked for again and again. */
  sampleRestMs: 5_000,
  samplePatienceMs: 15 * 60_000,
  /** An evaluation that was interrupted so often is stored as failed: maybe it is what ends the process. */
  maxAttempts: 3,
};

/** So many of the latest scores are what a table shows of its past; a contract keeps that many evaluations for ever. */
export const shownScores = 30;
