import type { SampleMode } from "../data-sources/sample.ts";
import { storable } from "../text.ts";
import { keptGroups } from "./keep-groups.ts";
import type { Verdict } from "./rules/verdict.ts";
import { roundScore } from "./score.ts";

/**
 * A verdict as stored and shown: its score with two places, its texts safe to store and show, and the values of failing
 * groups as the contract keeps failing rows.
 */
export function shownVerdict(verdict: Verdict, mode: SampleMode) {
  const { passed, couldRun, score, expectedValue, actualValue, message, failing, groups, known } = verdict;
  return {
    passed,
    couldRun,
    score: roundScore(score),
    expectedValue: shownText(expectedValue),
    actualValue: shownText(actualValue),
    message: shownText(message),
    failing: failing?.toNumber() ?? null,
    groups: groups ? keptGroups(groups, mode) : null,
    knownFailures: [...(known ?? [])],
  };
}

/** Text from a data source, short enough to show and without characters that PostgreSQL cannot store. */
export function shownText(text: string | null): string | null {
  if (text === null) return null;
  return storable(text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
}
