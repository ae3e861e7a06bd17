import type { SignedIn } from "../../auth/principal.ts";
import { Problem } from "../../errors.ts";
import type { RuleDraft } from "../dry-run-schema.ts";
import { isUsual, usualInWords, usualThen } from "../rules/usual.ts";
import { resolveTarget } from "./contracts.ts";
import { contractOfRule, learningOf, usualHistory } from "./usual-history.ts";

/** How many failures are listed, the latest ones. */
const maxListed = 50;

/**
 * How often a rule that learns what is usual would have failed in the history that there is, each measurement judged by
 * those before it. `rule` is as edited; without its key, or in a new contract, there is no history. Throws like
 * `dryRunRule`, and rejected for a rule that does not learn.
 */
export async function backtestRule(ctx: SignedIn, { rule, ...draft }: RuleDraft) {
  const { target } = await resolveTarget(ctx, { ...draft, rules: [rule] }, () => "rule");
  const contract = await contractOfRule(draft.dataSourceId, rule.key);
  const learning = learningOf(rule, contract?.timezone ?? "UTC");
  if (!learning) throw new Problem("rejected", "The rule does not learn what is usual");
  const past = contract ? await usualHistory(contract.id, rule, target) : [];
  const points = usualThen(past, learning);
  const failures = points.flatMap(({ point, range }) =>
    range === null || isUsual(point.value, range)
      ? []
      : [
          {
            evaluationId: point.evaluationId,
            evaluatedAt: point.at,
            measured: point.value,
            ...{ low: range.low, high: range.high },
            expected: usualInWords(range, learning.usual),
            didFail: !point.passed,
          },
        ],
  );
  return {
    evaluations: past.length,
    judged: points.filter(({ range }) => range !== null).length,
    since: past[0]?.at ?? null,
    wouldHaveFailed: failures.length,
    didFail: past.filter(({ passed }) => !passed).length,
    failures: failures.slice(-maxListed).reverse(),
  };
}
