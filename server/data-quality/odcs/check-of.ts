import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { Rule } from "../rule-schema.ts";
import { hasOptions } from "../rules/rule-options.ts";
import { ruleDefinition } from "../rules/rules.ts";
import type { Severity } from "../severities.ts";
import { asCustomProperties, ownEngine, ruleProperties } from "./own-properties.ts";

/** Converts rules to the standard's checks: the inverse of `rule-of.ts`. */

/** The standard leaves severities open; these are from its examples, plus one higher. */
export const severityWords: Record<Severity, string> = {
  Low: "info",
  Medium: "warning",
  High: "error",
  Critical: "critical",
};

export type WrittenRule = Pick<
  Rule,
  "key" | "name" | "type" | "column" | "severity" | "weight" | "enabled" | "configuration"
>;

/** One check. `position` is set if the file's order differs from the contract's. */
export function checkOf(
  rule: WrittenRule,
  { dialect, schedule, position }: { dialect: Dialect; schedule: string; position?: number | undefined },
): Record<string, unknown> {
  const { severity, weight } = rule;
  const definition = ruleDefinition(rule.type);
  const { dimension } = definition.odcs;
  return {
    id: rule.key,
    name: rule.name,
    ...measureOf(rule, dialect),
    ...(dimension && { dimension }),
    severity: severityWords[severity],
    scheduler: "cron",
    schedule,
    customProperties: asCustomProperties(ruleProperties, {
      severity,
      weight,
      ...(!rule.enabled && { enabled: false }),
      ...(position !== undefined && { position }),
      ...("query" in definition && { reads: "passed" }),
    }),
  };
}

function measureOf({ type, configuration }: WrittenRule, dialect: Dialect): Record<string, unknown> {
  const definition = ruleDefinition(type);
  if ("query" in definition) return { type: "sql", query: definition.query(configuration), mustBe: 1 };
  const { library, hasPatterns } = definition.odcs;
  // The standard's patterns are regular expressions, LIKE patterns are not.
  const isLike = hasPatterns && dialect.pattern.language === "like";
  // Nor has it words for which rows a check is about, and how many of them may fail.
  const isOwn = isLike || hasOptions(definition, configuration);
  const written = isOwn ? null : library?.write(configuration);
  if (library && written) return { type: "library", metric: library.metric, ...written };
  const { column: _, ...own } = configuration;
  return {
    type: "custom",
    engine: ownEngine,
    implementation: { type, ...own, ...(isLike && { syntax: "like" }) },
  };
}
