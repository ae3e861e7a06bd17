import { expect, test } from "vitest";
import { coverageOf } from "./coverage.ts";

const aTable = (tableName: string, rowEstimate: number | null = null, kind: "Table" | "View" = "Table") => ({
  schemaName: "shop",
  tableName,
  kind,
  rowEstimate,
});

test("tables without contracts are listed, largest first and views last", () => {
  const known = [
    aTable("a", 10),
    aTable("b"),
    aTable("seen", null, "View"),
    aTable("c", 5000),
    aTable("d", 10),
  ];
  expect(coverageOf("PostgreSql", known, [{ schemaName: "shop", tableName: "d" }])).toEqual({
    tableCount: 5,
    coveredCount: 1,
    uncovered: [aTable("c", 5000), aTable("a", 10), aTable("b"), aTable("seen", null, "View")],
  });
});

test("two contracts of one table cover it once, and one of a missing table covers nothing", () => {
  const watched = ["a", "a", "gone"].map((tableName) => ({ schemaName: "shop", tableName }));
  expect(coverageOf("PostgreSql", [aTable("a"), aTable("b")], watched)).toMatchObject({
    tableCount: 2,
    coveredCount: 1,
    uncovered: [{ tableName: "b" }],
  });
});

test("names are compared as the engine compares them", () => {
  const watched = [{ schemaName: "Shop", tableName: "ORDERS" }];
  expect(coverageOf("SqlServer", [aTable("orders")], watched).coveredCount).toBe(1);
  expect(coverageOf("PostgreSql", [aTable("orders")], watched).coveredCount).toBe(0);
  // A dot in a name has no special meaning.
  expect(
    coverageOf("PostgreSql", [aTable("b.c")], [{ schemaName: "shop.b", tableName: "c" }]).coveredCount,
  ).toBe(0);
});

test("the list is limited, but the counts are not", () => {
  const { tableCount, coveredCount, uncovered } = coverageOf(
    "MySql",
    Array.from({ length: 1000 }, (_, index) => aTable(`t${index}`)),
    [],
  );
  expect({ tableCount, coveredCount, listed: uncovered.length }).toEqual({
    tableCount: 1000,
    coveredCount: 0,
    listed: 200,
  });
});

test("a search finds tables beyond the list's limit", () => {
  const known = Array.from({ length: 1000 }, (_, index) => aTable(`T_${index}`, 1000 - index));
  const found = (search: string) =>
    coverageOf("PostgreSql", known, [], search).uncovered.map(({ tableName }) => tableName);
  expect(found("shop t_99")).toEqual(["T_99", ...Array.from({ length: 10 }, (_, index) => `T_99${index}`)]);
  expect(found("t%9")).toEqual([]);
  expect(coverageOf("PostgreSql", known, [], "t_99")).toMatchObject({ tableCount: 1000, coveredCount: 0 });
});
