import { expect, test } from "vitest";
import { companionsOf } from "./companions.ts";

const table = (tableName: string, more: object = {}) => ({
  ...{ schemaName: "shop", tableName, kind: "Table", rowEstimate: 100, columns: [{ name: "id" }] },
  ...more,
});

test("declared parents come first, then named ones, then those of the schema, the smallest first", () => {
  const orders = table("orders", {
    columns: [
      { name: "customer_id" },
      { name: "seller", references: { schemaName: "hr", tableName: "people" } },
    ],
  });
  const all = [
    ...[orders, table("log", { rowEstimate: 50 }), table("other"), table("customers", { rowEstimate: 9000 })],
    ...[
      table("people", { schemaName: "hr" }),
      table("else", { schemaName: "hr" }),
      table("v", { kind: "View" }),
    ],
  ];
  expect(companionsOf([orders], all).map(({ tableName }) => tableName)).toEqual([
    ...["people", "customers", "log", "other"],
  ]);
});
