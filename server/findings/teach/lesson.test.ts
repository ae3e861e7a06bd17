import { expect, test } from "vitest";
import { aTable } from "../table.fixture.ts";
import { Lesson, maxQuestions, type Taught } from "./lesson.ts";
import { aReason } from "./reason.fixture.ts";
import { reasonsIn } from "./reasons.ts";

const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** Asks until there is no question any more. */
function taught(lesson: Lesson, verdictOf: (column: string, row: number) => Taught["verdict"]): Taught[] {
  const answers: Taught[] = [];
  for (let next = lesson.next(answers); next; next = lesson.next(answers))
    answers.push({ row: next.row, column: next.column, verdict: verdictOf(next.column, next.row) });
  return answers;
}

test("asks about the reason that doubts the most cells first, and not again once it is known", () => {
  const lesson = new Lesson(100, [aReason("few", rows(70, 100)), aReason("many", rows(10, 60))]);
  const first = lesson.next([]);
  expect(first).toMatchObject({ column: "a", row: 10, reason: { key: "many" } });
  expect(lesson.next([{ row: 10, column: "a", verdict: "Right" }])).toMatchObject({ reason: { key: "few" } });
});

test("an answer counts for all cells of its reason, and one of a family for the others a little", () => {
  const lesson = new Lesson(100, [
    aReason("asked", rows(0, 10), { families: ["typo"] }),
    aReason("alike", rows(0, 10), { column: "b", families: ["typo"] }),
    aReason("other", rows(0, 10), { column: "c" }),
  ]);
  const now = lesson.after([{ row: 3, column: "a", verdict: "Wrong" }]);
  const [asked, alike, other] = ["a", "b", "c"].map((column) => lesson.likelihoodAt(column, 7, now));
  expect(asked).toBeGreaterThan(0.8);
  expect(alike).toBeGreaterThan(0.5);
  expect(alike).toBeLessThan(asked ?? 0);
  expect(other).toBe(0.5);
  // Ten answers in another column do not weigh more than one in this.
  const ten = rows(0, 10).map((row) => ({ row, column: "a", verdict: "Wrong" as const }));
  expect(lesson.likelihoodAt("b", 7, lesson.after(ten))).toBeLessThanOrEqual(asked ?? 0);
});

test("what a better reason explains does not convict a usual way of writing", () => {
  const lesson = new Lesson(1000, [
    aReason("usual", rows(0, 1000), { prior: 0.015 }),
    aReason("typo", rows(0, 40), { prior: 0.5 }),
  ]);
  const answers = rows(0, 10).map((row) => ({ row, column: "a", verdict: "Wrong" as const }));
  const now = lesson.after(answers);
  expect(lesson.likelihoodAt("a", 500, now)).toBeLessThan(0.05);
  expect(lesson.likelihoodAt("a", 20, now)).toBeGreaterThan(0.9);
});

test("nothing else explains it: a usual way of writing is convicted by several answers", () => {
  const lesson = new Lesson(1000, [aReason("usual", rows(0, 1000), { prior: 0.015 })]);
  const answers = [1, 2, 3].map((row) => ({ row, column: "a", verdict: "Wrong" as const }));
  expect(lesson.doubted(answers).get("a")?.size).toBe(1000);
});

test("a cell that someone has judged is as they said, whatever is believed of its like", () => {
  const lesson = new Lesson(10, [aReason("x", rows(0, 10))]);
  const answers: Taught[] = [
    { row: 0, column: "a", verdict: "Wrong" },
    { row: 1, column: "a", verdict: "Wrong" },
    { row: 2, column: "a", verdict: "Wrong" },
    { row: 3, column: "a", verdict: "Right" },
  ];
  expect([...(lesson.doubted(answers, 0.5).get("a") ?? [])]).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9]);
});

test("unsure changes nothing, but the cell is not asked about again", () => {
  const lesson = new Lesson(10, [aReason("x", rows(0, 2))]);
  const unsure: Taught = { row: 0, column: "a", verdict: "Unsure" };
  expect(lesson.after([unsure])).toEqual(lesson.after([]));
  expect(lesson.next([unsure])).toMatchObject({ row: 1 });
});

test("contradictory answers end between, and the order of questions is always the same", () => {
  const lesson = new Lesson(30, [aReason("x", rows(0, 30))]);
  const answers = taught(lesson, (_, row) => (row % 2 === 0 ? "Wrong" : "Right"));
  const likelihood = lesson.likelihoodAt("a", 29, lesson.after(answers));
  expect(likelihood).toBeGreaterThan(0.4);
  expect(likelihood).toBeLessThan(0.6);
  expect(taught(lesson, (_, row) => (row % 2 === 0 ? "Wrong" : "Right"))).toEqual(answers);
});

test("no reasons, fewer cells than questions, and never more questions than allowed", () => {
  expect(new Lesson(10, []).next([])).toBeNull();
  const few = new Lesson(10, [aReason("x", [2, 5])]);
  expect(taught(few, () => "Wrong").map(({ row }) => row)).toEqual([2, 5]);
  const many = new Lesson(
    100,
    rows(0, 50).map((row) => aReason(`r${row}`, [row])),
  );
  expect(taught(many, () => "Wrong")).toHaveLength(maxQuestions);
});

test("answers about cells that nothing doubts change nothing", () => {
  const lesson = new Lesson(10, [aReason("x", [1])]);
  const stray: Taught[] = [
    { row: 9, column: "a", verdict: "Wrong" },
    { row: 99, column: "gone", verdict: "Right" },
  ];
  expect(lesson.after(stray)).toEqual(lesson.after([]));
});

test("a table of no rows and one of one row have nothing to ask", () => {
  for (const table of [aTable(["a", "b integer"], []), aTable(["a", "b integer"], [["x", 1]])]) {
    const lesson = new Lesson(table.rowCount, reasonsIn(table, []));
    expect(taught(lesson, () => "Right").length).toBeLessThanOrEqual(2);
    expect([...lesson.doubted([]).values()].every((cells) => cells.size === 0)).toBe(true);
  }
});

test("all answers wrong: only what was asked about and its like is doubted", () => {
  const table = aTable(
    ["id integer", "town"],
    rows(0, 200).map((row) => [row, row % 50 === 0 ? null : (["Bremen", "Kiel", "Ulm"][row % 3] ?? null)]),
  );
  const lesson = new Lesson(table.rowCount, reasonsIn(table, []));
  const doubted = lesson.doubted(taught(lesson, () => "Wrong"));
  expect(doubted.get("id")).toBeUndefined();
  expect(doubted.get("town")?.has(50)).toBe(true);
});
