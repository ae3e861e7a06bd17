import { machineMemory } from "../machine-memory.ts";

/** How long the parts of a scan may take, in milliseconds, and what it keeps. Tests shorten them. */
export const limits = {
  /**
   * For how long a process is believed to work on a scan without a sign of life, and how often it gives one. On a busy
   * machine, one look at a large table may keep it from that for a while. The sign of life also says when the scan was
   * stopped through another process.
   */
  leaseMs: 120_000,
  heartbeatMs: 2_000,
  /** How long a scan rests that something unexpected ended, so that a lasting fault is not a busy loop. */
  retryMs: 5_000,
  /** How often someone who waits for another process looks. */
  pollMs: 250,
  /** For how long an assistant waits for a scan: many give up on an answer after a minute. */
  waitMs: 45_000,
  /** A scan that was interrupted so often has failed: maybe it is what ends the process. */
  maxAttempts: 3,
  /** All of a scan. What it has not read by then is skipped. */
  totalMs: 2 * 60 * 60_000,
  /** So many values are read, then judged and let go, while the next so many are read. */
  values: valuesFor(machineMemory()),
  /** Counting the doubted rows of one finding, and reading some of them. */
  countMs: 30_000,
  sampleMs: 10_000,
  sampleBytes: 1024 * 1024,
  /** Findings that are counted in one look at a table have so many times as long, and answer so much at most. */
  sharedCounts: 4,
  sharedRows: 5_000,
  sharedBytes: 16 * 1024 * 1024,
  /** The surest findings of one table; a table with more of them is another problem. */
  findingsPerTable: 100,
  /**
   * What one scan asks a language model for: so many tables, and no further one when so many tokens were used or when
   * so many calls have failed one after the other.
   */
  reviewedTables: 50,
  reviewTokens: 400_000,
  reviewFailures: 3,
  /**
   * Where people or actors wait for what is wrong with some tables: so many others are read beside them, and so many
   * values are read of these and of the others. It is detected in them while someone waits.
   */
  companions: 40,
  valuesAtOnce: 4_000_000,
  valuesOfCompanions: 600_000,
  /** For how long, and of how many tables, what was read to ask about cells is held between two questions. */
  teachMs: 15 * 60_000,
  teachTables: 4,
};

/**
 * How many values a scan holds of what it reads together, on a machine or in a container with so many bytes of memory.
 * While the next tables are read, a process has a copy of the ones before, which makes about 240 bytes for each value that
 * counts here: they take half of the memory at most. More values at once find more references between tables.
 */
export function valuesFor(memoryBytes: number): number {
  return Math.round(Math.min(15_000_000, Math.max(1_000_000, memoryBytes / 2 / 240)));
}

/** What is less sure than this is no finding, and not kept. */
export const keptFrom = 0.3;
