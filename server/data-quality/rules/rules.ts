import type { z } from "zod";
import { allowedValues } from "./allowed-values.ts";
import { compare } from "./compare.ts";
import { customSql } from "./custom-sql.ts";
import { isAsked, type RuleField } from "./fields.ts";
import { freshness } from "./freshness.ts";
import { mean } from "./mean.ts";
import { nullRate } from "./null-rate.ts";
import { pattern } from "./pattern.ts";
import { range } from "./range.ts";
import { referential } from "./referential.ts";
import { rowCondition } from "./row-condition.ts";
import type { MeasuredRule, RuleDefinition } from "./rule.ts";
import { optionFields } from "./rule-options.ts";
import { schemaRule } from "./schema-rule.ts";
import { uniqueCombination } from "./unique-combination.ts";
import { uniqueness } from "./uniqueness.ts";
import { volume } from "./volume.ts";

/** Every rule type, in the order offered. The browser loads them too. */
const all = [
  freshness,
  volume,
  nullRate,
  uniqueness,
  uniqueCombination,
  referential,
  range,
  mean,
  pattern,
  allowedValues,
  rowCondition,
  schemaRule,
  compare,
  customSql,
] as const;

type Definition = (typeof all)[number];
export type RuleType = Definition["type"];
/** Those measured by our SQL. */
export type MeasuredType = Extract<Definition, MeasuredRule>["type"];
export type DefinitionOf<Type extends RuleType> = Extract<Definition, { type: Type }>;
export type Configuration<Type extends RuleType> = z.output<DefinitionOf<Type>["configuration"]>;

export const ruleDefinitions: readonly (RuleDefinition & { type: RuleType })[] = all;
export const ruleTypes = all.map(({ type }) => type) as [RuleType, ...RuleType[]];

const byType = new Map<RuleType, RuleDefinition>(all.map((each) => [each.type, each]));

/** The definition of a rule type. */
export function ruleDefinition(type: RuleType): RuleDefinition {
  const found = byType.get(type);
  if (!found) throw new Error(`Unknown rule type ${type}`);
  return found;
}

/** The form fields of a type: its own, and those of the options it has. */
export function formFieldsOf(type: RuleType): Record<string, RuleField> {
  const definition = ruleDefinition(type);
  return { ...definition.fields, ...optionFields(definition) };
}

/** Those of its own that matter with these values. */
export function askedFields(
  type: RuleType,
  configuration: Readonly<Record<string, unknown>>,
): Record<string, RuleField> {
  const { fields } = ruleDefinition(type);
  return Object.fromEntries(
    Object.entries(fields).filter(([, field]) => isAsked(field, fields, configuration)),
  );
}

/** The columns of the contract's table that a configuration names. */
export function columnsIn(type: RuleType, configuration: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(ruleDefinition(type).fields).flatMap(([key, { kind }]) => {
    const value = configuration[key];
    if (kind === "columns" && Array.isArray(value)) return value.map(String);
    return kind === "column" && typeof value === "string" && value !== "" ? value : [];
  });
}

/** What is measured, for the API reference: "minutes for Freshness, failing rows for Referential, Range". */
export function measuredByType(): string {
  const byWords = Map.groupBy(ruleDefinitions, ({ measured }) => measured);
  return [...byWords]
    .map(([words, of]) => `${words} for ${of.map(({ type }) => type).join(", ")}`)
    .join("; ");
}

/** The types that count something other than failing rows, by what they count. */
export const typesWith = (of: "values" | "changes"): RuleType[] =>
  all.flatMap(({ type, samples }) => (samples?.of === of ? type : []));
