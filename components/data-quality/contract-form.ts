import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { optionFields } from "@/server/data-quality/rules/rule-options.ts";
import {
  askedFields,
  formFieldsOf,
  type RuleType,
  ruleDefinition,
} from "@/server/data-quality/rules/rules.ts";
import type { TableColumn } from "@/server/data-quality/rules/table-columns.ts";
import type { Contract, ContractInput } from "@/server/data-quality/schema.ts";
import type { Severity } from "@/server/data-quality/severities.ts";
import type { SampleMode } from "@/server/data-sources/sample.ts";
import { suggestedRuleName } from "./rule-words.ts";
import { typedNumber } from "./typed-number.ts";

/**
 * The editor's values, and their conversion to and from the API. A rule's configuration is kept as is; weights and
 * thresholds are kept as typed. An invalid number is sent as typed, so that the server rejects it by name.
 */

/** A configuration value; null if not set. */
export type ConfigurationValue = string | number | boolean | string[] | TableColumn[] | null;

export type RuleForm = {
  /** The stored rule's stable key; a new rule has none. */
  key?: string;
  name: string;
  type: RuleType;
  severity: Severity;
  weight: string;
  enabled: boolean;
  configuration: Record<string, ConfigurationValue>;
};

export type ContractForm = {
  name: string;
  description: string;
  /** What AI actors and assistants should know. */
  context: string;
  dataSourceId: number | null;
  schemaName: string;
  tableName: string;
  cronExpression: string;
  timezone: string;
  failureThreshold: string;
  enabled: boolean;
  alertOnFailure: boolean;
  reminderHours: number | null;
  createTasks: boolean;
  samples: SampleMode;
  recipientIds: number[];
  rules: RuleForm[];
  /** The rules as YAML, while what was typed is not valid; `rules` are then those before. */
  rulesText: string | null;
};

export function emptyRule(type: RuleType): RuleForm {
  const configuration = Object.fromEntries(keysOf(type).map((key) => [key, null]));
  return { name: "", type, severity: "Medium", weight: "1", enabled: true, configuration };
}

/** A rule that checks something else: another rule, so without the key, that keeps the column and the options of both. */
export function ruleOfType({ key: _, ...rule }: RuleForm, type: RuleType): RuleForm {
  const kept = ["column", ...Object.keys(optionFields(ruleDefinition(type)))];
  const { configuration } = emptyRule(type);
  for (const name of Object.keys(configuration))
    if (kept.includes(name)) configuration[name] = rule.configuration[name] ?? null;
  return { ...rule, type, configuration };
}

const keysOf = (type: RuleType) => Object.keys(formFieldsOf(type));

/** An independent copy of a contract, with its own rules and a name that marks it as a copy. */
export function copyOfContract(contract: Contract): ContractForm {
  const form = formOf(contract);
  return {
    ...form,
    name: `${form.name.slice(0, 193)} (copy)`,
    rules: form.rules.map(({ key: _, ...rule }) => rule),
  };
}

export function formOf(contract: Contract): ContractForm {
  return {
    name: contract.name,
    description: contract.description ?? "",
    context: contract.context ?? "",
    dataSourceId: contract.dataSourceId,
    schemaName: contract.schemaName,
    tableName: contract.tableName,
    cronExpression: contract.cronExpression,
    timezone: contract.timezone,
    failureThreshold: String(contract.failureThreshold),
    enabled: contract.enabled,
    alertOnFailure: contract.alertOnFailure,
    reminderHours: contract.reminderHours,
    createTasks: contract.createTasks,
    samples: contract.samples,
    recipientIds: contract.recipients.map((recipient) => recipient.id),
    rules: contract.rules.map(ruleFormOf),
    rulesText: null,
  };
}

/** From a stored rule, or from a suggestion, which has no key. */
export function ruleFormOf(rule: Omit<Rule, "id" | "key"> & { key?: string }): RuleForm {
  const { key, name, type, severity, enabled } = rule;
  const stored = rule.configuration as Record<string, ConfigurationValue | undefined>;
  const configuration = Object.fromEntries(keysOf(type).map((each) => [each, stored[each] ?? null]));
  return { ...(key && { key }), name, type, severity, weight: String(rule.weight), enabled, configuration };
}

/** The API input. Not validated here: this only converts. */
export function contractInputOf(form: ContractForm): ContractInput {
  return {
    name: form.name,
    description: form.description.trim() || null,
    context: form.context.trim() || null,
    dataSourceId: form.dataSourceId as number,
    ...(form.schemaName !== "" && { schemaName: form.schemaName }),
    tableName: form.tableName,
    cronExpression: form.cronExpression,
    timezone: form.timezone,
    failureThreshold: (typedNumber(form.failureThreshold) ?? undefined) as number,
    enabled: form.enabled,
    alertOnFailure: form.alertOnFailure,
    reminderHours: form.reminderHours,
    createTasks: form.createTasks,
    samples: form.samples,
    recipientIds: form.recipientIds,
    rules: form.rules.map(ruleInputOf),
  };
}

export function ruleInputOf(rule: RuleForm): ContractInput["rules"][number] {
  const keys = [
    ...Object.keys(askedFields(rule.type, rule.configuration)),
    ...Object.keys(optionFields(ruleDefinition(rule.type), rule.configuration)),
  ];
  const configuration = Object.fromEntries(
    keys.flatMap((each) => {
      const value = rule.configuration[each] ?? null;
      return isNothing(value) ? [] : [[each, value]];
    }),
  );
  const name = rule.name.trim() || suggestedRuleName(rule).slice(0, 200);
  const { key, type, severity, enabled } = rule;
  const weight = (typedNumber(rule.weight) ?? undefined) as number;
  return { ...(key && { key }), name, type, severity, weight, enabled, configuration };
}

const isNothing = (value: ConfigurationValue) =>
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0);

/** Whether the rules would be other ones. */
export function rulesDiffer(before: readonly RuleForm[], after: readonly RuleForm[]): boolean {
  return JSON.stringify(before.map(ruleInputOf)) !== JSON.stringify(after.map(ruleInputOf));
}
