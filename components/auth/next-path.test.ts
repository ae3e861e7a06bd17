import { expect, test } from "vitest";
import { callbackPath, nextPath } from "./next-path.ts";

test("a local path is kept, with its query", () => {
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

test("only the path of a callback URL counts, whatever its host", () => {
  expect(nextPath(callbackPath("https://elsewhere.example/users?q=ada"))).toBe("/users?q=ada");
  expect(nextPath(callbackPath("https://here.example//elsewhere.example"))).toBe("/");
  expect(callbackPath("not an address")).toBeUndefined();
});
