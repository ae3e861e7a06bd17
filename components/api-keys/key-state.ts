import { keyStateOf } from "@/server/api-keys/state.ts";

type Stored = { status: "Active" | "Revoked"; isExpired: boolean; expiresAt: string | null };

const week = 7 * 24 * 3600 * 1000;

/** Whether an active key expires within a week, so that someone can replace it in time. */
export function endsSoon(key: Stored, now: number): boolean {
  if (keyStateOf(key) !== "Active" || key.expiresAt === null) return false;
  return Date.parse(key.expiresAt) - now < week;
}
