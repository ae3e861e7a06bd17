import { expect, test } from "vitest";
import type { Candidate } from "./candidate.ts";
import { merge } from "./merge.ts";
import { aColumn } from "./table.fixture.ts";

const table = aColumn("city text", ["a", "b"]);
const aCandidate = (columns: string[], rows: number[], more: Partial<Candidate> = {}): Candidate => ({
  kind: "Variant",
  table,
  columns,
  rows: Int32Array.from(rows),
  condition: null,
  outOf: 100,
  statement: "",
  rule: null,
  features: {},
  evidence: {},
  ...more,
});

test("candidates that doubt the same cells are one finding: the surest, which the others make surer", () => {
  const [variant, inconsistent, elsewhere, otherRows] = [
    aCandidate(["city"], [3, 5, 9]),
    aCandidate(["city"], [5, 9], { kind: "Inconsistent" }),
    aCandidate(["state"], [3, 5, 9]),
    aCandidate(["city"], [3, 40, 41, 42]),
  ];
  const merged = merge([
    { candidate: inconsistent, confidence: 0.5 },
    { candidate: variant, confidence: 0.8 },
    { candidate: elsewhere, confidence: 0.6 },
    { candidate: otherRows, confidence: 0.7 },
  ]);
  expect(merged.map(({ candidate, support }) => [candidate, support.map((each) => each.candidate)])).toEqual([
    [variant, [inconsistent]],
    [otherRows, []],
    [elsewhere, []],
  ]);
  // 1 - (1 - 0.8) (1 - 0.3 · 0.5)
  expect(merged.map(({ confidence }) => Number(confidence.toFixed(10)))).toEqual([0.83, 0.7, 0.6]);
});

test("what stands for nothing in a key is a finding beside what is there twice", () => {
  const twice = { candidate: aCandidate(["vat_no"], [1, 2, 3, 4], { kind: "Duplicate" }), confidence: 0.9 };
  const nothing = aCandidate(["vat_no"], [3, 4], { kind: "DisguisedMissing" });
  const shown = merge([twice, { candidate: nothing, confidence: 0.8 }]);
  expect(shown.map(({ candidate }) => candidate.kind)).toEqual(["Duplicate", "DisguisedMissing"]);
});

test("different kinds that doubt the same rows of a column make each other surer, as far as that is no chance", () => {
  const hundred = { ...table, rowCount: 100 };
  const first = (count: number) => Array.from({ length: count }, (_, row) => row);
  const [variant, inconsistent] = [
    aCandidate(["city"], [0, 1], { table: hundred }),
    aCandidate(["city"], first(20), { kind: "Inconsistent", table: hundred }),
  ];
  const confidences = (one: Candidate, other: Candidate) =>
    merge([
      { candidate: one, confidence: 0.8 },
      { candidate: other, confidence: 0.5 },
    ]).map(({ confidence }) => Number(confidence.toFixed(10)));
  // Both rows are among the twenty; of two rows at random, a fifth would be: (1 - 0.2) / (1 - 0.2) = 1.
  // 1 - (1 - 0.8) (1 - 0.3 · 0.5), and 1 - (1 - 0.5) (1 - 0.3 · 0.8)
  expect(confidences(variant, inconsistent)).toEqual([0.83, 0.62]);
  // One of two rows: (0.5 - 0.2) / 0.8 = 0.375. 1 - 0.2 (1 - 0.3 · 0.5 · 0.375), 1 - 0.5 (1 - 0.3 · 0.8 · 0.375)
  expect(confidences(aCandidate(["city"], [0, 50], { table: hundred }), inconsistent)).toEqual([
    0.81125, 0.545,
  ]);
  // As many as by chance, all rows, the same kind, and another column say nothing.
  const tenth = aCandidate(["city"], [0, 20, 30, 40, 50], { table: hundred });
  expect(confidences(tenth, inconsistent)).toEqual([0.8, 0.5]);
  const all = aCandidate(["city"], first(100), { kind: "Inconsistent", table: hundred });
  expect(confidences(variant, all)).toEqual([0.8, 0.5]);
  expect(confidences(variant, { ...inconsistent, kind: "Variant" })).toEqual([0.8, 0.5]);
  expect(confidences(variant, { ...inconsistent, columns: ["state"] })).toEqual([0.8, 0.5]);
});

test("what follows from doubted cells is no finding of its own, and the other way round it is", () => {
  const price = aCandidate(["price"], [3, 5], { kind: "OutOfRange" });
  const total = aCandidate(["total"], [3, 5], {
    kind: "Impossible",
    condition: {
      is: "unequal",
      total: "total",
      terms: [{ sign: 1, factors: ["price", "quantity"] }],
      tolerance: 0,
    },
  });
  const found = (priceIs: number, totalIs: number) =>
    merge([
      { candidate: price, confidence: priceIs },
      { candidate: total, confidence: totalIs },
    ]).map(({ candidate }) => candidate);
  expect(found(0.9, 0.8)).toEqual([price]);
  // The surer one names a column that the other does not read.
  expect(found(0.8, 0.9)).toEqual([total, price]);
});

test("of another table nothing is the same", () => {
  const other = aCandidate(["city"], [1], { table: aColumn("city text", ["a", "b"]) });
  expect(
    merge([
      { candidate: other, confidence: 0.5 },
      { candidate: aCandidate(["city"], [1]), confidence: 0.4 },
    ]),
  ).toHaveLength(2);
});
