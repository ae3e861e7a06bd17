import { expect, test } from "vitest";
import { savedFilters } from "./saved-filters.ts";

test("equal filters are equal texts, whatever the order and the page", () => {
  const one = savedFilters(new URLSearchParams("q=late+orders&page=3&project=2"));
  expect(one).toBe("project=2&q=late+orders");
  expect(savedFilters(new URLSearchParams("project=2&q=late%20orders&delivery=7"))).toBe(one);
  expect(savedFilters(new URLSearchParams(""))).toBe("");
});
