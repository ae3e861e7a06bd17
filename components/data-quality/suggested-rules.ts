import type { Suggestions } from "@/server/findings/suggestion-schema.ts";
import { type ContractForm, type RuleForm, ruleFormOf } from "./contract-form.ts";
import { hasRule } from "./finding-rule.ts";

export type Suggestion = Suggestions["items"][number];

/** A suggestion in the editor's rule format. */
export const formOfSuggestion = ({ rule }: Suggestion): RuleForm => ruleFormOf(rule);

/** Whether the contract already has a rule with the same check, whatever its name or weight. */
export function isAlreadyChecked(suggestion: Suggestion, rules: ContractForm["rules"]): boolean {
  return hasRule(rules, formOfSuggestion(suggestion));
}
