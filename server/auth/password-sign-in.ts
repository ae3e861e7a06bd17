import { env } from "../env.ts";
import { Problem } from "../errors.ts";

/** Throws forbidden if an operator has turned password sign-in off. */
export function rejectPasswordSignIn(): void {
  if (!env().PASSWORD_SIGN_IN) throw new Problem("forbidden", "Password sign-in is off");
}
