import { expect, test } from "vitest";
import { endsSoon, keyStateOf } from "./key-state.ts";

test("a revoked key is Revoked even if it has since expired", () => {
  expect(keyStateOf({ status: "Active", isExpired: false })).toBe("Active");
  expect(keyStateOf({ status: "Active", isExpired: true })).toBe("Expired");
  expect(keyStateOf({ status: "Revoked", isExpired: true })).toBe("Revoked");
});

test("only an active key expires soon, within a week", () => {
  const now = Date.parse("2025-11-20T12:00:00Z");
  const key = { status: "Active", isExpired: false, expiresAt: "2025-11-27T11:59:59Z" } as const;
  expect(endsSoon(key, now)).toBe(true);
  expect(endsSoon({ ...key, expiresAt: "2025-11-27T12:00:00Z" }, now)).toBe(false);
  expect(endsSoon({ ...key, expiresAt: null }, now)).toBe(false);
  expect(endsSoon({ ...key, isExpired: true }, now)).toBe(false);
  expect(endsSoon({ ...key, status: "Revoked" }, now)).toBe(false);
});
