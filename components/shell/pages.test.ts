import { expect, test } from "vitest";
import type { Role } from "@/server/auth/schema.ts";
import { currentPage, pageGroupsFor } from "./pages.ts";

test("a path belongs to the deepest page at or above it", () => {
  expect(currentPage("/control-tower")).toBe("/control-tower");
  expect(currentPage("/data-quality")).toBe("/data-quality");
  expect(currentPage("/data-quality/contracts/7/edit")).toBe("/data-quality/contracts");
  expect(currentPage("/data-sources/12")).toBe("/data-sources");
  expect(currentPage("/data-sourcesque")).toBeUndefined();
  expect(currentPage("/")).toBeUndefined();
});

test("Admin pages are offered only to Admins", () => {
  const offered = (role: Role) =>
    pageGroupsFor({ role, scopes: null, projectIds: null }).flatMap(({ pages }) =>
      pages.map(({ href }) => href),
    );
  expect(offered("Admin")).toEqual(
    expect.arrayContaining(["/users", "/jobs", "/audit", "/api-keys", "/settings"]),
  );
  for (const role of ["Viewer", "Editor"] as const) {
    expect(offered(role)).toContain("/api-keys");
    expect(offered(role)).toContain("/approvals");
    expect(offered(role)).not.toContain("/users");
    expect(offered(role)).not.toContain("/settings");
    expect(offered(role)).not.toContain("/audit");
    expect(offered(role)).not.toContain("/jobs");
  }
});
