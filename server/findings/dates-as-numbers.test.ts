import { expect, test } from "vitest";
import { momentsOfDateNumbers } from "./dates-as-numbers.ts";
import { outOfRange } from "./detectors/out-of-range.ts";
import { aColumn, saidOf } from "./table.fixture.ts";

const written = (day: number) =>
  new Date(Date.UTC(2023, 11, 18 + day)).toISOString().slice(0, 10).replaceAll("-", "");
/** From 18 December 2023 on, a few rows a day. */
const days = Array.from({ length: 1500 }, (_, row) => written(Math.floor(row / 4)));
const said = (values: string[]) =>
  saidOf(outOfRange, aColumn("document_date text", values)).map(({ rows, condition, features }) => [
    ...[[...rows], condition, features.beyondTail],
  ]);

test("20231231 is a day, 20231301 is none, and a table of prices has none", () => {
  const numbers = Float64Array.from([...new Set(days)].map(Number));
  expect(momentsOfDateNumbers(numbers)?.[13]).toBe(Date.UTC(2023, 11, 31));
  const wrong = Float64Array.from([...numbers, 20_231_301, 0]);
  expect(momentsOfDateNumbers(wrong)?.slice(-2)).toEqual(Float64Array.from([Number.NaN, Number.NaN]));
  const prices = Float64Array.from({ length: 200 }, (_, index) => 17_500_000 + index * 9973);
  expect(momentsOfDateNumbers(prices)).toBeNull();
});

test("the turn of a year is no gap, and a day of another century is one", () => {
  expect(said(days)).toEqual([]);
  expect(said(["19230104", ...days.slice(1)])).toEqual([
    [[0], { is: "below", column: "document_date", bound: "20000000" }, 0],
  ]);
});
