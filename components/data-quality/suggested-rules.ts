import { plural } from "@/components/ui/format.ts";
import type { Suggestions } from "@/server/findings/suggestion-schema.ts";
import { type ContractForm, type RuleForm, ruleFormOf } from "./contract-form.ts";
import { hasRule } from "./finding-rule.ts";

export type Suggestion = Suggestions["items"][number];

/** Which suggestion it is, whatever was left out of it. */
export const keyOfSuggestion = ({ rule }: Suggestion) => JSON.stringify([rule.type, rule.configuration]);

/** The values left out of suggested lists, by the suggestion's key. */
export type LeftOut = Readonly<Record<string, readonly string[]>>;

/** What is left out of a suggested list: values in doubt, until someone chooses. */
export function leftOutOf(suggestion: Suggestion, leftOut: LeftOut): readonly string[] {
  const chosen = leftOut[keyOfSuggestion(suggestion)];
  const { values: allowed } = suggestion.rule.configuration;
  if (chosen || !Array.isArray(allowed)) return chosen ?? [];
  return (suggestion.values ?? []).flatMap(({ value }) => (allowed.includes(value) ? [] : value));
}

/** Leaves a value out, or takes it back. */
export function leavingOut(
  before: LeftOut,
  suggestion: Suggestion,
  value: string,
  isLeftOut: boolean,
): LeftOut {
  const others = leftOutOf(suggestion, before).filter((each) => each !== value);
  return { ...before, [keyOfSuggestion(suggestion)]: isLeftOut ? [...others, value] : others };
}

/** A suggested list without the values that are left out. Their rows fail it today. */
export function withoutValues(suggestion: Suggestion, leftOut: LeftOut): Suggestion {
  const { values, rule } = suggestion;
  if (!values || !leftOut[keyOfSuggestion(suggestion)]) return suggestion;
  const isOut = leftOutOf(suggestion, leftOut);
  const kept = values.flatMap(({ value }) => (isOut.includes(value) ? [] : value));
  return {
    ...suggestion,
    rule: {
      ...rule,
      name: `${rule.column} is one of ${plural(kept.length, "value")}`,
      configuration: { ...rule.configuration, values: kept },
    },
    passes: kept.length === values.length,
  };
}

/** How a suggested rule fails today, in words; null if it passes. */
export function failingWords({ passes, finding, values, rule }: Suggestion): string | null {
  if (passes) return null;
  const { values: allowed } = rule.configuration;
  const listed =
    values && Array.isArray(allowed)
      ? values.reduce((sum, { value, rows }) => sum + (allowed.includes(value) ? 0 : rows), 0)
      : 0;
  const rows = finding?.failingRows ?? listed;
  return rows > 0 ? `Fails: ${plural(rows, "row")}` : "Fails today";
}

/** A suggestion in the editor's rule format. */
export const formOfSuggestion = ({ rule }: Suggestion): RuleForm => ruleFormOf(rule);

/** Whether the contract already has a rule with the same check, whatever its name or weight. */
export function isAlreadyChecked(suggestion: Suggestion, rules: ContractForm["rules"]): boolean {
  return hasRule(rules, formOfSuggestion(suggestion));
}
