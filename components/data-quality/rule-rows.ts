import type {
  ContractSeries,
  Evaluation,
  Rule,
  RuleResult,
  RuleState,
} from "@/server/data-quality/schema.ts";
import { pointsLost, sharesOf } from "./rule-shares.ts";

/** The rules of a contract beside what one evaluation found. */

export type RuleRow = {
  rule: Rule;
  /** null for a rule that the evaluation did not measure. */
  result: RuleResult | null;
  /** Per cent of the score. */
  share: number;
  /** Points of the overall score that it costs. */
  lost: number;
  /** Its scores in the last evaluations up to this one, oldest first; null where it was not measured. */
  course: (number | null)[];
  failing: FailingSince | null;
};

/** `known` is false when it may have begun earlier than what is stored. */
export type FailingSince = {
  since: string;
  known: boolean;
  /** How many evaluations in a row; where the service counted them. */
  consecutive?: number;
};

/** What the service keeps by the rules' keys, through edits that remove their results. */
export type RuleHistory = { states?: readonly RuleState[] | undefined; series?: ContractSeries | undefined };

const courseLength = 20;

/**
 * One row per rule: those that fail first, the most expensive at the top, then those that pass in the contract's
 * order, then those that were not measured. `history` is newest first and may hold more than is shown.
 */
export function ruleRows(
  rules: readonly Rule[],
  evaluation: Evaluation | undefined,
  history: readonly Evaluation[],
  { states, series }: RuleHistory = {},
): RuleRow[] {
  // Results of an evaluation that could not reach the data source are failures on paper only.
  const found = evaluation?.couldNotEvaluate ? [] : (evaluation?.ruleResults ?? []);
  const results = new Map(found.map((result) => [result.ruleId, result]));
  const measured = results.size > 0;
  // Before the first evaluation the shares are those that it will have.
  const shares = sharesOf(
    rules.map((rule) => ({ ...rule, enabled: measured ? results.has(rule.id) : rule.enabled })),
  );
  const from = evaluation ? history.findIndex(({ id }) => id === evaluation.id) : 0;
  const upToNow = history.slice(Math.max(from, 0));
  const rows = rules.map((rule, index): RuleRow => {
    const result = results.get(rule.id) ?? null;
    const share = shares[index] ?? 0;
    return {
      rule,
      result,
      share,
      lost: result ? pointsLost(share, result.score) : 0,
      course: keptCourse(rule.key, evaluation, series) ?? courseOf(rule.id, upToNow.slice(0, courseLength)),
      failing:
        result && !result.passed
          ? (standing(rule.key, evaluation, states) ?? failingSince(rule.id, upToNow))
          : null,
    };
  });
  const rank = ({ result }: RuleRow) => (result === null ? 2 : result.passed ? 1 : 0);
  return rows.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? b.lost - a.lost : 0));
}

/** Since when it fails by the service's own record, which reaches further back than the results. */
function standing(
  key: string,
  evaluation: Evaluation | undefined,
  states: readonly RuleState[] | undefined,
): FailingSince | null {
  const state = states?.find((each) => each.key === key);
  if (!state || state.passed || state.evaluationId !== evaluation?.id) return null;
  return { since: state.since.evaluatedAt, known: true, consecutive: state.consecutive };
}

/** The scores under its key up to this evaluation; null when the series does not reach it. */
function keptCourse(
  key: string,
  evaluation: Evaluation | undefined,
  series: ContractSeries | undefined,
): number[] | null {
  if (!series || series.isDownsampled || !evaluation) return null;
  const points = series.rules.find((each) => each.key === key)?.points ?? [];
  const last = points.findLastIndex(({ evaluationId }) => evaluationId === evaluation.id);
  return last < 0
    ? null
    : points.slice(Math.max(0, last + 1 - courseLength), last + 1).map(({ score }) => score);
}

function resultIn(evaluation: Evaluation, ruleId: number): RuleResult | undefined {
  return evaluation.couldNotEvaluate
    ? undefined
    : evaluation.ruleResults.find((result) => result.ruleId === ruleId);
}

function courseOf(ruleId: number, newestFirst: readonly Evaluation[]): (number | null)[] {
  const scores = newestFirst.map((evaluation) => resultIn(evaluation, ruleId)?.score ?? null).toReversed();
  // What was before its first measurement is no gap in it.
  const first = scores.findIndex((score) => score !== null);
  return first < 0 ? [] : scores.slice(first);
}

/** The first of the evaluations, without a pass between, that the rule failed in. */
export function failingSince(ruleId: number, newestFirst: readonly Evaluation[]): FailingSince | null {
  let since: string | null = null;
  for (const evaluation of newestFirst) {
    if (evaluation.couldNotEvaluate) continue;
    const result = resultIn(evaluation, ruleId);
    if (result?.passed) return since === null ? null : { since, known: true };
    if (!result) break;
    since = evaluation.evaluatedAt ?? since;
  }
  return since === null ? null : { since, known: false };
}
