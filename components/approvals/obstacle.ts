import type { Approval } from "@/server/approvals/schema.ts";

/** What keeps a change that waits from being approved; it can be rejected all the same. */
export type Obstacle = { kind: "stale"; active: number | null } | { kind: "locked" } | { kind: "own change" };

/** The first obstacle in the order in which the service finds them; null when there is none. */
export function obstacleOf({
  approval: { requester, isStale, activeVersion },
  myId,
  fourEyes,
  isLocked,
}: {
  approval: Pick<Approval, "requester" | "isStale" | "activeVersion">;
  /** Who looks at it. */
  myId: number;
  fourEyes: boolean;
  isLocked: boolean;
}): Obstacle | null {
  if (fourEyes && requester?.id === myId) return { kind: "own change" };
  if (isStale) return { kind: "stale", active: activeVersion?.number ?? null };
  return isLocked ? { kind: "locked" } : null;
}
