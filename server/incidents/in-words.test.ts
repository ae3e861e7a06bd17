import { expect, test } from "vitest";
import { titleOf } from "./in-words.ts";
import type { ProblemKind } from "./schema.ts";

const problem = (name: string, tables: string[], kind: ProblemKind = "BelowThreshold", source = 1) => ({
  ...{ name, kind, reason: "Score 62, below 80", dataSourceIds: [source] },
  tables: tables.map((tableName) => ({ dataSourceId: source, schemaName: "public", tableName })),
});
const names = new Map([
  [1, "Warehouse"],
  [2, "Lake"],
]);

test("one problem says what it is", () => {
  expect(titleOf([problem("Orders", ["orders"])], names)).toBe("Orders: score 62, below 80");
});

test("several say the table that all of them read, else how many tables, else the data source", () => {
  const [orders, both] = [problem("A", ["orders"]), problem("B", ["items", "orders"])];
  expect(titleOf([orders, both], names)).toBe("2 checks of public.orders found problems");
  expect(titleOf([orders, problem("C", ["items"]), problem("D", ["x"])], names)).toBe(
    "3 checks of 3 tables in Warehouse found problems",
  );
  expect(titleOf([problem("A", []), problem("B", [])], names)).toBe("2 checks of Warehouse found problems");
  expect(titleOf([orders, problem("E", ["orders"], "Found", 2)], names)).toBe("2 checks found problems");
});

test("a table that the others are made from is named first", () => {
  const [orders, facts] = [problem("A", ["orders"]), problem("B", ["facts", "orders"])];
  const origin = { dataSourceId: 1, schemaName: "public", tableName: "orders" };
  const told = [orders, problem("C", ["facts"]), problem("D", ["revenue"])];
  expect(titleOf(told, names, origin)).toBe(
    "3 checks of public.orders and 2 tables made from it found problems",
  );
  expect(titleOf([orders, facts], names, origin)).toBe("2 checks of public.orders found problems");
  const tables = told.map((each, tableId) => ({ ...each, tableId }));
  expect(titleOf(tables, names, origin)).toBe("public.orders and 2 tables made from it have problems");
});

test("a check that did not run has found nothing", () => {
  const blind = [problem("A", ["orders"], "NotEvaluated"), problem("B", ["items"], "Failing")];
  expect(titleOf(blind, names)).toBe("2 checks of 2 tables in Warehouse could not run");
  expect(titleOf([...blind, problem("C", ["x"])], names)).toBe(
    "3 checks of 3 tables in Warehouse failed or could not run",
  );
});

test("a long reason is cut", () => {
  expect(titleOf([{ ...problem("A", []), reason: "x".repeat(4000) }], names).length).toBeLessThanOrEqual(200);
});

test("watched tables are no checks", () => {
  const table = (name: string) => ({ ...problem(name, [name], "Late"), tableId: 1 });
  expect(titleOf([table("orders"), table("items")], names)).toBe("2 tables of Warehouse have problems");
  expect(titleOf([table("orders"), problem("A", ["orders"])], names)).toBe("2 problems of public.orders");
  expect(titleOf([table("orders"), { ...table("x"), dataSourceIds: [2] }], names)).toBe(
    "2 tables have problems",
  );
});
