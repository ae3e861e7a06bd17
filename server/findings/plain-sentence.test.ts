import { expect, test } from "vitest";
import { plainSentence, sameFigures, withoutFigures } from "./plain-sentence.ts";

const own = "2 of 8,960 rows of orders have no email; all others do.";

test.each([
  "2 orders, of 8,960, were placed without an email address.",
  "Of 8960 orders, 2 have no email address",
])("words that keep the figures are taken: %s", (text) => {
  expect(sameFigures(text, own, 2)).toBe(text);
});

test.each([
  ["another number of rows", "3 of 8,960 orders have no email address."],
  ["no number of rows", "Some of 8,960 orders have no email address."],
  ["a number of its own", "2 of 8,960 orders have no email; 40 % of revenue is lost."],
  ["a part of a number", "20 of 8,960 orders have no email address."],
  ["markup", "<b>2</b> of 8,960 orders have no email."],
  ["a link", "2 of 8,960 orders: see https://evil.example for more."],
  ["Markdown", "2 of 8,960 orders [have no email](javascript:alert)"],
  ["several lines", "2 of 8,960 orders\nhave no email."],
  ["invisible characters", "2 of 8,960 orders \u202eliame on evah."],
  ["too much", `2 of 8,960 orders ${"really ".repeat(50)}have no email.`],
  ["nothing", "  "],
])("words with %s are not", (_, text) => {
  expect(sameFigures(text, own, 2)).toBeNull();
});

test("where rows are missing, every figure stays", () => {
  const hole = "No row of orders has a created_at on 2026-11-18, where 412 are usual.";
  const kept = "Nothing was ordered on 2026-11-18, where 412 orders are usual.";
  expect(sameFigures(kept, hole, 0)).toBe(kept);
  expect(sameFigures("Nothing was ordered on 2026-11-18, which is unusual.", hole, 0)).toBeNull();
});

test("what is said of rows that are counted later has no figures but those of its condition", () => {
  expect(withoutFigures("priced above 1,000 by mistake", '{"bound":"1000"}')).toBe(
    "priced above 1,000 by mistake",
  );
  expect(withoutFigures("12 orders are priced too high", '{"bound":"1000"}')).toBeNull();
  expect(plainSentence("delivered before it was ordered")).toBe("delivered before it was ordered");
});
