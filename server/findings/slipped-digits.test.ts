import { expect, test } from "vitest";
import { slippedDigits } from "./slipped-digits.ts";
import { aColumn } from "./table.fixture.ts";

/** Of the numbers, the last one is in doubt; the others rise. */
function slippedOf(numbers: readonly string[], doubted = 1): number {
  const [column] = aColumn("amount decimal", numbers).columns;
  if (!column) throw new Error("There is one column");
  const indexes = [...column.values.keys()];
  return slippedDigits(column, indexes.slice(-doubted), indexes.slice(0, -doubted));
}
const amounts = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));

test("a number that ends in more zeros than the largest others do has slipped digits", () => {
  // The largest 100 of 400 are 40.1 to 49.9 in steps of 0.1 and 0.01 alternately; none ends in two zeros.
  const usual = amounts(400, (index) => `${10 + Math.floor(index / 10)}.${11 + (index % 10)}`);
  // One of 102, smoothed: log10(102) = 2.0086, a third of it.
  expect(slippedOf([...usual, "4511.00"])).toBeCloseTo(2.0086 / 3, 4);
  // In three rows, chance would not do it.
  expect(slippedOf([...usual, "4511.00", "3914.00", "4212.00"], 3)).toBe(1);
});

test("where the largest others are as round, or nothing is round, digits say nothing", () => {
  // All of the others end in two zeros: 101 of 102. What is rounded has fewer digits than they have.
  const round = amounts(400, (index) => `${10 + index}.00`);
  expect(slippedOf([...round, "45000.00"])).toBe(0);
  expect(slippedOf([...round, "45001.00"])).toBeCloseTo(Math.log10(102 / 101) / 3, 6);
  expect(slippedOf([...round, "45001.37"])).toBe(0);
});

test("measurements with many places, and numbers written in another way, are left alone", () => {
  const measured = amounts(40, (index) => `${index}.12345678`);
  expect(slippedOf([...measured, "9000"])).toBe(0);
  expect(slippedOf([...amounts(40, (index) => `${index}.5`), "1e9"])).toBe(0);
});
