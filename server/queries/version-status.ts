import type { VersionStatus } from "./schema.ts";

export type VersionEvent = "approve" | "reject" | "supersede" | "replace";

/**
 * What becomes of a version. The active one runs; what waits for approval changes nothing until it is approved, and
 * then the one that was active is replaced. All others are history, from which a new version can be made.
 */
const transitions: Record<VersionStatus, Partial<Record<VersionEvent, VersionStatus>>> = {
  PendingApproval: { approve: "Active", reject: "Rejected", supersede: "Superseded" },
  Active: { replace: "Archived" },
  Archived: {},
  Rejected: {},
  Superseded: {},
};

/** What a version is after that has happened to it, or null when it cannot happen to it. */
export function statusAfter(status: VersionStatus, event: VersionEvent): VersionStatus | null {
  return transitions[status][event] ?? null;
}

/** What an edit makes: a version that runs at once, or one that somebody has to approve. */
export function statusOfEdit({ needsApproval }: { needsApproval: boolean }): "Active" | "PendingApproval" {
  return needsApproval ? "PendingApproval" : "Active";
}
