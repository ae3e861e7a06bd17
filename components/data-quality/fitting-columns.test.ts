import { expect, test } from "vitest";
import { type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import { columnGroups } from "./fitting-columns.ts";

const column = (name: string, type: string, more = {}) => ({
  name,
  type,
  nullable: true,
  comment: null,
  isPrimaryKey: false,
  ...more,
});

const columns = [
  column("id", "bigint", { isPrimaryKey: true, nullable: false }),
  column("departed_at", "timestamp without time zone", { nullable: false }),
  column("origin", "text"),
  column("interval_of", "interval"),
  column("fare", "numeric(8,2)"),
];

const suitsOf = (type: RuleType) => {
  const { column } = ruleDefinition(type).fields;
  return column?.kind === "column" ? column.suits : undefined;
};

const named = (type: RuleType) =>
  columnGroups(suitsOf(type), columns).map((group) => [group.label, group.items.map((item) => item.value)]);

test("columns that suit the rule come first, and the others are still offered", () => {
  expect(named("Freshness")).toEqual([
    ["Times", ["departed_at"]],
    ["Other columns", ["id", "origin", "interval_of", "fare"]],
  ]);
  expect(named("Range")).toEqual([
    ["Numbers", ["id", "fare"]],
    ["Other columns", ["departed_at", "origin", "interval_of"]],
  ]);
  expect(named("Uniqueness")).toEqual([[undefined, ["id", "departed_at", "origin", "interval_of", "fare"]]]);
});

test("each column shows its type and what else is known about it", () => {
  const hints = columnGroups(suitsOf("NullRate"), columns)[0]?.items.map((item) => item.hint);
  expect(hints?.slice(0, 3)).toEqual([
    "bigint, primary key",
    "timestamp without time zone, not null",
    "text",
  ]);
});
