import { expect, test } from "vitest";
import { isPlaceInYear } from "./place-in-year.ts";
import { aTable } from "./table.fixture.ts";

const dayMs = 86_400_000;
const start = Date.UTC(2020, 0, 1);
const days = (count: (day: number, index: number) => number) =>
  aTable(
    ["day date", "n integer"],
    Array.from({ length: 800 }, (_, index) => {
      const moment = start + index * dayMs;
      const year = Date.UTC(new Date(moment).getUTCFullYear(), 0);
      return [new Date(moment).toISOString().slice(0, 10), count((moment - year) / dayMs, index)];
    }),
  );
const isPlace = (table: ReturnType<typeof days>) =>
  table.columns.map((column) => isPlaceInYear(column, table));

test("days and weeks of the year are places in it", () => {
  expect(isPlace(days((day) => day + 1))).toEqual([false, true]);
  expect(isPlace(days((day) => Math.floor(day / 7) + 1))).toEqual([false, true]);
});

test("numbers of months, weekdays, and things are none", () => {
  expect(isPlace(days((day) => Math.floor(day / 31) + 1))).toEqual([false, false]);
  expect(isPlace(days((_, index) => (index % 7) + 1))).toEqual([false, false]);
  expect(isPlace(days((_, index) => (index * 37) % 360))).toEqual([false, false]);
});
