import type { StatusKind } from "@/components/ui/status.tsx";
import type { VersionStatus } from "@/server/queries/schema.ts";

/** How a version's status is displayed. */
export const versionLooks: Record<VersionStatus, { kind: StatusKind; word: string }> = {
  Active: { kind: "ok", word: "Active" },
  PendingApproval: { kind: "warning", word: "Pending approval" },
  Archived: { kind: "neutral", word: "Archived" },
  Rejected: { kind: "critical", word: "Rejected" },
  Superseded: { kind: "stalled", word: "Superseded" },
};
