import type { Difference, Sides } from "@/components/edits/three-way.ts";
import { plainValue, type ValueWords } from "@/components/edits/value-words.ts";
import { plural } from "@/components/ui/format.ts";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { suggestedRuleName } from "./rule-words.ts";

/** Descriptions of two people's changes to a contract. Pure. */

export const contractLabels: Record<string, string> = {
  name: "Name",
  description: "Description",
  context: "Context for AI",
  target: "Table",
  cronExpression: "Schedule",
  timezone: "Time zone",
  failureThreshold: "Failure threshold",
  enabled: "Evaluate on schedule",
  alertOnFailure: "Alert on failure",
  reminderHours: "Remind after (hours)",
  createTasks: "Open a task on failure",
  samples: "Failing rows",
  recipientIds: "Recipients",
  rulesText: "Rules as YAML",
  rules: "Order of the rules",
};

export const ruleLabels: Record<string, string> = {
  name: "name",
  severity: "severity",
  weight: "weight",
  enabled: "enabled",
  check: "what it checks",
};

type Target = Pick<ContractForm, "dataSourceId" | "schemaName" | "tableName">;

export function contractDifferenceWords(
  { path }: Difference,
  { base, mine, theirs }: Sides<ContractForm>,
  sources: readonly { id: number; name: string }[],
): ValueWords {
  const [, key = "", field] = path.split(".");
  const nameOf = (key: string) => {
    const stored = [...base.rules, ...theirs.rules].find((rule) => rule.key === key);
    const rule = stored ?? mine.rules[Number(key.replace("new-", ""))];
    return rule ? `“${rule.name.trim() || suggestedRuleName(rule)}”` : key;
  };
  if (path.startsWith("rules."))
    return field === undefined
      ? { label: `Rule ${nameOf(key)}`, text: wholeRule }
      : {
          label: `Rule ${nameOf(key)}: ${ruleLabels[field] ?? field}`,
          text: field === "check" ? check : plainValue,
        };
  const label = contractLabels[path] ?? path;
  if (path === "target")
    return {
      label,
      text: (value) => {
        const { dataSourceId, schemaName, tableName } = value as Target;
        const source = sources.find(({ id }) => id === dataSourceId)?.name ?? `data source ${dataSourceId}`;
        return `${source} / ${[schemaName, tableName].filter(Boolean).join(".")}`;
      },
    };
  if (path === "recipientIds")
    return { label, text: (value) => plural((value as number[]).length, "recipient") };
  if (path === "rules") return { label, text: (value) => (value as string[]).map(nameOf).join(", ") };
  return { label, text: plainValue };
}

const check = (value: unknown) => {
  const rule = value as Pick<RuleForm, "type" | "configuration">;
  return ruleSentence(rule);
};

const wholeRule = (value: unknown) => (value === undefined ? "no such rule" : check(value));
