import { ruleSentence, type SaidRule } from "../rules/rule-sentence.ts";
import type { ShownRule } from "./planned.ts";
import type { RuleFate } from "./schema.ts";
import type { ImportedRule, SuiteRule } from "./suite.ts";

/** What a plan says of a check, and in words the rule that it becomes, or that stays in its place. */
export function shownRule(
  { rule, write }: { rule: SuiteRule; write: SaidRule },
  fate: RuleFate,
  reason: string | null = null,
): ShownRule {
  const { id, path, family, name, notes, tags, lastStatus } = rule;
  return {
    ...{ id, path, family, name, type: write.type, sentence: sentenceOf(write) },
    ...{ fate, reason, notes, tags, lastStatus },
  };
}

export const goneRule = (
  { externalId }: { externalId: string },
  rule: ImportedRule,
  fate: RuleFate,
  reason: string,
): ShownRule => ({
  ...{ id: externalId, path: externalId, family: rule.type, name: rule.name, type: rule.type },
  ...{ sentence: sentenceOf(rule), fate, reason, notes: [], tags: [], lastStatus: null },
});

/** The longest is that of a query, whose beginning says enough. */
const maxSentence = 500;

function sentenceOf(rule: SaidRule): string {
  const sentence = ruleSentence(rule);
  return sentence.length > maxSentence ? `${sentence.slice(0, maxSentence)}…` : sentence;
}
