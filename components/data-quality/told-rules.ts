import type { RuleForm } from "./contract-form.ts";

/**
 * The sentences of the rules that an editor begins with, as the server has worded them: the page shows them before it knows
 * rules. By what a rule says, so that a rule that was changed has none.
 */
export type ToldRules = ReadonlyMap<string, string>;

export function toldRules(rules: readonly RuleForm[], sentences: readonly string[]): ToldRules {
  return new Map(rules.map((rule, place) => [saidIn(rule), sentences[place] ?? ""]));
}

export const toldOf = (told: ToldRules, rule: RuleForm): string | null => told.get(saidIn(rule)) ?? null;

/** All that is in a rule's sentence. */
const saidIn = ({ type, configuration, severity, weight, enabled }: RuleForm): string =>
  JSON.stringify([type, configuration, severity, weight, enabled]);
