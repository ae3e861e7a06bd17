import { isSame } from "@/components/edits/three-way.ts";
import { plainValue } from "@/components/edits/value-words.ts";
import { columnChanges } from "@/server/data-quality/rules/column-changes.ts";
import { ruleSentence, valueWords } from "@/server/data-quality/rules/rule-sentence.ts";
import { formFieldsOf, type RuleType } from "@/server/data-quality/rules/rules.ts";
import { kindWords, sidesOf } from "@/server/data-quality/rules/schema-rule.ts";
import type { ContractContent, ContractVersion } from "@/server/data-quality/version-schema.ts";
import { approvedColumnsIn } from "./configured-columns.ts";
import { contractLabels, ruleLabels } from "./contract-difference-words.ts";

/** How two versions of a contract differ, in words. Pure. */

export type ValueChange = { label: string; before: string; after: string };
export type RuleChange = {
  key: string;
  name: string;
  change: "Added" | "Removed" | "Changed";
  /** What it checks, in the later version that has it. */
  check: string;
  /** Of a changed rule: each value before and after. */
  values: ValueChange[];
};
export type VersionDifference = { values: ValueChange[]; rules: RuleChange[]; isReordered: boolean };

type Names = { sourceOf: (id: number) => string; recipientOf: (id: number) => string };
type ContentRule = ContractContent["rules"][number];

export function versionDifference(
  before: ContractContent,
  after: ContractContent,
  names: Names,
): VersionDifference {
  const rules = ruleChanges(before.rules, after.rules);
  const keysOf = (content: ContractContent) => content.rules.map(({ key }) => key);
  return {
    values: changed(fieldsOf(before, names), fieldsOf(after, names)),
    rules,
    isReordered: rules.length === 0 && !isSame(keysOf(before), keysOf(after)),
  };
}

/** Each field with its label, as text; what belongs together is one. */
function fieldsOf({ rules: _, ...content }: ContractContent, names: Names): Map<string, string> {
  const { dataSourceId, schemaName, tableName, recipientIds, ...fields } = content;
  return new Map([
    ["target", `${names.sourceOf(dataSourceId)} / ${schemaName}.${tableName}`],
    ...Object.entries(fields).map(([key, value]): [string, string] => [key, plainValue(value)]),
    ["recipientIds", recipientIds.map(names.recipientOf).toSorted().join(", ") || "none"],
  ]);
}

const changed = (before: Map<string, string>, after: Map<string, string>, labels = contractLabels) =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((key): ValueChange[] => {
    const [old, now] = [before.get(key) ?? "empty", after.get(key) ?? "empty"];
    return old === now ? [] : [{ label: labels[key] ?? key, before: old, after: now }];
  });

/** By key, in the order of the later version; removed rules last. */
function ruleChanges(before: readonly ContentRule[], after: readonly ContentRule[]): RuleChange[] {
  const former = new Map(before.map((rule) => [rule.key, rule]));
  const of = (rule: ContentRule, change: RuleChange["change"], values: ValueChange[] = []) => ({
    ...{ key: rule.key, name: rule.name, change, values },
    check: checkOf(rule),
  });
  return [
    ...after.flatMap((rule) => {
      const old = former.get(rule.key);
      if (!old) return of(rule, "Added");
      const values = ruleValues(old, rule);
      return values.length === 0 ? [] : of(rule, "Changed", values);
    }),
    ...before.filter(({ key }) => !after.some((rule) => rule.key === key)).map((rule) => of(rule, "Removed")),
  ];
}

/** A rule that checks something of another type is compared as a whole, else by its properties. */
function ruleValues(old: ContentRule, now: ContentRule): ValueChange[] {
  const of = ({ name, severity, weight, enabled }: ContentRule): [string, string][] => [
    ["name", name],
    ["severity", severity],
    ["weight", plainValue(weight)],
    ["enabled", plainValue(enabled)],
  ];
  const isSameType = old.type === now.type;
  const check = (rule: ContentRule): [string, string][] =>
    isSameType ? configurationOf(rule) : [["check", checkOf({ ...rule, ...uncounted })]];
  const labels = { ...ruleLabels, ...configurationLabels(now.type) };
  return [
    ...changed(new Map([...of(old), ...check(old)]), new Map([...of(now), ...check(now)]), labels),
    ...(isSameType ? columnValues(old, now) : []),
  ];
}

/** What is told by itself. */
const uncounted = { severity: "Medium", weight: 1, enabled: true } as const;

const keyed = (key: string) => `configuration.${key}`;

/** Except for approved columns, of which only those that differ are told. */
const configurationOf = ({ type, column, configuration }: ContentRule): [string, string][] =>
  Object.entries(formFieldsOf(type))
    .filter(([, { kind }]) => kind !== "approvedColumns")
    .map(([key]) => [
      keyed(key),
      valueWords(configuration[key] ?? (key === "column" ? column : null)) ?? "empty",
    ]);

/** Each approved column that differs. */
function columnValues(old: ContentRule, now: ContentRule): ValueChange[] {
  const keys = Object.entries(formFieldsOf(now.type)).flatMap(([key, { kind }]) =>
    kind === "approvedColumns" ? key : [],
  );
  return keys.flatMap((key) =>
    columnChanges(approvedColumnsIn(old.configuration[key]), approvedColumnsIn(now.configuration[key])).map(
      (change) => {
        const [before, after] = sidesOf(change).map((side) => side ?? "no such column");
        return {
          label: `${kindWords[change.kind]}: ${change.name}`,
          before: before ?? "",
          after: after ?? "",
        };
      },
    ),
  );
}

const configurationLabels = (type: RuleType) =>
  Object.fromEntries(
    Object.entries(formFieldsOf(type)).map(([key, { label }]) => [keyed(key), label.toLowerCase()]),
  );

const checkOf = ({ column, configuration, ...rule }: ContentRule) =>
  ruleSentence({
    ...rule,
    configuration: column === null ? configuration : { column, ...configuration },
  });

/** What a version changed, in a line: "Failure threshold; rule “Known” added". */
export function versionWords({ number, restoredFrom, changes }: ContractVersion): string {
  if (restoredFrom !== null) return `Restored version ${restoredFrom}`;
  if (number === 1) return "First version";
  const target = ["dataSourceId", "schemaName", "tableName"];
  const parts = changes.map(({ path, change, name }) => {
    if (name !== null) return `rule “${name}” ${change.toLowerCase()}`;
    return contractLabels[target.includes(path) ? "target" : path] ?? path;
  });
  const words = [...new Set(parts)].join("; ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
