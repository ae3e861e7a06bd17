import { expect, test } from "vitest";
import type { Candidate } from "../candidate.ts";
import type { Merged } from "../merge.ts";
import { aTable } from "../table.fixture.ts";
import type { Taught } from "./lesson.ts";
import { aReason } from "./reason.fixture.ts";
import { judgedBefore, taughtFindings } from "./taught-findings.ts";

const table = aTable(
  ["a", "b"],
  Array.from({ length: 40 }, (_, index) => [`${index}`, "x"]),
);
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

function aFinding(doubted: readonly number[], confidence: number, more: Partial<Candidate> = {}): Merged {
  const candidate: Candidate = {
    ...{ kind: "Format", table, columns: ["a"], rows: Int32Array.from(doubted), outOf: 40 },
    ...{ condition: { is: "oneOf", column: "a", values: doubted.map(String) } },
    ...{ statement: "", rule: null, features: {}, evidence: {} },
    ...more,
  };
  return { candidate, confidence, support: [] };
}
const said = (row: number, verdict: Taught["verdict"], column = "a"): Taught => ({ row, column, verdict });

test("without answers, or with unsure ones alone, everything stays as it is", () => {
  const found = [aFinding([1], 0.9)];
  const reasons = [aReason("x", rows(0, 10))];
  expect(taughtFindings(table, found, reasons, [])).toEqual(found);
  expect(taughtFindings(table, found, reasons, [said(1, "Unsure")])).toEqual(found);
});

test("a finding moves by as much as its cells have, and one of other cells does not", () => {
  const reasons = [aReason("x", rows(0, 5), { prior: 0.5 }), aReason("y", rows(10, 15), { prior: 0.5 })];
  const found = [aFinding(rows(0, 5), 0.9), aFinding(rows(10, 15), 0.9)];
  const [still, lowered] = taughtFindings(table, found, reasons, [said(0, "Right")]);
  expect(still).toEqual(found[1]);
  expect(lowered?.confidence).toBeLessThan(0.6);
  expect(lowered?.taught).toEqual({ wrong: 0, right: 1, untaught: 0.9 });
});

test("a reason that became likely is a finding, unless one doubts the same cells already", () => {
  const reasons = [aReason("x", rows(0, 8), { prior: 0.25, because: "is odd" })];
  const answers = [said(0, "Wrong"), said(1, "Wrong")];
  const [added, ...none] = taughtFindings(table, [], reasons, answers);
  expect(none).toEqual([]);
  expect(added).toMatchObject({ taught: { wrong: 2, right: 0, untaught: null } });
  expect(added?.candidate).toMatchObject({
    statement: "8 of 40 rows of things: a is odd.",
    columns: ["a"],
    condition: reasons[0]?.condition,
  });
  const known = aFinding(rows(0, 8), 0.85);
  expect(taughtFindings(table, [known], reasons, answers)).toHaveLength(1);
});

test("what SQL cannot say, and what was likely before anyone answered, is no new finding", () => {
  const answers = [said(0, "Wrong"), said(1, "Wrong"), said(20, "Wrong")];
  const reasons = [
    aReason("unsayable", rows(0, 8), { prior: 0.25, condition: null }),
    aReason("likely", rows(20, 25), { prior: 0.83 }),
  ];
  expect(taughtFindings(table, [], reasons, answers)).toEqual([]);
});

test("a finding of missing rows has no cells to ask about", () => {
  const missing = aFinding([], 0.9, { kind: "Truncated", condition: null });
  const reasons = [aReason("x", rows(0, 5))];
  expect(taughtFindings(table, [missing], reasons, [said(0, "Wrong")])).toContainEqual(missing);
});

test("what was merged is taken apart again", () => {
  const best = aFinding([1], 0.9);
  const support = aFinding([1, 2], 0.4);
  const judged = judgedBefore([{ ...best, support: [support] }]);
  expect(judged.map(({ candidate }) => candidate)).toEqual([best.candidate, support.candidate]);
  expect(judged[0]?.confidence).toBe(0.9);
});
