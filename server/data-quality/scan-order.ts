import { type RuleType, ruleDefinition } from "./rules/rules.ts";

/** How a rule ran last time: affects the order of work, never the results. */
export type LastRun = {
  executionTimeMs: number;
  /** false if nothing was measured. */
  couldRun: boolean;
};

export type Expected = { type: RuleType; lastRun?: LastRun | undefined };

/** What one statement measures: one rule, or several that share a scan. */
export type Scan<Rule> = readonly Rule[];

/** Those expected to take longest first, so that two connections finish at about the same time. */
export function longestFirst<Rule extends Expected>(scans: readonly Scan<Rule>[]): Scan<Rule>[] {
  return scans.toSorted((a, b) => expectedMs(b) - expectedMs(a));
}

function expectedMs(scan: Scan<Expected>): number {
  return scan.reduce(
    (sum, { type, lastRun }) => sum + (lastRun?.executionTimeMs ?? ruleDefinition(type).typicalMs),
    0,
  );
}

/**
 * Which of the rules that can share a scan should. Those that could not run last time are excluded, because they would
 * probably fail the whole scan; if none could run, the problem was the table or the connection, and all are tried
 * again.
 */
export function sharedScanOf<Rule extends Expected>(rules: readonly Rule[]): Rule[] {
  const sound = rules.filter(({ lastRun }) => lastRun?.couldRun ?? true);
  return sound.length === 0 ? [...rules] : sound;
}
