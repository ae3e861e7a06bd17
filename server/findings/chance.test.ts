import { expect, test } from "vitest";
import { chanceOfAtLeast } from "./chance.ts";

test("the bound is above what is exact, and closer where the number of events is known", () => {
  // Ten heads in ten throws: exactly 1 in 1,024.
  expect(chanceOfAtLeast(10, 5, 10)).toBeCloseTo(2 ** -10, 12);
  expect(chanceOfAtLeast(10, 5)).toBeGreaterThan(2 ** -10);
  // Eight or more of ten: (45 + 10 + 1) of 1,024.
  expect(chanceOfAtLeast(8, 5, 10)).toBeGreaterThan(56 / 1024);
  expect(chanceOfAtLeast(8, 5, 10)).toBeLessThan(chanceOfAtLeast(8, 5));
  expect(chanceOfAtLeast(5, 5, 10)).toBe(1);
});
