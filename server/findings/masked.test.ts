import { expect, test } from "vitest";
import type { Timeline } from "./candidate.ts";
import { maskedWords } from "./masked.ts";

const timeline = (column: string): Timeline => ({
  ...{ column, unit: "Day" },
  periods: [{ start: "2026-11-18", rows: 3, doubtedRows: 2, isInDoubt: true }],
});

test("shapes of personal values keep their form and no sign of the values", () => {
  const shapes = [
    { shape: "+99 999", example: "+41 123", rows: 900, isInDoubt: false },
    { shape: "٣9 999", example: "٣1 123", rows: 1, isInDoubt: true },
  ];
  expect(maskedWords(["phone"], { statement: "", evidence: { shapes } }).evidence.shapes).toEqual([
    { shape: "+99 999", example: "+## ###", rows: 900, isInDoubt: false },
    { shape: "•9 999", example: "## ###", rows: 1, isInDoubt: true },
  ]);
  expect(maskedWords(["code"], { statement: "", evidence: { shapes } }).evidence.shapes).toEqual(shapes);
});

test("a timeline of loads is shown, and one of births is not", () => {
  const said = (column: string) =>
    maskedWords(["city"], { statement: "", evidence: { timeline: timeline(column) } }).evidence;
  expect(said("loaded_at").timeline).toEqual(timeline("loaded_at"));
  expect(said("birth_date")).toEqual({});
});

test("a word that stands for nothing is shown among personal values, which are not", () => {
  const doubted = [
    { value: "Unknown", rows: 6 },
    { value: "Grace", rows: 1 },
  ];
  const { statement, evidence } = maskedWords(["first_name"], {
    statement: "7 rows have “Unknown”, “Grace” as first_name.",
    evidence: { doubted },
  });
  expect(statement).toBe("7 rows have “Unknown”, “•••••” as first_name.");
  expect(evidence.doubted?.map(({ value }) => value)).toEqual(["Unknown", "•••••"]);
});
