import type { RuleType } from "@/server/data-quality/rules/configuration.ts";
import type { Contract, ContractInput, Rule, SampleMode, Severity } from "@/server/data-quality/schema.ts";
import { ruleTypeWords, suggestedRuleName } from "./rule-types.ts";

/**
 * The editor's values and their way from and to the service's. Everything that is typed is text here, so that
 * "", "1e" or "0.10" stay what was typed; what cannot be read as a number is sent as it is, and refused by name.
 */

export type RuleForm = {
  /** The service's stable identity; none for a rule that is new. */
  key?: string;
  name: string;
  type: RuleType;
  severity: Severity;
  weight: string;
  enabled: boolean;
  configuration: Record<string, string>;
};

export type ContractForm = {
  name: string;
  description: string;
  dataSourceId: number | null;
  schemaName: string;
  tableName: string;
  cronExpression: string;
  timezone: string;
  failureThreshold: string;
  enabled: boolean;
  alertOnFailure: boolean;
  reminderHours: number | null;
  samples: SampleMode;
  recipientIds: number[];
  rules: RuleForm[];
};

export function emptyContract(start: Partial<ContractForm> = {}): ContractForm {
  return {
    name: "",
    description: "",
    dataSourceId: null,
    schemaName: "",
    tableName: "",
    cronExpression: "0 6 * * *",
    timezone: "UTC",
    failureThreshold: "80",
    enabled: true,
    alertOnFailure: true,
    reminderHours: 24,
    samples: "Masked",
    recipientIds: [],
    rules: [],
    ...start,
  };
}

export function emptyRule(type: RuleType): RuleForm {
  const configuration = Object.fromEntries(ruleTypeWords[type].fields.map((field) => [field.key, ""]));
  return { name: "", type, severity: "Medium", weight: "1", enabled: true, configuration };
}

/** A rule of its own: the copy has no key. */
export function copyOfRule({ key: _, ...rule }: RuleForm): RuleForm {
  return {
    ...rule,
    name: rule.name && `${rule.name} (copy)`.slice(0, 200),
    configuration: { ...rule.configuration },
  };
}

/** A contract of its own, like another one: it has its own rules, and a name that says so. */
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
    dataSourceId: contract.dataSourceId,
    schemaName: contract.schemaName,
    tableName: contract.tableName,
    cronExpression: contract.cronExpression,
    timezone: contract.timezone,
    failureThreshold: String(contract.failureThreshold),
    enabled: contract.enabled,
    alertOnFailure: contract.alertOnFailure,
    reminderHours: contract.reminderHours,
    samples: contract.samples,
    recipientIds: contract.recipients.map((recipient) => recipient.id),
    rules: contract.rules.map(ruleFormOf),
  };
}

/** A rule that is stored, or one that is suggested and so has no key. */
export function ruleFormOf(rule: Omit<Rule, "id" | "key"> & { key?: string }): RuleForm {
  const { configuration } = emptyRule(rule.type);
  for (const field of Object.keys(configuration)) {
    const value = rule.configuration[field];
    if (value !== undefined && value !== null) configuration[field] = String(value);
  }
  const { key, name, type, severity, enabled } = rule;
  return { ...(key && { key }), name, type, severity, weight: String(rule.weight), enabled, configuration };
}

/** What is sent. It may still be refused: this only translates. */
export function contractInputOf(form: ContractForm): ContractInput {
  return {
    name: form.name,
    description: form.description.trim() || null,
    dataSourceId: form.dataSourceId as number,
    ...(form.schemaName !== "" && { schemaName: form.schemaName }),
    tableName: form.tableName,
    cronExpression: form.cronExpression,
    timezone: form.timezone,
    failureThreshold: numberIn(form.failureThreshold) as number,
    enabled: form.enabled,
    alertOnFailure: form.alertOnFailure,
    reminderHours: form.reminderHours,
    samples: form.samples,
    recipientIds: form.recipientIds,
    rules: form.rules.map(ruleInputOf),
  };
}

export function ruleInputOf(rule: RuleForm): ContractInput["rules"][number] {
  const configuration: Record<string, unknown> = {};
  for (const { key, kind } of ruleTypeWords[rule.type].fields) {
    const typed = rule.configuration[key] ?? "";
    if (typed.trim() === "") continue;
    configuration[key] = kind === "number" ? numberIn(typed) : kind === "decimal" ? typed.trim() : typed;
  }
  const name = rule.name.trim() || suggestedRuleName(rule).slice(0, 200);
  const { key, type, severity, enabled } = rule;
  const weight = numberIn(rule.weight) as number;
  return { ...(key && { key }), name, type, severity, weight, enabled, configuration };
}

/** The number that was typed; nothing for nothing, and the text itself where it is none, to be refused. */
function numberIn(typed: string): number | string | undefined {
  const text = typed.trim();
  if (text === "") return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text;
}

/** Whether saving would drop the stored results of the rules as they were. */
export function rulesDiffer(before: readonly RuleForm[], after: readonly RuleForm[]): boolean {
  return JSON.stringify(before.map(ruleInputOf)) !== JSON.stringify(after.map(ruleInputOf));
}
