import type { Finding } from "@/server/findings/schema.ts";
import { type ContractForm, type RuleForm, ruleFormOf, ruleInputOf } from "./contract-form.ts";
import { suggestedRuleName } from "./rule-words.ts";

/** What a finding becomes in the editor; null where no rule can say it. */
export function ruleOfFinding({ rule, severity }: Pick<Finding, "rule" | "severity">): RuleForm | null {
  if (rule === null) return null;
  return ruleFormOf({
    ...rule,
    name: suggestedRuleName(rule),
    severity,
    weight: 1,
    enabled: true,
    column: null,
  });
}

/** Whether the rules have one that checks the same, whatever it is called and counts. */
export function hasRule(rules: ContractForm["rules"], rule: RuleForm): boolean {
  const checks = (each: RuleForm) => JSON.stringify([each.type, ruleInputOf(each).configuration]);
  const own = checks(rule);
  return rules.some((each) => checks(each) === own);
}
