import { expect, test } from "vitest";
import { currentPage } from "./pages.ts";

test("a path belongs to the deepest page that it lies at or below", () => {
  expect(currentPage("/data-quality")).toBe("/data-quality");
  expect(currentPage("/data-quality/contracts/7/edit")).toBe("/data-quality/contracts");
  expect(currentPage("/data-sources/12")).toBe("/data-sources");
  expect(currentPage("/data-sourcesque")).toBeUndefined();
  expect(currentPage("/")).toBeUndefined();
});
