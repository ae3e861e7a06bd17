import { expect, test } from "vitest";
import { inOrder, isFound, isFoundUncovered, type SourceQuality, tableRows } from "./overview-rows.ts";

const watching = (...names: string[]) => ({
  contracts: names.map((name, place) => ({ id: place + 1, name, enabled: true })),
  contractCount: names.length,
});

const evaluatedAt = "2025-11-01T00:00:00.000Z";
const table = (tableName: string, currentScore: number, ...contracts: string[]) => ({
  schemaName: "public",
  tableName,
  currentScore,
  previousScore: null,
  trend: "Stable" as const,
  evaluatedAt,
  evaluationId: 1,
  ...watching(...contracts),
  measured: { score: currentScore, previousScore: null, trend: "Stable" as const, evaluatedAt },
  outage: null,
  history: [{ evaluatedAt, score: currentScore, couldNotEvaluate: false }],
});

const source: SourceQuality = {
  dataSourceId: 1,
  dataSourceName: "warehouse",
  averageScore: 80,
  tableCount: 2,
  healthyTables: 1,
  degradingTables: 0,
  activeContractCount: 3,
  measured: { averageScore: 80, tableCount: 2, healthyTables: 1, degradingTables: 0, outageTables: 0 },
  tables: [table("flights", 90, "Completeness", "Daily load"), table("airports", 70)],
  unevaluated: [{ schemaName: "public", tableName: "movies", ...watching("Not yet run") }],
  coverage: null,
};

test("a table has the contracts that watch it, and a table that was never scored is there too", () => {
  const rows = tableRows(source);
  expect(rows.map((row) => [row.tableName, row.score, row.contractCount, row.course])).toEqual([
    ["flights", 90, 2, [90]],
    ["airports", 70, 0, [70]],
    ["movies", null, 1, []],
  ]);
});

test("the order may be turned round, but what has no score stays last", () => {
  const names = (direction: "asc" | "desc") =>
    inOrder(tableRows(source), "score", direction).map((row) => row.tableName);
  expect(names("asc")).toEqual(["airports", "flights", "movies"]);
  expect(names("desc")).toEqual(["flights", "airports", "movies"]);
});

test("a search finds tables by their own name and by their contracts'", () => {
  const found = (search: string) =>
    tableRows(source)
      .filter((row) => isFound(row, search))
      .map((row) => row.tableName);
  expect(found("daily FLIGHTS")).toEqual(["flights"]);
  expect(found("public.a")).toEqual(["airports"]);
  expect(found("")).toHaveLength(3);
  expect(found("elsewhere")).toEqual([]);
});

test("tables are put in order by how many contracts watch them", () => {
  expect(inOrder(tableRows(source), "contracts", "desc").map((row) => row.tableName)).toEqual([
    "flights",
    "movies",
    "airports",
  ]);
});

test("a search finds tables that no contract watches by their name", () => {
  const uncovered = { schemaName: "public", tableName: "Returns", kind: "Table" as const, rowEstimate: null };
  expect(isFoundUncovered(uncovered, "public ret")).toBe(true);
  expect(isFoundUncovered(uncovered, "orders")).toBe(false);
});
