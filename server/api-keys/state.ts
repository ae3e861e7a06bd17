/** The states of a key. Expired and Revoked are distinct, although neither grants access. Pure; also for the browser. */
export const keyStates = ["Active", "Expired", "Revoked"] as const;
export type KeyState = (typeof keyStates)[number];

type Stored = { status: "Active" | "Revoked"; isExpired: boolean };

export function keyStateOf({ status, isExpired }: Stored): KeyState {
  if (status === "Revoked") return "Revoked";
  return isExpired ? "Expired" : "Active";
}

/** A key is rotated once, while it works; from then on, the key that replaced it is. */
export const mayRotate = (key: Stored & { replacedById: number | null }) =>
  keyStateOf(key) === "Active" && key.replacedById === null;
