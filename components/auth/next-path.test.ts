import { expect, test } from "vitest";
import { nextPath } from "./next-path.ts";

test("a path of the service is kept, with its query", () => {
  expect(nextPath("/data-sources/3?project=2")).toBe("/data-sources/3?project=2");
  expect(nextPath(["/projects", "/x"])).toBe("/projects");
});

test.each([
  undefined,
  "",
  "https://example.com",
  "//example.com",
  "/\\example.com",
  "/a\\b",
  "/\t/example.com",
  "javascript:alert(1)",
  "/sign-in?next=/sign-in",
  "/setup",
])("%j leads to the start page", (wanted) => {
  expect(nextPath(wanted)).toBe("/");
});
