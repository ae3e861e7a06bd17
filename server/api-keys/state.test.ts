import { expect, test } from "vitest";
import { keyStateOf } from "./state.ts";

test("a revoked key is Revoked even if it has since expired", () => {
  expect(keyStateOf({ status: "Active", isExpired: false })).toBe("Active");
  expect(keyStateOf({ status: "Active", isExpired: true })).toBe("Expired");
  expect(keyStateOf({ status: "Revoked", isExpired: true })).toBe("Revoked");
});
