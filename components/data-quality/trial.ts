import type { ContractInput, DryRunResult } from "@/server/data-quality/schema.ts";
import { type ContractForm, contractInputOf, type RuleForm, ruleInputOf } from "./contract-form.ts";
import { problemsOf } from "./contract-problems.ts";

/** A rule of the editor tried on the table as it is now, before anything is saved. */

export type Trial =
  | { state: "running" }
  | { state: "done"; result: DryRunResult; of: string }
  | { state: "failed"; message: string; of: string };

type Target = Pick<ContractForm, "dataSourceId" | "schemaName" | "tableName" | "samples">;

/** What a trial depends on: a later change of it makes the trial one of something else. */
export function trialMark(
  { dataSourceId, schemaName, tableName, samples }: Target,
  { type, configuration }: Pick<RuleForm, "type" | "configuration">,
): string {
  return JSON.stringify([dataSourceId, schemaName, tableName, samples, type, configuration]);
}

export function ruleDraftOf(form: ContractForm, rule: RuleForm) {
  const { dataSourceId, schemaName, tableName, samples } = contractInputOf(form);
  return {
    dataSourceId,
    ...(schemaName !== undefined && { schemaName }),
    tableName,
    samples,
    rule: ruleInputOf(rule),
  };
}

/** The contract without what does not matter to its score, and so may still be wrong. */
export function contractDraftOf(form: ContractForm) {
  const { dataSourceId, schemaName, tableName, samples, rules } = contractInputOf(form);
  return { dataSourceId, ...(schemaName !== undefined && { schemaName }), tableName, samples, rules };
}

/** What stands in the way of trying it: problems of the target and of the rule at `index`, or of all rules. */
export function problemsOfTrial(form: ContractForm, index?: number) {
  const rule = index === undefined ? "rules." : `rules.${index}.`;
  return problemsOf(form).filter(
    ({ path }) =>
      path === "dataSourceId" || path === "tableName" || path === "schemaName" || path.startsWith(rule),
  );
}

/** The rules of a draft that count, by their places, in the order in which their results come. */
export function enabledPlaces(rules: readonly Pick<ContractInput["rules"][number], "enabled">[]): number[] {
  return rules.flatMap(({ enabled }, place) => (enabled === false ? [] : place));
}
