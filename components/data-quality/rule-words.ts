import { optionsInWords, ruleInWords } from "@/server/data-quality/rules/rule-options.ts";
import { columnsIn, formFieldsOf, type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import { columnInWords } from "@/server/data-quality/rules/table-columns.ts";
import { approvedColumnsIn } from "./configured-columns.ts";

type Configured = { type: RuleType; configuration: Readonly<Record<string, unknown>> };

/** A rule's configuration in one line: "departed_at, at most 60 minutes old". It may be incomplete. */
export function configurationWords({ type, configuration }: Configured): string {
  const keys = Object.keys(formFieldsOf(type));
  const values = Object.fromEntries(keys.map((key) => [key, valueWords(configuration[key])]));
  const definition = ruleDefinition(type);
  return [ruleInWords(definition, values), optionsInWords(definition, values)].filter(Boolean).join(", ");
}

/** A configuration value as text; null if not set. */
export function valueWords(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (Array.isArray(value)) {
    const isColumns = typeof value[0] === "object";
    return value.length === 0
      ? null
      : (isColumns ? approvedColumnsIn(value).map(columnInWords) : value).join(", ");
  }
  return String(value);
}

/** A default name for an unnamed rule: "Freshness of departed_at". */
export function suggestedRuleName({ type, configuration }: Configured): string {
  const { label } = ruleDefinition(type);
  const columns = columnsIn(type, configuration);
  return columns.length > 0 ? `${label} of ${columns.join(", ")}` : label;
}
