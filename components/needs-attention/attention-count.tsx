"use client";
import { CountBadge } from "../shell/count-badge.tsx";
import { useAttentionCount } from "./use-attention-count.ts";

/** The number of items that need a person, next to Home's link. */
export function AttentionCount({ narrow }: { narrow: boolean }) {
  const count = useAttentionCount();
  return (
    <CountBadge count={count} narrow={narrow} word={count === 1 ? "needs attention" : "need attention"} />
  );
}
