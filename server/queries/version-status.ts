import type { VersionStatus } from "./schema.ts";

export type VersionEvent = "approve" | "reject" | "supersede" | "replace";

/**
 * The statuses of a version. The active one runs. A pending one changes nothing until it is approved and replaces the
 * active one. All others are history, from which a new version can be created.
 */
const transitions: Record<VersionStatus, Partial<Record<VersionEvent, VersionStatus>>> = {
  PendingApproval: { approve: "Active", reject: "Rejected", supersede: "Superseded" },
  Active: { replace: "Archived" },
  Archived: {},
  Rejected: {},
  Superseded: {},
};

/** A version's status after an event, or null if the event is not possible. */
export function statusAfter(status: VersionStatus, event: VersionEvent): VersionStatus | null {
  return transitions[status][event] ?? null;
}

/** The status of a new version: active immediately, or pending approval. */
export function statusOfEdit({ needsApproval }: { needsApproval: boolean }): "Active" | "PendingApproval" {
  return needsApproval ? "PendingApproval" : "Active";
}
