/** The state of a key. Expired and Revoked are distinct, although neither grants access. */
export const keyStates = ["Active", "Expired", "Revoked"] as const;
export type KeyState = (typeof keyStates)[number];

type Stored = { status: "Active" | "Revoked"; isExpired: boolean; expiresAt: string | null };

export function keyStateOf({ status, isExpired }: Pick<Stored, "status" | "isExpired">): KeyState {
  if (status === "Revoked") return "Revoked";
  return isExpired ? "Expired" : "Active";
}

/** A key is rotated once, while it works; from then on, the key that replaced it is. */
export const mayRotate = (key: Pick<Stored, "status" | "isExpired"> & { replacedById: number | null }) =>
  keyStateOf(key) === "Active" && key.replacedById === null;

const week = 7 * 24 * 3600 * 1000;

/** Whether an active key expires within a week, so that someone can replace it in time. */
export function endsSoon(key: Stored, now: number): boolean {
  if (keyStateOf(key) !== "Active" || key.expiresAt === null) return false;
  return Date.parse(key.expiresAt) - now < week;
}
