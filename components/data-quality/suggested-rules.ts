import type { Suggestions } from "@/server/data-quality/suggest/schema.ts";
import { type ContractForm, type RuleForm, ruleFormOf, ruleInputOf } from "./contract-form.ts";

export type Suggestion = Suggestions["items"][number];

/** A suggestion as a rule of the editor. */
export const formOfSuggestion = ({ rule }: Suggestion): RuleForm => ruleFormOf(rule);

/** Whether the contract has a rule that checks the same already, whatever it is called and counts. */
export function isAmong(suggestion: Suggestion, rules: ContractForm["rules"]): boolean {
  const checks = (rule: RuleForm) => JSON.stringify([rule.type, ruleInputOf(rule).configuration]);
  const own = checks(formOfSuggestion(suggestion));
  return rules.some((rule) => checks(rule) === own);
}
