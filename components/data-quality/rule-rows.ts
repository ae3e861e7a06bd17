import type { Evaluation, RuleResult } from "@/server/data-quality/evaluations/schema.ts";
import type { ContractSeries, RuleState } from "@/server/data-quality/history-schema.ts";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { pointsLost, sharesOf } from "./rule-shares.ts";

/** A contract's rules combined with the results of one evaluation. */

export type RuleRow = {
  rule: Rule;
  /** null for a rule the evaluation did not measure. */
  result: RuleResult | null;
  /** Percent of the score. */
  share: number;
  /** Points it takes off the overall score. */
  lost: number;
  /** Its scores up to this evaluation, oldest first; null where not measured. */
  course: (number | null)[];
  failing: FailingSince | null;
};

/** `known` is false if the failure may have started earlier than what is stored. */
export type FailingSince = {
  since: string;
  known: boolean;
  /** How many evaluations in a row, if the server counted them. */
  consecutive?: number;
};

/** History stored by rule key, which survives edits that remove rule results. */
export type RuleHistory = { states?: readonly RuleState[] | undefined; series?: ContractSeries | undefined };

const courseLength = 20;

/**
 * One row per rule: failing ones first, highest cost at the top, then passing ones in the contract's order, then
 * unmeasured ones. `history` is newest first and may be longer than what is shown.
 */
export function ruleRows(
  rules: readonly Rule[],
  evaluation: Evaluation | undefined,
  history: readonly Evaluation[],
  { states, series }: RuleHistory = {},
): RuleRow[] {
  // If the data source was unreachable, the stored failures are not real results.
  const found = evaluation?.couldNotEvaluate ? [] : (evaluation?.ruleResults ?? []);
  const results = new Map(found.map((result) => [result.ruleId, result]));
  const measured = results.size > 0;
  // Without the results of rules that were changed since, what the others cost cannot be told.
  const isPartial = evaluation !== undefined && isPartlyKept(evaluation);
  // Before the first evaluation, show the shares the rules will have.
  const shares = sharesOf(
    rules.map((rule) => ({ ...rule, enabled: measured && !isPartial ? results.has(rule.id) : rule.enabled })),
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
      lost: result && !isPartial ? pointsLost(share, result.score) : 0,
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

/** Whether some of the rules that it measured have been changed since, so that their results are gone. */
export const isPartlyKept = ({
  couldNotEvaluate,
  ruleResults,
  passedCount,
  failedCount,
}: Evaluation): boolean =>
  !couldNotEvaluate && ruleResults.length > 0 && ruleResults.length < passedCount + failedCount;

/** Failing since when, by the server's own record, which reaches further back than the results. */
function standing(
  key: string,
  evaluation: Evaluation | undefined,
  states: readonly RuleState[] | undefined,
): FailingSince | null {
  const state = states?.find((each) => each.key === key);
  if (!state || state.passed || state.evaluationId !== evaluation?.id) return null;
  return { since: state.since.evaluatedAt, known: true, consecutive: state.consecutive };
}

/** The scores stored under its key up to this evaluation; null if the series doesn't reach it. */
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
  // Nothing before the first measurement counts as a gap.
  const first = scores.findIndex((score) => score !== null);
  return first < 0 ? [] : scores.slice(first);
}

/** The first of the evaluations in a row, without a pass, that the rule failed in. */
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
