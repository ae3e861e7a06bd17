import { expect, test } from "vitest";
import { databaseOf, tableOf } from "./corpus.fixture.ts";
import { supersededShare } from "./superseded.ts";

const rows = Array.from({ length: 200 }, (_, row) => row);
/** Rows 0 and 1, 20 and 21, and so on to 81 are alike. */
const pairs = [0, 20, 40, 60, 80].map((row) => [row, row + 1]);
const isFirst = (row: number) => pairs.some(([first]) => first === row);
const shareIn = (name: string, kind: "text" | "integer", cells: readonly (string | number | null)[]) => {
  const [table] = databaseOf(
    tableOf("tickets", { ticket_id: ["integer", rows.map((row) => row + 1)], [name]: [kind, cells] }),
  ).tables;
  return table && supersededShare(table, pairs, []);
};

test("what was annulled and entered again is alike, and in one state", () => {
  const stateOf = (row: number) => (isFirst(row) ? "annulled" : "valid");
  expect(shareIn("state", "text", rows.map(stateOf))).toBe(1);
  // Four of the five.
  expect(
    shareIn(
      "state",
      "text",
      rows.map((row) => (row === 80 ? "valid" : stateOf(row))),
    ),
  ).toBe(0.8);
  // A state that most rows are in tells nothing of these.
  expect(
    shareIn(
      "state",
      "text",
      rows.map((row) => (isFirst(row) ? "open" : row % 2 ? "open" : "done")),
    ),
  ).toBe(0);
});

test("what was merged into another row is alike, and points to it, or is pointed to", () => {
  const merged = rows.map((row) => (isFirst(row) ? row + 2 : null));
  expect(shareIn("merged_into", "integer", merged)).toBe(1);
  expect(
    shareIn(
      "merged_into",
      "integer",
      rows.map((row) => (isFirst(row - 1) ? row : null)),
    ),
  ).toBe(1);
  expect(
    shareIn(
      "merged_into",
      "integer",
      rows.map((row) => (row > 150 ? row - 100 : null)),
    ),
  ).toBe(0);
});

test("what was taken back is alike, and the row that does so names the other, whatever its column is called", () => {
  // Keys count from 1: row 1 names the key of row 0, which is 1.
  const undone = rows.map((row) => (isFirst(row - 1) ? row : null));
  expect(shareIn("storno_zu", "integer", undone)).toBe(1);
  // Of the five pairs, one names a row that is not alike.
  expect(shareIn("storno_zu", "integer", undone.with(21, 150))).toBe(0.8);
});

test("what was booked the other way round is alike, and so is the amount, below zero", () => {
  const hours = rows.map((row) => (isFirst(row) ? 100 + row : isFirst(row - 1) ? -99 - row : row / 100));
  const shareOf = (cells: readonly number[]) => {
    const [table] = databaseOf(
      tableOf("tickets", { ticket_id: ["integer", rows.map((row) => row + 1)], hours: ["decimal", cells] }),
    ).tables;
    return table && supersededShare(table, pairs, []);
  };
  expect(shareOf(hours)).toBe(1);
  // Three of the five: row 1 has the same amount as row 0, and row 21 another one.
  expect(shareOf(hours.with(1, 100).with(21, -7))).toBe(0.6);
});

test("nothing that is alike is superseded by nothing", () => {
  const [table] = databaseOf(
    tableOf("tickets", { state: ["text", rows.map((row) => `s${row % 3}`)] }),
  ).tables;
  expect(table && supersededShare(table, [], [])).toBe(0);
});
