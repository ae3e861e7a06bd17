import { expect, test } from "vitest";
import type { ImportPlan } from "@/server/data-quality/imports/schema.ts";
import { filterPlan } from "./import-plan-rows.ts";

const rule = (name: string, fate: "New" | "Unchanged") =>
  ({
    id: name,
    name,
    fate,
    family: "unique",
    path: "a.yml",
    type: "Uniqueness",
    sentence: `No ${name.split(":")[0]} occurs twice`,
  }) as ImportPlan["tables"][number]["rules"][number];
const plan = {
  tables: [
    {
      id: "1",
      schemaName: "shop",
      tableName: "orders",
      contractName: "Orders",
      rules: [rule("id: unique", "New"), rule("key: unique", "Unchanged")],
    },
    {
      id: "2",
      schemaName: "shop",
      tableName: "people",
      contractName: null,
      rules: [rule("mail: unique", "Unchanged")],
    },
  ],
  notCarried: [
    { id: "a", path: "a.yml", family: "odd", reason: "No rule" },
    { id: "b", path: "b.yml", family: "odd", reason: "No dbt" },
    { id: "c", path: "c.yml", family: "odd", reason: "No dbt" },
  ],
} as unknown as ImportPlan;

const shown = (...args: [Parameters<typeof filterPlan>[1], string]) => {
  const { tables, reasons } = filterPlan(plan, ...args);
  return [
    tables.map(({ tableName, rules }) => [tableName, rules.length]),
    reasons.map(({ reason, paths }) => [reason, paths.length]),
  ];
};

test("a plan is filtered by what becomes of a rule, and searched; reasons are the most frequent first", () => {
  expect(shown(null, "")).toEqual([
    [
      ["orders", 2],
      ["people", 1],
    ],
    [
      ["No dbt", 2],
      ["No rule", 1],
    ],
  ]);
  expect(shown("New", "")).toEqual([[["orders", 1]], []]);
  expect(shown("NotCarried", "")).toEqual([
    [],
    [
      ["No dbt", 2],
      ["No rule", 1],
    ],
  ]);
  expect(shown(null, "SHOP mail")).toEqual([[["people", 1]], []]);
  expect(shown(null, "no key occurs")).toEqual([[["orders", 1]], []]);
  expect(shown(null, "b.yml")).toEqual([[], [["No dbt", 1]]]);
});
