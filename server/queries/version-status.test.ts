import { expect, test } from "vitest";
import { versionStatuses } from "./schema.ts";
import { statusAfter, statusOfEdit, type VersionEvent } from "./version-status.ts";

const events: VersionEvent[] = ["approve", "reject", "supersede", "replace"];

test("only pending versions are decided, only active ones replaced, and others are history", () => {
  const all = versionStatuses.flatMap((status) =>
    events.flatMap((event) => {
      const after = statusAfter(status, event);
      return after ? `${status} ${event} ${after}` : [];
    }),
  );
  expect(all).toEqual([
    "Active replace Archived",
    "PendingApproval approve Active",
    "PendingApproval reject Rejected",
    "PendingApproval supersede Superseded",
  ]);
});

test("an edit runs immediately unless it needs approval", () => {
  expect(statusOfEdit({ needsApproval: false })).toBe("Active");
  expect(statusOfEdit({ needsApproval: true })).toBe("PendingApproval");
});
