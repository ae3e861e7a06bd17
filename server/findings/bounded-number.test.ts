import { expect, test } from "vitest";
import { isBoundedNumber } from "./bounded-number.ts";

test.each(["<0.05", "< 0.05", ">1000", ">= 12", "≤3", "<-1.5e3"])("%s is a number with a bound", (text) => {
  expect(isBoundedNumber(text)).toBe(true);
});

test.each(["0.05", "<", "< n/a", "<b>", "<<5", "=5", "5>", ""])("“%s” is none", (text) => {
  expect(isBoundedNumber(text)).toBe(false);
});
