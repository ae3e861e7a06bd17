import { expect, test } from "vitest";
import { code, duration, escaped, plain, shortened, someOf } from "./plain-text.ts";

test.each([
  ["a\r\nb\u0000c\u202ed", "a b c d"],
  ["\ud800 half", "� half"],
  ["x".repeat(70), `${"x".repeat(59)}…`],
])("%j is one short line", (text, expected) => {
  expect(plain(text)).toBe(expected);
});

test("characters are never split", () => {
  expect(shortened("ab😀cd", 4)).toBe("ab…");
  expect(shortened("abcd", 4)).toBe("abcd");
});

test.each([
  ["order_items", "order_items"],
  ["_a_ *b* `c`", "\\_a\\_ \\*b\\* \\`c\\`"],
  ["<img> [x](y) ![z](w)", "\\<img\\> \\[x\\](y) !\\[z\\](w)"],
  ["# heading", "\\# heading"],
  ["1. item", "1\\. item"],
  ["- item", "\\- item"],
  ["http://a.b www.a.b a@b.c", "http\\://a.b www\\.a.b a\\@b.c"],
  ["a | b & c &amp; \\", "a \\| b \\& c \\&amp; \\\\"],
])("%s is no markup", (text, expected) => {
  expect(escaped(text)).toBe(expected);
});

test.each([
  ["a", "`a`"],
  ["a`b", "`` a`b ``"],
  ["```", "```` ``` ````"],
  ["", "` `"],
])("%s is code", (text, expected) => {
  expect(code(text)).toBe(expected);
});

test("lists that are cut, and durations, in words", () => {
  expect(someOf(["a", "b", "c", "d"], 3)).toBe("a, b and 2 more");
  expect([0, 1, 45, 120, 90, 1440, 2880, 3600].map(duration)).toEqual([
    ...["less than a minute", "1 minute", "45 minutes", "2 hours"],
    ...["90 minutes", "24 hours", "2 days", "2.5 days"],
  ]);
});
