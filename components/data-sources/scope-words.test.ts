import { expect, test } from "vitest";
import { scopeWords } from "./scope-words.ts";
import { splitTags } from "./split-tags.ts";

const warehouse = [{ name: "Warehouse" }, { name: "Shop" }];

test.each([
  [null, null, null],
  [warehouse, null, "Warehouse, Shop"],
  [null, ["pii"], "tables tagged pii"],
  [warehouse, ["pii", "tier 1"], "tables of Warehouse, Shop tagged pii or tier 1"],
])("what is in a scope, in words: %j, %j", (dataSources, tags, words) => {
  expect(scopeWords({ dataSources, tags })).toBe(words);
});

test("tags as typed: commas separate them, case and doubles do not count", () => {
  expect(splitTags(" PII, tier 1,,pii, ")).toEqual(["pii", "tier 1"]);
  expect(splitTags(" ")).toEqual([]);
});
