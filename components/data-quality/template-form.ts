import { plainMessage } from "@/components/trpc/plain-message.ts";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import {
  createTemplateInput,
  previewTemplateInput,
  type RuleTemplate,
  type TemplateInput,
} from "@/server/data-quality/templates/schema.ts";
import { type ContractForm, emptyRule, ruleFormOf, ruleInputOf } from "./contract-form.ts";
import type { Problem } from "./contract-problems.ts";
import { ruleMessage } from "./form-paths.ts";

/**
 * The values of the template editor, and their conversion to and from the API. It has one rule in a list, as the editor of
 * contracts has many, so that both share the rule's fields. Patterns are one per line.
 */
export type TemplateForm = Pick<
  ContractForm,
  "name" | "enabled" | "cronExpression" | "timezone" | "schemaName" | "tableName" | "rules"
> & {
  projectId: number | null;
  dataSourceIds: number[];
  schemas: string;
  tables: string;
  tags: string;
  columns: string;
  createsContracts: boolean;
};

export const emptyTemplate = (projectId: number | null): TemplateForm => ({
  ...{
    projectId,
    name: "",
    enabled: true,
    dataSourceIds: [],
    schemas: "",
    tables: "",
    tags: "",
    columns: "",
  },
  ...{ createsContracts: false, cronExpression: "0 6 * * *", timezone: "UTC" },
  ...{ schemaName: "", tableName: "", rules: [emptyRule("NullRate")] },
});

export function templateFormOf(template: RuleTemplate): TemplateForm {
  const { selector, newContracts } = template;
  return {
    ...emptyTemplate(template.projectId),
    ...{ name: template.name, enabled: template.enabled, dataSourceIds: selector.dataSourceIds },
    schemas: selector.schemas.join("\n"),
    tables: selector.tables.join("\n"),
    tags: selector.tags.join("\n"),
    columns: selector.columns.join("\n"),
    createsContracts: newContracts !== null,
    ...newContracts,
    rules: [ruleFormOf({ ...template.rule, column: null, enabled: true })],
  };
}

/** The API input. Not validated here: this only converts. */
export function templateInputOf(form: TemplateForm): TemplateInput {
  const [written = emptyRule("NullRate")] = form.rules;
  const { enabled: _, key: __, configuration, ...rule } = ruleInputOf(written);
  const { column: ___, ...own } = (configuration ?? {}) as Record<string, unknown>;
  const named = written.name.trim() || suggestedTemplateRuleName(written);
  return {
    projectId: form.projectId as number,
    ...{ name: form.name, enabled: form.enabled },
    selector: {
      dataSourceIds: form.dataSourceIds,
      schemas: linesOf(form.schemas),
      tables: linesOf(form.tables),
      tags: linesOf(form.tags),
      columns: linesOf(form.columns),
    },
    rule: { ...rule, name: named, configuration: own },
    newContracts: form.createsContracts
      ? { cronExpression: form.cronExpression, timezone: form.timezone }
      : null,
  };
}

/** A default name for an unnamed rule: "Null rate of {column}". */
export function suggestedTemplateRuleName({ type }: Pick<TemplateForm["rules"][number], "type">): string {
  const { label, configuration } = ruleDefinition(type);
  return `${label} of ${"column" in configuration.shape ? "{column}" : "{table}"}`;
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Validation errors, by the same schema that the server uses. Paths are form paths. */
export function templateProblemsOf(form: TemplateForm): Problem[] {
  const read = createTemplateInput.safeParse(templateInputOf(form));
  const found = new Map<string, Problem>();
  for (const issue of read.success ? [] : read.error.issues) {
    const path = templateFormPath(issue.path.join("."));
    if (!found.has(path)) found.set(path, { path, message: templateMessage(issue.message) });
  }
  return [...found.values()];
}

/** The input of a preview, once it is valid. */
export function previewInputOf(form: TemplateForm) {
  const { name: _, enabled: __, ...input } = templateInputOf(form);
  return previewTemplateInput.safeParse(input).success ? input : null;
}

export const templateFormPath = (path: string): string =>
  path
    .replace(/^rule\./, "rules.0.")
    .replace(/^selector\.(dataSourceIds|schemas|tables|tags|columns).*$/, "$1")
    .replace(/^newContracts\./, "");

export const templateMessage = (message: string): string => ruleMessage(plainMessage(message));
