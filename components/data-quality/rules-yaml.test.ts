import { describe, expect, test } from "vitest";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { ruleDefinitions } from "@/server/data-quality/rules/rules.ts";
import { createContractInput } from "@/server/data-quality/schema.ts";
import { ruleFormOf, ruleInputOf } from "./contract-form.ts";
import { rulesIn, yamlOf } from "./rules-yaml.ts";

const key = "0191e2c7-6a0b-7c3e-9a51-5d7f8f1f2a44";

/** Each kind of rule, and each option. */
const written: { type: string; configuration: object }[] = [
  { type: "Freshness", configuration: { column: "at", maxAgeMinutes: 60, where: "status <> 'draft'" } },
  { type: "Freshness", configuration: { column: "at", usual: "Above", usualWidth: 6 } },
  { type: "Volume", configuration: { minRows: 1, maxRows: 9, lastHours: 24, timeColumn: "at" } },
  { type: "NullRate", configuration: { column: "yes", maxNullPercent: 0.5, groupBy: ["country", "city"] } },
  { type: "Uniqueness", configuration: { column: "id", where: "a = 1", duplicatesAmong: "Rows" } },
  { type: "UniqueCombination", configuration: { columns: ["a", "b: c"], maxFailingRows: 2 } },
  {
    type: "Referential",
    configuration: { column: "no", referenceSchema: "s", referenceTable: "t", referenceColumn: "id" },
  },
  { type: "Range", configuration: { column: "price", min: "0.10", max: "99999999999999999999.5" } },
  { type: "Mean", configuration: { column: "price", min: "0.10", usual: "Both" } },
  {
    type: "Pattern",
    configuration: { column: "code", pattern: "^[A-Z]{3}: #\\d+$", maxFailingPercent: 1.5 },
  },
  { type: "AllowedValues", configuration: { column: "status", values: ["open", "yes", "007", "", " a "] } },
  {
    type: "RowCondition",
    configuration: { condition: "paid_at >= ordered_at\n-- a note", whenUnknown: "Fail" },
  },
  { type: "CustomSql", configuration: { sql: "select count(*) = 0\nfrom orders\nwhere x = 'a: b'" } },
  {
    type: "Schema",
    configuration: { columns: [{ name: "id", type: "integer", nullable: false }], added: "Warning" },
  },
];

const formOf = (rule: object) => {
  const read = createContractInput.safeParse({
    ...{ name: "C", dataSourceId: 1, tableName: "t", cronExpression: "0 0 * * *" },
    rules: [{ name: "A rule", ...rule }],
  });
  return read.success ? read.data.rules.map((each) => ruleFormOf(each as unknown as Rule))[0] : undefined;
};

describe("rules to YAML and back", () => {
  test.each(written)("$type $configuration", (rule) => {
    const form = formOf({ ...rule, key, severity: "High", weight: 0.5, enabled: false });
    if (!form) return expect(rule.type).toBe("Schema");
    const read = rulesIn(yamlOf([form]), "t");
    expect(read.problems).toEqual([]);
    expect(read.rules).toEqual([form]);
    expect(read.rules?.map(ruleInputOf)).toEqual([ruleInputOf(form)]);
  });

  test("every kind of rule is among these, but for Compare, which names another table", () => {
    const kinds = ruleDefinitions.map(({ type }) => type).filter((type) => type !== "Compare");
    expect([...new Set(written.map(({ type }) => type))].sort()).toEqual(kinds.sort());
  });

  test("what is as it is by default is left out", () => {
    const form = formOf({ type: "Volume", configuration: { minRows: 1 } });
    expect(yamlOf(form ? [form] : [])).toBe(
      "- name: A rule\n  type: Volume\n  configuration:\n    minRows: 1\n",
    );
  });

  test("without rules there is an example to uncomment, which is valid", () => {
    const example = yamlOf([]);
    expect(rulesIn(example.replaceAll(/^# ?/gm, ""), "t").problems).toEqual([]);
  });
});

describe("problems are told by their line", () => {
  const problems = (text: string) =>
    rulesIn(text, "t").problems.map(({ line, message }) => `${line} ${message}`);

  test("of YAML", () => {
    expect(problems("- name: A\n  type: [Volume\n")[0]).toMatch(/^[23] /);
    expect(problems("- name: A\n  type: Volume\n  type: Range\n")[0]).toMatch(/^3 .*unique/);
    expect(problems("name: A")).toEqual(["1 The rules are a list: begin each with “- ”"]);
    expect(problems("")).toEqual(["1 The rules are a list: begin each with “- ”"]);
  });

  test("of the rules", () => {
    const withMore = "- name: A\n  type: Volume\n  configuration:\n    minRows: 1\n    rows: 2\n";
    expect(problems(withMore)).toEqual(["5 configuration.rows: is not a known property"]);
    expect(problems(`${withMore}- type: Volume\n`)).toEqual(["6 name: is required"]);
    expect(problems("- name: A\n  type: Sum\n")[0]).toMatch(/^2 type: /);
    expect(
      problems("- name: A\n  type: NullRate\n  configuration:\n    column: a\n    maxNullPercent: 101\n")[0],
    ).toMatch(/^5 configuration.maxNullPercent: /);
    expect(problems("[]")).toEqual(["1 needs at least one rule"]);
  });

  test("of what could grow, which is refused", () => {
    const bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    expect(problems(bomb)[0]).toBe("1 Anchors and aliases are not supported");
    expect(problems("- !!binary aGVsbG8=\n")[0]).toMatch(/^1 The tag .* is not supported$/);
    expect(problems("a".repeat(600_000))).toEqual(["1 The text is too long"]);
  });
});
