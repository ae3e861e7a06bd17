import { expect, test } from "vitest";
import { formatValue, usualRange } from "./usual-range.ts";

test("integers keep all digits, other numbers six", () => {
  expect([1_234_567, 12.345678, -0.5].map(formatValue)).toEqual(["1,234,567", "12.3457", "-0.5"]);
});

test("the usual range names only known bounds", () => {
  expect(usualRange(10, 24.5)).toBe("10 to 24.5");
  expect(usualRange(7, 7)).toBe("7");
  expect(usualRange(null, 3)).toBe("at most 3");
  expect(usualRange(3, null)).toBe("at least 3");
  expect(usualRange(null, null)).toBe("–");
});
