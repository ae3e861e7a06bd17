import { expect, test } from "vitest";
import { isInScope } from "./scope.ts";

const orders = { dataSourceId: 1, schemaName: "public", tableName: "orders" };
const users = { dataSourceId: 2, schemaName: "public", tableName: "users" };
const tagsOf = ({ tableName }: { tableName: string }) =>
  tableName === "users" ? ["pii", "tier 1"] : ["finance"];

test.each([
  ["everything", null, null, true],
  ["its data source", [1], null, true],
  ["another data source", [3], null, false],
  ["a tag of one of its tables", null, ["gone", "pii"], true],
  ["a tag that none has", null, ["gone"], false],
  ["a tag of a table of that data source", [2], ["pii"], true],
  ["a tag of a table of the other data source", [1], ["pii"], false],
])("%s is in the scope or not: %j, %j", (_, dataSourceIds, tags, isIn) => {
  const reads = { dataSourceIds: [1, 2], tables: [orders, users] };
  expect(isInScope({ dataSourceIds, tags }, reads, tagsOf)).toBe(isIn);
});

test("what reads tables that are not known is in a scope without tags only", () => {
  const reads = { dataSourceIds: [1], tables: [] };
  expect(isInScope({ dataSourceIds: [1], tags: null }, reads, tagsOf)).toBe(true);
  expect(isInScope({ dataSourceIds: null, tags: ["pii"] }, reads, tagsOf)).toBe(false);
});
