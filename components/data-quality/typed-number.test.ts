import { expect, test } from "vitest";
import { typedDecimal, typedNumber } from "./typed-number.ts";

test("a number is parsed, and an invalid one stays as typed, to be rejected by name", () => {
  expect([" 10 ", "0.10", "-3", ".5", "5."].map(typedNumber)).toEqual([10, 0.1, -3, 0.5, 5]);
  expect(["1e", "five", "1,5", "0x10"].map(typedNumber)).toEqual(["1e", "five", "1,5", "0x10"]);
  expect(["", "  "].map(typedNumber)).toEqual([null, null]);
});

test("a decimal keeps every digit", () => {
  expect(typedDecimal(" 12345678901234567890.10 ")).toBe("12345678901234567890.10");
  expect(typedDecimal(" ")).toBeNull();
});
