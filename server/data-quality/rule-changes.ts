import { Decimal } from "./decimal.ts";
import { ruleChanges } from "./history-schema.ts";
import type { RuleType } from "./rules/rules.ts";

/** A rule's score in one evaluation. */
export type Scored = {
  key: string;
  name: string;
  type: RuleType;
  position: number;
  score: number;
  passed: boolean;
  measured: number | null;
};

export type RuleChange = {
  key: string;
  name: string;
  type: RuleType;
  change: (typeof ruleChanges)[number];
  before: Pick<Scored, "score" | "passed" | "measured"> | null;
  after: Pick<Scored, "score" | "passed" | "measured"> | null;
  scoreDelta: number | null;
};

/**
 * How each rule changed between two evaluations, by key: most important first, then in the contract's order. A change
 * between pass and fail matters more than the score. Scores are compared as decimals.
 */
export function ruleChangesBetween(before: readonly Scored[], after: readonly Scored[]): RuleChange[] {
  const then = new Map(before.map((rule) => [rule.key, rule]));
  const now = new Map(after.map((rule) => [rule.key, rule]));
  const all = [...after, ...before.filter(({ key }) => !now.has(key))];
  const changes = all.map(({ key, position }) => ({ ...changeOf(then.get(key), now.get(key)), position }));
  const rank = ({ change }: RuleChange) => ruleChanges.indexOf(change);
  return changes
    .toSorted((a, b) => rank(a) - rank(b) || a.position - b.position)
    .map(({ position: _, ...change }) => change);
}

function changeOf(before: Scored | undefined, after: Scored | undefined): RuleChange {
  const rule = after ?? before;
  if (!rule) throw new Error("A change is of a rule");
  const { key, name, type } = rule;
  const scoreDelta = before && after ? deltaOf(before.score, after.score) : null;
  return {
    ...{ key, name, type },
    change: nameOf(before, after, scoreDelta),
    before: before ? scoredOf(before) : null,
    after: after ? scoredOf(after) : null,
    scoreDelta,
  };
}

function nameOf(before: Scored | undefined, after: Scored | undefined, scoreDelta: number | null) {
  if (!before) return "Added";
  if (!after) return "Removed";
  if (before.passed !== after.passed) return after.passed ? "Recovered" : "NewlyFailing";
  if (!scoreDelta) return "Unchanged";
  return scoreDelta < 0 ? "Worse" : "Better";
}

const scoredOf = ({ score, passed, measured }: Scored) => ({ score, passed, measured });

/** The change in score, exactly. */
export const deltaOf = (before: number, after: number): number => new Decimal(after).minus(before).toNumber();
