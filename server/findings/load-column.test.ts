import { expect, test } from "vitest";
import { dayAfter, momentAfter, randomOf, tableOf } from "./corpus.fixture.ts";
import { loadColumnOf } from "./load-column.ts";

const rows = 400;
const list = <T>(cell: (row: number) => T): T[] => Array.from({ length: rows }, (_, row) => cell(row));
const ids = list((row) => row + 1);
const loadedOf = (columns: Parameters<typeof tableOf>[1]) => {
  const found = loadColumnOf(tableOf("readings", columns));
  return found && [found.column.name, found.isNamed];
};

test.each(["created_at", "erfasst_am", "creadoEn", "inséré_le", "aangemaakt_op"])(
  "%s says when rows came, beside other moments",
  (name) => {
    const random = randomOf(3);
    expect(
      loadedOf({
        id: ["integer", ids],
        tag: ["date", list(() => dayAfter("2024-01-01", random.whole(0, 300)))],
        [name]: ["time", list((row) => momentAfter("2024-01-01", row * 3600))],
      }),
    ).toEqual([name, true]);
  },
);

test("of two that no name tells apart, the one in the order of the rows does", () => {
  const random = randomOf(5);
  expect(
    loadedOf({
      lauf_id: ["integer", ids],
      stichtag: ["date", list(() => dayAfter("2024-01-01", random.whole(0, 300)))],
      gestartet: ["time", list((row) => momentAfter("2024-01-01", row * 7200))],
    }),
  ).toEqual(["gestartet", false]);
});

test("where none is in that order, none does", () => {
  const random = randomOf(7);
  expect(
    loadedOf({
      id: ["integer", ids],
      geburtsdatum: ["date", list(() => dayAfter("1950-01-01", random.whole(0, 20_000)))],
      eintritt: ["date", list(() => dayAfter("2010-01-01", random.whole(0, 5000)))],
    }),
  ).toBeNull();
});
