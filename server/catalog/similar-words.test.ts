import { expect, test } from "vitest";
import { errorsIn, similarWordsOf } from "./similar-words.ts";

test.each([
  ["customer", "customer", 0],
  // As far as it has been typed.
  ["cust", "customer", 0],
  ["custmer", "customer", 1],
  ["cutsomer", "customer", 1],
  ["costumer", "customer", 2],
  ["orderss", "orders", 1],
  ["flihgt", "flights", 1],
  ["xorders", "orders", 1],
  ["abc", "xyz", 3],
  ["", "xyz", 0],
  ["größe", "grösse", 2],
])("%s has in %s so many errors: %i", (typed, word, errors) => {
  expect(errorsIn(typed, word)).toBe(errors);
});

test("a misspelled word matches with one error, or with two if it is long", () => {
  const words = ["orders", "order", "borders", "orange", "customer"];
  expect(similarWordsOf("oders", words)).toEqual(["orders"]);
  expect(similarWordsOf("ordres", words)).toEqual(["orders"]);
  expect(similarWordsOf("costumer", words)).toEqual(["customer"]);
  expect(similarWordsOf("cstumer", words)).toEqual([]);
});

test("a three-letter word has no similar words", () => {
  expect(similarWordsOf("tax", ["fax", "taxi", "max"])).toEqual([]);
});

test("a known word is not a misspelling, but others may contain it", () => {
  expect(similarWordsOf("date", ["date", "data", "rate", "update", "dates"])).toEqual(["update"]);
});
