import { expect, test } from "vitest";
import { type Cell, databaseOf, saidBy, tableOf } from "./corpus.fixture.ts";
import { formats } from "./detectors/format.ts";
import { types } from "./detectors/type.ts";

const places = (rows: number, cell: (row: number) => Cell | undefined): Cell[] =>
  Array.from({ length: rows }, (_, row) => cell(row) ?? 1 + (row % 24));
const races = (tableName: string, cells: readonly Cell[]) => tableOf(tableName, { place: ["text", cells] });
const saidOf = (...tables: Parameters<typeof databaseOf>) =>
  [types, formats].flatMap((detect) =>
    saidBy(detect, databaseOf(...tables)).map(({ table, rows }) => [table.tableName, [...rows]]),
  );

test("letters that many rows have in place of a number are a code", () => {
  expect(
    saidOf(
      races(
        "races",
        places(9000, (row) => (row % 300 === 0 ? "PL" : undefined)),
      ),
    ),
  ).toEqual([]);
});

test("so are letters that the column has in another table, too", () => {
  const races1 = races(
    "races",
    places(900, (row) => (row === 4 ? "DSQ" : undefined)),
  );
  const races2 = races(
    "sprints",
    places(900, (row) => (row === 8 ? "DSQ" : undefined)),
  );
  expect(saidOf(races1, races2)).toEqual([]);
});

test("a word that no other table has, in a few rows, is none", () => {
  const races1 = races(
    "races",
    places(900, (row) => (row === 4 ? "DSQ" : undefined)),
  );
  expect(
    saidOf(
      races1,
      races(
        "sprints",
        places(900, () => undefined),
      ),
    ),
  ).toContainEqual(["races", [4]]);
});
