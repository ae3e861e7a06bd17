/** What has become of a key. Expired is told apart from Revoked although neither lets anybody in. */
export const keyStates = ["Active", "Expired", "Revoked"] as const;
export type KeyState = (typeof keyStates)[number];

type Stored = { status: "Active" | "Revoked"; isExpired: boolean; expiresAt: string | null };

export function keyStateOf({ status, isExpired }: Pick<Stored, "status" | "isExpired">): KeyState {
  if (status === "Revoked") return "Revoked";
  return isExpired ? "Expired" : "Active";
}

const week = 7 * 24 * 3600 * 1000;

/** Whether a key that works today will not within a week, so that somebody replaces it in time. */
export function endsSoon(key: Stored, now: number): boolean {
  if (keyStateOf(key) !== "Active" || key.expiresAt === null) return false;
  return Date.parse(key.expiresAt) - now < week;
}
