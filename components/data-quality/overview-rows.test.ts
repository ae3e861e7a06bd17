import { expect, test } from "vitest";
import type { Contract } from "@/server/data-quality/schema.ts";
import { inOrder, isFound, type SourceQuality, tableRows } from "./overview-rows.ts";

const table = (tableName: string, currentScore: number, evaluatedAt = "2025-11-01T00:00:00.000Z") => ({
  schemaName: "public",
  tableName,
  currentScore,
  previousScore: null,
  trend: "Stable" as const,
  evaluatedAt,
  evaluationId: 1,
  contracts: [],
  contractCount: 0,
  history: [{ evaluatedAt, score: currentScore }],
});

const source: SourceQuality = {
  dataSourceId: 1,
  dataSourceName: "warehouse",
  averageScore: 80,
  tableCount: 2,
  healthyTables: 1,
  degradingTables: 0,
  activeContractCount: 3,
  tables: [table("flights", 90), table("airports", 70)],
  unevaluated: [],
  coverage: null,
};

const contract = (id: number, name: string, tableName: string, dataSourceId = 1) =>
  ({ id, name, tableName, schemaName: "public", dataSourceId }) as Contract;

const contracts = [
  contract(1, "Daily load", "flights"),
  contract(2, "Completeness", "flights"),
  contract(3, "Not yet run", "movies"),
  contract(4, "Elsewhere", "flights", 2),
];

test("a table has the contracts that watch it, and a table that was never scored is there too", () => {
  const rows = tableRows(source, contracts);
  expect(rows.map((row) => [row.tableName, row.score, row.contracts.map(({ id }) => id)])).toEqual([
    ["flights", 90, [1, 2]],
    ["airports", 70, []],
    ["movies", null, [3]],
  ]);
});

test("the order may be turned round, but what has no score stays last", () => {
  const names = (direction: "asc" | "desc") =>
    inOrder(tableRows(source, contracts), "score", direction).map((row) => row.tableName);
  expect(names("asc")).toEqual(["airports", "flights", "movies"]);
  expect(names("desc")).toEqual(["flights", "airports", "movies"]);
});

test("a search finds tables by their own name and by their contracts'", () => {
  const found = (search: string) =>
    tableRows(source, contracts)
      .filter((row) => isFound(row, search))
      .map((row) => row.tableName);
  expect(found("daily FLIGHTS")).toEqual(["flights"]);
  expect(found("public.a")).toEqual(["airports"]);
  expect(found("")).toHaveLength(3);
  expect(found("elsewhere")).toEqual([]);
});
