import { expect, test } from "vitest";
import type { BriefedTable } from "../briefing.ts";
import { type CheckKind, checkKinds } from "./check.ts";
import { isNamedColumn, isRefusedColumn, refusalOf, weightOf, wishesIn } from "./wishes.ts";

const table = (tableName: string, columns: string[] = ["id"], schemaName = "public"): BriefedTable => ({
  ...{ schemaName, tableName, kind: "Table", rowEstimate: 10, comment: null, profile: null },
  columns: columns.map((name) => ({
    name,
    type: "integer",
    nullable: true,
    comment: null,
    isPrimaryKey: false,
  })),
});
const tables = [
  table("orders", ["id", "customer_id", "status"]),
  table("order_items", ["id", "note"]),
  table("customers", ["id", "email"]),
  table("access_log"),
  table("stg_orders"),
  table("events", ["id"], "staging"),
  table("values", ["id"]),
];

/** What is left to be watched, by table: the kinds, or "all". */
function allowed(text: string): Record<string, string> {
  const wishes = wishesIn(text, tables);
  return Object.fromEntries(
    tables.flatMap((each) => {
      const kinds = checkKinds.filter((kind) => !refusalOf(wishes, kind, each));
      return kinds.length === 0 ? [] : [[each.tableName, kinds.length === 5 ? "all" : kinds.join(" ")]];
    }),
  );
}
const everything = Object.fromEntries(tables.map(({ tableName }) => [tableName, "all"]));
const onAll = (...kinds: CheckKind[]) =>
  Object.fromEntries(tables.map(({ tableName }) => [tableName, kinds.join(" ")]));

test.each([
  ["Keep an eye on the data.", everything],
  ["only freshness", onAll("Freshness")],
  ["Only freshness and volume.", onAll("Freshness", "Volume")],
  ["freshness only", onAll("Freshness")],
  ["no duplicates", onAll("Freshness", "Volume", "MissingValues", "Orphans")],
  ["Watch everything without duplicates and orphans", onAll("Freshness", "Volume", "MissingValues")],
  ["Do not check row counts; never look for nulls.", onAll("Freshness", "Duplicates", "Orphans")],
  ["Tell me only when it matters.", everything],
  ["no new rows in orders is bad", everything],
  // What is to be so is to be watched.
  ["There must be no duplicates in orders and no missing values.", everything],
  ["Make sure that orders are never without customer", everything],
  ["Emails must be unique and not null", everything],
])("“%s” lets these be watched", (text, expected) => {
  expect(allowed(text)).toEqual(expected);
});

test.each([
  ["only orders", ["orders"]],
  ["Only watch order items and customers", ["customers", "order_items"]],
  ["ignore staging", ["access_log", "customers", "order_items", "orders", "stg_orders", "values"]],
  ["not the logs", ["customers", "events", "order_items", "orders", "stg_orders", "values"]],
  ["skip access_log, customers and staging.events", ["order_items", "orders", "stg_orders", "values"]],
  ["everything except customers", ["access_log", "events", "order_items", "orders", "stg_orders", "values"]],
  [
    "no missing values",
    ["access_log", "customers", "events", "order_items", "orders", "stg_orders", "values"],
  ],
])("“%s” lets these tables be watched", (text, expected) => {
  expect(Object.keys(allowed(text)).sort()).toEqual(expected);
});

test("a kind can be kept away from one table, and later words have the last say", () => {
  expect(allowed("no volume checks for orders").orders).toBe("Freshness MissingValues Duplicates Orphans");
  expect(allowed("no volume checks for orders").customers).toBe("all");
  const later = allowed("No duplicates.\nAlso watch customers for duplicates.");
  expect([later.customers, later.orders]).toEqual(["all", "Freshness Volume MissingValues Orphans"]);
  expect(allowed("Ignore customers. Now add customers again.").customers).toBe("all");
  expect(allowed("Never mind the orders. No duplicates. Watch orders.").orders).not.toContain("Duplicates");
});

test("what is named weighs more: a table, a kind, both", () => {
  const wishes = wishesIn("Watch the orders, above all for duplicates.", tables);
  const [orders, , customers] = tables as [BriefedTable, BriefedTable, BriefedTable];
  expect(weightOf(wishes, "Duplicates", orders)).toBeGreaterThan(weightOf(wishes, "Volume", orders));
  expect(weightOf(wishes, "Volume", orders)).toBeGreaterThan(weightOf(wishes, "Volume", customers));
  expect(weightOf(wishes, "Volume", customers)).toBe(0);
});

test("columns are named by words that mean nothing else, or with their table", () => {
  const [orders, items] = tables as [BriefedTable, BriefedTable];
  const wishes = wishesIn(
    "customer_id is what matters, and the status of orders. Ignore order_items.note",
    tables,
  );
  expect(isNamedColumn(wishes, orders, "customer_id")).toBe(true);
  expect(isNamedColumn(wishes, orders, "status")).toBe(true);
  expect(isNamedColumn(wishesIn("what is the status?", tables), orders, "status")).toBe(false);
  expect(isRefusedColumn(wishes, items, "note")).toBe(true);
  expect(refusalOf(wishes, "MissingValues", items)).toBeNull();
});

test("names that are no words have to stand there as they are", () => {
  const odd = [table("😀"), table('a"b')];
  expect(refusalOf(wishesIn("ignore 😀", odd), "Volume", odd[0] as BriefedTable)).not.toBeNull();
  expect(refusalOf(wishesIn("ignore 😀", odd), "Volume", odd[1] as BriefedTable)).toBeNull();
});
