import type { Dialect } from "../../data-sources/engines/engine.ts";
import type { RuleType } from "../rules/configuration.ts";
import type { Rule, Severity } from "../schema.ts";
import { asCustomProperties, ownEngine, ruleProperties } from "./own-properties.ts";

/** Rules as the standard's checks: the other way round from `rule-of.ts`, which reads back what stands here. */

/** The standard leaves the words to whoever uses it; these are the ones of its examples, and one above them. */
export const severityWords: Record<Severity, string> = {
  Low: "info",
  Medium: "warning",
  High: "error",
  Critical: "critical",
};

/** What a type of rule looks at, in the standard's words; Custom SQL may look at anything. */
export const dimensions: Record<RuleType, string | undefined> = {
  Freshness: "timeliness",
  Volume: "completeness",
  NullRate: "completeness",
  Uniqueness: "uniqueness",
  Referential: "consistency",
  Range: "conformity",
  Pattern: "conformity",
  CustomSql: undefined,
};

export type WrittenRule = Pick<
  Rule,
  "key" | "name" | "type" | "column" | "severity" | "weight" | "enabled" | "configuration"
>;

/** One check. `position` is said where the file's own order is not the contract's. */
export function checkOf(
  rule: WrittenRule,
  { dialect, schedule, position }: { dialect: Dialect; schedule: string; position?: number | undefined },
): Record<string, unknown> {
  const { severity, weight } = rule;
  return {
    id: rule.key,
    name: rule.name,
    ...measureOf(rule, dialect),
    ...(dimensions[rule.type] && { dimension: dimensions[rule.type] }),
    severity: severityWords[severity],
    scheduler: "cron",
    schedule,
    customProperties: asCustomProperties(ruleProperties, {
      severity,
      weight,
      ...(!rule.enabled && { enabled: false }),
      ...(position !== undefined && { position }),
      ...(rule.type === "CustomSql" && { reads: "passed" }),
    }),
  };
}

function measureOf({ type, configuration }: WrittenRule, dialect: Dialect): Record<string, unknown> {
  const { column: _, ...own } = configuration;
  const { minRows, maxRows, maxNullPercent, min, max, pattern, sql } = own;
  switch (type) {
    case "Volume":
      return { type: "library", metric: "rowCount", ...between(minRows, maxRows) };
    case "NullRate":
      return { type: "library", metric: "nullValues", mustBeLessOrEqualTo: maxNullPercent, unit: "percent" };
    case "Uniqueness":
      return { type: "library", metric: "duplicateValues", mustBe: 0 };
    case "Range":
      return invalidValues({
        ...(min !== undefined && { min: shortest(min) }),
        ...(max !== undefined && { max: shortest(max) }),
      });
    case "Pattern":
      // The standard's patterns are regular expressions, and those of LIKE are not.
      return dialect === "sqlserver"
        ? ownCheck(type, { pattern, syntax: "like" })
        : invalidValues({ pattern });
    case "CustomSql":
      return { type: "sql", query: sql, mustBe: 1 };
    case "Freshness":
    case "Referential":
      return ownCheck(type, own);
  }
}

const invalidValues = (values: Record<string, unknown>) => ({
  type: "library",
  metric: "invalidValues",
  arguments: values,
  mustBe: 0,
});

const ownCheck = (type: RuleType, configuration: Record<string, unknown>) => ({
  type: "custom",
  engine: ownEngine,
  implementation: { type, ...configuration },
});

function between(min: unknown, max: unknown) {
  if (max === undefined) return { mustBeGreaterOrEqualTo: min };
  if (min === undefined) return { mustBeLessOrEqualTo: max };
  return min === max ? { mustBe: min } : { mustBeBetween: [min, max] };
}

/** A bound as a number where that is the same text again, else as text, which keeps every digit. */
function shortest(bound: unknown): unknown {
  return String(Number(bound)) === bound ? Number(bound) : bound;
}
