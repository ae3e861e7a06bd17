import { expect, test } from "vitest";
import { searchSchema } from "./schema-search.ts";

const table = (tableName: string, ...names: string[]) => ({
  ...{ tableName, kind: "Table" as const, rowEstimate: null, comment: null },
  columns: names.map((name) => ({
    ...{ name, type: "text", nullable: true, comment: null, isPrimaryKey: false },
  })),
});
const items = [
  { schemaName: "archive", tables: [table("orders", "id", "region")] },
  {
    schemaName: "public",
    tables: [table("customers", "id", "order_count"), table("orders", "id", "amount")],
  },
];

function found(search: string, limit = 10) {
  const { found: tables, more } = searchSchema(items, search, { nearest: "public", limit });
  const names = tables.map(
    ({ schemaName, table: { tableName }, columns, byColumns }) =>
      `${schemaName}.${tableName}: ${columns.map(({ name }) => name).join(" ")}${byColumns ? " (found)" : ""}`,
  );
  return { names, more };
}

test("without a search all tables are listed, those of the nearest schema first", () => {
  expect(found("").names).toEqual([
    "public.customers: id order_count",
    "public.orders: id amount",
    "archive.orders: id region",
  ]);
});

test("tables are found by name before those that only have such a column", () => {
  expect(found("Order").names).toEqual([
    "public.orders: id amount",
    "archive.orders: id region",
    "public.customers: order_count (found)",
  ]);
  expect(found("archive reg").names).toEqual(["archive.orders: region (found)"]);
  expect(found("nothing")).toEqual({ names: [], more: 0 });
});

test("a long list is cut, and says by how much", () => {
  expect(found("", 2)).toEqual({
    names: ["public.customers: id order_count", "public.orders: id amount"],
    more: 1,
  });
});
