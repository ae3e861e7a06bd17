import { expect, test } from "vitest";
import { inOrder, isFound, matchesUncovered, type SourceQuality, tableRows } from "./overview-rows.ts";

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

test("a table lists its contracts, and a table without a score is included", () => {
  const rows = tableRows(source);
  expect(rows.map((row) => [row.tableName, row.score, row.contractCount, row.course])).toEqual([
    ["flights", 90, 2, [90]],
    ["airports", 70, 0, [70]],
    ["movies", null, 1, []],
  ]);
});

test("a table with a score whose history was left out asks for it, and one without a score does not", () => {
  const [scored] = source.tables;
  if (!scored) throw new Error("It has a table");
  const rows = tableRows({ ...source, tables: [scored, { ...scored, history: [] }] });
  expect(rows.map((row) => [row.score, row.course, row.isCourseLeftOut])).toEqual([
    [90, [90], false],
    [90, [], true],
    [null, [], false],
  ]);
});

test("tables without a score come last in both directions", () => {
  const names = (direction: "asc" | "desc") =>
    inOrder(tableRows(source), "score", direction).map((row) => row.tableName);
  expect(names("asc")).toEqual(["airports", "flights", "movies"]);
  expect(names("desc")).toEqual(["flights", "airports", "movies"]);
});

test("a search matches table names and contract names", () => {
  const found = (search: string) =>
    tableRows(source)
      .filter((row) => isFound(row, search))
      .map((row) => row.tableName);
  expect(found("daily FLIGHTS")).toEqual(["flights"]);
  expect(found("public.a")).toEqual(["airports"]);
  expect(found("")).toHaveLength(3);
  expect(found("elsewhere")).toEqual([]);
});

test("tables sort by their number of contracts", () => {
  expect(inOrder(tableRows(source), "contracts", "desc").map((row) => row.tableName)).toEqual([
    "flights",
    "movies",
    "airports",
  ]);
});

test("a search matches tables without a contract by name", () => {
  const uncovered = { schemaName: "public", tableName: "Returns", kind: "Table" as const, rowEstimate: null };
  expect(matchesUncovered(uncovered, "public ret")).toBe(true);
  expect(matchesUncovered(uncovered, "orders")).toBe(false);
});
