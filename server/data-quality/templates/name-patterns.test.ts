import { expect, test } from "vitest";
import { nameMatcher } from "./name-patterns.ts";

test.each([
  [["*"], "", true],
  [["orders"], "orders", true],
  [["orders"], "orders_old", false],
  [["orders*"], "orders_old", true],
  [["*_at"], "created_at", true],
  [["*_at"], "created_at_utc", false],
  [["*a*b*"], "xxaxxbxx", true],
  [["*a*b*"], "xxbxxa", false],
  [["*ab"], "aab", true],
  [["order?"], "orders", true],
  [["order?"], "order", false],
  [["?"], "🙂", true],
  // Upper and lower case are the same, also beyond ASCII.
  [["ORDERS"], "Orders", true],
  [["straße_*"], "STRASSE_1", false],
  [["über*"], "ÜBERSICHT", true],
  // What is special in SQL or in regular expressions is not special here.
  [["a%"], "abc", false],
  [["a_c"], "abc", false],
  [["a_c"], "a_c", true],
  [["a.c"], "abc", false],
  [["(a|b)+"], "(a|b)+", true],
  [['say "hi"'], 'Say "Hi"', true],
  // A backslash takes the next character literally; at the end, it is itself.
  [["\\*"], "*", true],
  [["\\*"], "a", false],
  [["a\\?"], "a?", true],
  [["a\\\\b"], "a\\b", true],
  [["a\\"], "a\\", true],
  [["\\!tmp"], "!tmp", true],
  // Several, and some that leave out.
  [["a", "b*"], "bc", true],
  [["a", "b*"], "c", false],
  [["*", "!tmp_*"], "tmp_orders", false],
  [["!tmp_*"], "orders", true],
  [["!tmp_*"], "tmp_orders", false],
  [[], "anything", true],
])("%j and %j: %s", (patterns, name, expected) => {
  expect(nameMatcher(patterns)(name)).toBe(expected);
});

test("a pattern that makes others run away takes no time", () => {
  const matches = nameMatcher([`${"*a".repeat(100)}*b`]);
  const started = performance.now();
  for (let round = 0; round < 100; round += 1) expect(matches("a".repeat(128))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});
