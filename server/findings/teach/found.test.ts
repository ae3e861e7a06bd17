import { expect, test } from "vitest";
import type { Candidate } from "../candidate.ts";
import { aTable } from "../table.fixture.ts";
import { foundReasons } from "./found.ts";

const table = aTable(
  ["a", "b"],
  Array.from({ length: 10 }, (_, index) => [`${index}`, "x"]),
);

function aCandidate(rows: readonly number[], more: Partial<Candidate> = {}): Candidate {
  return {
    ...{ kind: "Variant", table, columns: ["a"], rows: Int32Array.from(rows), outOf: 10 },
    ...{ condition: { is: "oneOf", column: "a", values: rows.map(String) } },
    ...{ statement: "", rule: null, features: {}, evidence: {} },
    ...more,
  };
}

test("what doubts the same column in the same way is one reason, by how sure it is", () => {
  const reasons = foundReasons(table, [
    { candidate: aCandidate([1]), confidence: 0.9 },
    { candidate: aCandidate([4, 5, 6]), confidence: 0.1 },
    { candidate: aCandidate([4]), confidence: 0.2 },
    { candidate: aCandidate([2], { columns: ["a", "b"], kind: "Impossible" }), confidence: 0.5 },
  ]);
  expect(reasons.map(({ key, rows }) => [key, [...rows]])).toEqual([
    ["Found Variant shown a", [1]],
    ["Found Variant unsure a", [4, 5, 6]],
    ["Found Impossible kept a", [2]],
    ["Found Impossible kept b", [2]],
  ]);
  expect(reasons[1]?.prior).toBeCloseTo((3 * 0.1 + 0.2) / 4, 10);
  expect(reasons[1]?.condition).toMatchObject({ is: "any" });
});

test("missing rows and other tables are not asked about, and nothing is beyond asking", () => {
  const other = aTable(["a"], [["1"]]);
  expect(
    foundReasons(table, [
      { candidate: aCandidate([], { kind: "Truncated" }), confidence: 0.9 },
      { candidate: aCandidate([0], { table: other }), confidence: 0.9 },
    ]),
  ).toEqual([]);
  expect(foundReasons(table, [{ candidate: aCandidate([1]), confidence: 0.999 }])).toMatchObject([
    { prior: 0.9 },
  ]);
});
