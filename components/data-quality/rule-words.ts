import { columnsIn, type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";

/** A default name for an unnamed rule: "Freshness of departed_at". */
export function suggestedRuleName({
  type,
  configuration,
}: {
  type: RuleType;
  configuration: Readonly<Record<string, unknown>>;
}): string {
  const { label } = ruleDefinition(type);
  const columns = columnsIn(type, configuration);
  return columns.length > 0 ? `${label} of ${columns.join(", ")}` : label;
}
