import type { ContractForm, RuleForm } from "./contract-form.ts";

/** What a form begins with, for which no rule has to be known. */

export function emptyContract(start: Partial<ContractForm> = {}): ContractForm {
  return {
    name: "",
    description: "",
    context: "",
    dataSourceId: null,
    schemaName: "",
    tableName: "",
    cronExpression: "0 6 * * *",
    timezone: "UTC",
    failureThreshold: "80",
    enabled: true,
    alertOnFailure: true,
    reminderHours: 24,
    createTasks: false,
    samples: "Masked",
    recipientIds: [],
    rules: [],
    rulesText: null,
    ...start,
  };
}

/** An independent copy of a rule, without its key. */
export function copyOfRule({ key: _, ...rule }: RuleForm): RuleForm {
  return {
    ...rule,
    name: rule.name && `${rule.name} (copy)`.slice(0, 200),
    configuration: { ...rule.configuration },
  };
}
