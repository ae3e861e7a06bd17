import { expect, test } from "vitest";
import type { Candidate } from "../../server/findings/candidate.ts";
import type { Planted } from "./plant.ts";
import { finds, keyOf, verdictOn } from "./score.ts";

const fault: Planted = {
  kind: "Format",
  tableName: "orders",
  columns: ["zip"],
  rows: Int32Array.from([1, 2, 3, 4]),
  how: "",
};
const candidate = (rows: number[], columns = ["zip"], tableName = "orders") =>
  ({ kind: "Variant", table: { tableName }, columns, rows: Int32Array.from(rows) }) as unknown as Candidate;

test("a finding finds a fault if at least half of the rows of each are shared, whatever its kind", () => {
  expect(finds(candidate([1, 2]), fault)).toBe(true);
  expect(finds(candidate([1]), fault)).toBe(false);
  expect(finds(candidate([1, 2, 8, 9]), fault)).toBe(true);
  expect(finds(candidate([1, 2, 7, 8, 9]), fault)).toBe(false);
  expect(finds(candidate([1, 2, 3, 4], ["city"]), fault)).toBe(false);
  expect(finds(candidate([1, 2, 3, 4], ["zip"], "customers"), fault)).toBe(false);
});

test("what follows from a planted fault is right: orphans of a changed key, and a total of a changed price", () => {
  const orphans = {
    ...candidate([10, 11], ["zip_ref"], "letters"),
    condition: {
      is: "orphan",
      column: "zip_ref",
      parent: { schemaName: "public", tableName: "orders", columnName: "zip" },
    },
  } as Candidate;
  const total = {
    ...candidate([3, 4], ["total"]),
    kind: "Impossible",
    condition: {
      is: "unequal",
      total: "total",
      terms: [{ sign: 1, factors: ["zip", "count"] }],
      tolerance: 0,
    },
  } as Candidate;
  const none = () => false;
  expect(verdictOn(orphans, [fault], new Set(), none)).toBe("right");
  expect(verdictOn(total, [fault], new Set(), none)).toBe("right");
  expect(verdictOn({ ...total, rows: Int32Array.from([4, 8, 9]) }, [fault], new Set(), none)).toBe("stray");
  expect(verdictOn(orphans, [fault], new Set([keyOf(orphans)]), none)).toBe("false alarm");
});

test("what a planted fault no longer goes with is right where most of the rows are planted", () => {
  // A wrong amount goes with another currency than that of its group: the currency is named, the amount is planted.
  const otherwise = {
    ...candidate([...fault.rows], ["currency"]),
    kind: "Inconsistent",
    condition: {
      is: "all",
      of: [
        { is: "oneOf", column: fault.columns[0] ?? "", values: ["12"] },
        { is: "oneOf", column: "currency", values: ["EUR"] },
      ],
    },
  } as Candidate;
  expect(verdictOn(otherwise, [fault], new Set(), () => false)).toBe("right");
  const elsewhere = { ...otherwise, rows: Int32Array.from([90, 91, 92]) };
  expect(verdictOn(elsewhere, [fault], new Set(), () => false)).toBe("stray");
});

test("a finding without rows is right about the table that rows were taken from, at the time when they came", () => {
  const [from, to] = [Date.parse("2025-03-10"), Date.parse("2025-03-12")];
  const hole: Planted = { ...fault, kind: "Truncated", rows: new Int32Array(0), gap: { from, to } };
  const since = (text: string, tableName = "orders") =>
    ({ ...candidate([], ["loaded_at"], tableName), evidence: { since: text } }) as Candidate;
  expect(finds(since("2025-03-11"), hole)).toBe(true);
  expect(finds(since("2025-03-11", "customers"), hole)).toBe(false);
  expect(finds(since("2025-03-12"), hole)).toBe(false);
  expect(finds(since("2025-02-20 10:00"), hole)).toBe(false);
  // A key, from which on rows have no children.
  expect(finds(since("461"), hole)).toBe(true);
});

test("what is also on the clean copy is a false alarm unless a person agrees, and the rest is stray", () => {
  const [right, wrong] = [candidate([1]), candidate([8, 9])];
  const known = new Set([keyOf(wrong)]);
  expect(verdictOn(right, [fault], known, () => false)).toBe("right");
  expect(verdictOn(wrong, [fault], known, () => false)).toBe("false alarm");
  expect(verdictOn(wrong, [fault], known, () => true)).toBe("agreed");
  expect(verdictOn(wrong, [fault], new Set(), () => true)).toBe("stray");
});
