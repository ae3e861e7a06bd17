import { expect, test } from "vitest";
import { errorsIn, nearWordsOf } from "./near-words.ts";

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

test("a word is meant by one that is mistyped once, or twice when it is long", () => {
  const words = ["orders", "order", "borders", "orange", "customer"];
  expect(nearWordsOf("oders", words)).toEqual(["orders"]);
  expect(nearWordsOf("ordres", words)).toEqual(["orders"]);
  expect(nearWordsOf("costumer", words)).toEqual(["customer"]);
  expect(nearWordsOf("cstumer", words)).toEqual([]);
});

test("a word of three letters is near to no other", () => {
  expect(nearWordsOf("tax", ["fax", "taxi", "max"])).toEqual([]);
});

test("a word that there is was not mistyped, but others may hold it", () => {
  expect(nearWordsOf("date", ["date", "data", "rate", "update", "dates"])).toEqual(["update"]);
});
