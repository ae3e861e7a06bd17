import type { HealthStatus } from "./schema.ts";

const dayMs = 86_400_000;

/** What a subscription's executions in a time range say of it. Its creation and `now` are in milliseconds. */
export function statusOf(
  { total, ok, createdAt }: { total: number; ok: number; createdAt: number },
  now: number,
): HealthStatus {
  if (total === 0) return createdAt < now - dayMs ? "Stalled" : "Green";
  // Not divided, so that the boundaries are exact.
  if (ok * 10 >= total * 9) return "Green";
  return ok * 10 >= total * 7 ? "Amber" : "Red";
}
