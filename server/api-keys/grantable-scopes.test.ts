import { expect, test } from "vitest";
import type { Role, Scope } from "../auth/schema.ts";
import { grantableScopes, inOrder } from "./grantable-scopes.ts";

test.each<[Role, Scope[] | null, Scope[]]>([
  // In a session, whatever the role allows.
  ["Viewer", null, ["Read"]],
  ["Editor", null, ["Read", "Execute"]],
  ["Admin", null, ["Read", "Execute", "Admin"]],
  // With a key, nothing above its own scopes either.
  ["Admin", ["Admin"], ["Read", "Execute", "Admin"]],
  ["Admin", ["Execute"], ["Read", "Execute"]],
  ["Admin", ["Read", "Execute"], ["Read", "Execute"]],
  ["Admin", ["Read"], ["Read"]],
  ["Admin", [], []],
  // A demoted user can no longer grant what the key once could.
  ["Viewer", ["Admin"], ["Read"]],
  ["Editor", ["Admin"], ["Read", "Execute"]],
])("a %s with the scopes %j may give %j", (role, scopes, expected) => {
  expect(grantableScopes({ role, scopes })).toEqual(expected);
});

test("scopes are deduplicated and sorted, lowest first", () => {
  expect(inOrder(["Admin", "Read", "Admin"])).toEqual(["Read", "Admin"]);
});
