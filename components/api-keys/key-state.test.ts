import { expect, test } from "vitest";
import { endsSoon } from "./key-state.ts";

test("only an active key expires soon, within a week", () => {
  const now = Date.parse("2025-11-20T12:00:00Z");
  const key = { status: "Active", isExpired: false, expiresAt: "2025-11-27T11:59:59Z" } as const;
  expect(endsSoon(key, now)).toBe(true);
  expect(endsSoon({ ...key, expiresAt: "2025-11-27T12:00:00Z" }, now)).toBe(false);
  expect(endsSoon({ ...key, expiresAt: null }, now)).toBe(false);
  expect(endsSoon({ ...key, isExpired: true }, now)).toBe(false);
  expect(endsSoon({ ...key, status: "Revoked" }, now)).toBe(false);
});
