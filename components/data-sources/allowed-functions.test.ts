import { expect, test } from "vitest";
import { areFunctionNames, functionsIn } from "./allowed-functions.ts";

test("names may be separated by lines, commas, or spaces; duplicates are dropped and case is ignored", () => {
  expect(functionsIn(" shop.Tax\ntax, round_up  shop.tax ,\n")).toEqual(["shop.tax", "tax", "round_up"]);
  expect(functionsIn(" \n ")).toEqual([]);
});

test.each([
  ["", true],
  ["shop.tax\nround_up", true],
  ["shop.tax()", false],
  ["a.b.c", false],
  ["shop.", false],
  ['"tax"', false],
])("%j are names of functions: %s", (text, are) => {
  expect(areFunctionNames(text)).toBe(are);
});
