import type { RuleType } from "./rules/configuration.ts";

/** How a rule ran the last time: a hint for the order of the work, never for its result. */
export type LastRun = {
  executionTimeMs: number;
  /** false when it ended in "Execution failed:". */
  couldRun: boolean;
};

export type Expected = { type: RuleType; lastRun?: LastRun | undefined };

/** What one statement answers: one rule, or several that share a scan. */
export type Reading<Rule> = readonly Rule[];

/**
 * What a rule takes on a large table, roughly, for one that has not run yet; for the types that share scans, what
 * it adds to one. Custom SQL may take anything, so it goes first.
 */
const typicalMs: Record<RuleType, number> = {
  CustomSql: 3000,
  Uniqueness: 2100,
  Pattern: 2100,
  Referential: 600,
  Range: 200,
  NullRate: 100,
  Freshness: 100,
  Volume: 100,
};

/** Those that are expected to take longest come first, so that two connections end at about the same time. */
export function longestFirst<Rule extends Expected>(readings: readonly Reading<Rule>[]): Reading<Rule>[] {
  return readings.toSorted((a, b) => expectedMs(b) - expectedMs(a));
}

function expectedMs(reading: Reading<Expected>): number {
  return reading.reduce((sum, { type, lastRun }) => sum + (lastRun?.executionTimeMs ?? typicalMs[type]), 0);
}

/**
 * Which of the rules that can share a scan should: not those that could not run the last time, because they would
 * most likely end the scan for all. Where none could, it was the table or the connection, and all are tried again.
 */
export function worthSharing<Rule extends Expected>(rules: readonly Rule[]): Rule[] {
  const sound = rules.filter(({ lastRun }) => lastRun?.couldRun ?? true);
  return sound.length === 0 ? [...rules] : sound;
}
