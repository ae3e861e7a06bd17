import type { Approval } from "@/server/approvals/schema.ts";

/** Why a pending request can't be approved; it can always be rejected. */
export type Obstacle = { kind: "stale"; active: number | null } | { kind: "locked" } | { kind: "own change" };

/** The first obstacle, in the order the server checks them; null if there is none. */
export function obstacleOf({
  approval: { kind, requester, proposedVersion, isStale, activeVersion },
  myId,
  fourEyes,
  isLocked,
}: {
  approval: Pick<Approval, "kind" | "requester" | "proposedVersion" | "isStale" | "activeVersion">;
  /** The current user. */
  myId: number;
  fourEyes: boolean;
  isLocked: boolean;
}): Obstacle | null {
  const isAuthor = kind === "FirstRun" && proposedVersion.createdBy?.id === myId;
  if (fourEyes && (isAuthor || requester?.id === myId)) return { kind: "own change" };
  if (isStale) return { kind: "stale", active: activeVersion?.number ?? null };
  // A first run doesn't change the query, so a lock doesn't apply.
  return isLocked && kind !== "FirstRun" ? { kind: "locked" } : null;
}
