import type { Target } from "../compile.ts";
import { judgedByUsual } from "../rules/usual.ts";
import type { MeasuredRule } from "./measurement-queue.ts";
import { type LearningRule, learningOf, type Measured, usualHistory } from "./usual-history.ts";

/** A result with the measurements that it was judged by, oldest first; null for a rule that does not learn. */
export type JudgedRule<Rule> = MeasuredRule<Rule> & { past: Measured[] | null };

/** Results in which rules that learn are judged by what was usual before. `contractId` is null for a new contract. */
export async function withUsual<Rule extends LearningRule>(
  results: readonly MeasuredRule<Rule>[],
  of: Target & { dataSourceId: number; contractId: number | null; timezone: string },
): Promise<JudgedRule<Rule>[]> {
  const judged: JudgedRule<Rule>[] = [];
  for (const result of results) {
    const learning = learningOf(result.rule, of.timezone);
    if (!learning) {
      judged.push({ ...result, past: null });
      continue;
    }
    const past = of.contractId === null ? [] : await usualHistory(of.contractId, result.rule, of);
    judged.push({ ...result, past, verdict: judgedByUsual(result.verdict, past, learning, new Date()) });
  }
  return judged;
}
