import type { DryRunResult } from "@/server/data-quality/dry-run-schema.ts";
import type { ContractInput } from "@/server/data-quality/schema.ts";
import { type ContractForm, contractInputOf, type RuleForm, ruleInputOf } from "./contract-form.ts";
import { problemsOf } from "./contract-problems.ts";

/** Trying an unsaved rule on the current table. */

export type Trial =
  | { state: "running" }
  | { state: "done"; result: DryRunResult; of: string }
  | { state: "failed"; message: string; of: string };

type Target = Pick<ContractForm, "dataSourceId" | "schemaName" | "tableName" | "samples">;

/** Identifies what a trial depends on: if it changes, the result is outdated. */
export function trialKey(
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

/** The contract without the fields that don't affect its score and may still be invalid. */
export function contractDraftOf(form: ContractForm) {
  const { dataSourceId, schemaName, tableName, samples, rules } = contractInputOf(form);
  return { dataSourceId, ...(schemaName !== undefined && { schemaName }), tableName, samples, rules };
}

/** Problems that prevent a trial: of the target, and of the rule at `index` or all rules. */
export function problemsOfTrial(form: ContractForm, index?: number) {
  const rule = index === undefined ? "rules." : `rules.${index}.`;
  return problemsOf(form).filter(
    ({ path }) =>
      path === "dataSourceId" || path === "tableName" || path === "schemaName" || path.startsWith(rule),
  );
}

/** The indexes of a draft's enabled rules, in the order of their results. */
export function enabledPlaces(rules: readonly Pick<ContractInput["rules"][number], "enabled">[]): number[] {
  return rules.flatMap(({ enabled }, place) => (enabled === false ? [] : place));
}
