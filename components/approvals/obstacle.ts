import type { Approval } from "@/server/approvals/schema.ts";

/** What keeps a request that waits from being approved; it can be rejected all the same. */
export type Obstacle = { kind: "stale"; active: number | null } | { kind: "locked" } | { kind: "own change" };

/** The first obstacle in the order in which the service finds them; null when there is none. */
export function obstacleOf({
  approval: { kind, requester, proposedVersion, isStale, activeVersion },
  myId,
  fourEyes,
  isLocked,
}: {
  approval: Pick<Approval, "kind" | "requester" | "proposedVersion" | "isStale" | "activeVersion">;
  /** Who looks at it. */
  myId: number;
  fourEyes: boolean;
  isLocked: boolean;
}): Obstacle | null {
  const isAuthor = kind === "FirstRun" && proposedVersion.createdBy?.id === myId;
  if (fourEyes && (isAuthor || requester?.id === myId)) return { kind: "own change" };
  if (isStale) return { kind: "stale", active: activeVersion?.number ?? null };
  // A first run changes nothing about the query.
  return isLocked && kind !== "FirstRun" ? { kind: "locked" } : null;
}
