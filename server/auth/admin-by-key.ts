import { env } from "../env.ts";
import { Problem } from "../errors.ts";
import type { Principal } from "./principal.ts";

/**
 * Throws forbidden when an API key would make somebody an Admin, unless KEYS_MAY_MAKE_ADMINS allows it: an Admin who
 * signs in outlives the key, its expiry and its revocation.
 */
export function refuseAdminByKey({ kind }: Principal): void {
  if (kind !== "ApiKey" || env().KEYS_MAY_MAKE_ADMINS) return;
  throw new Problem(
    "forbidden",
    "An API key cannot make somebody an Admin. Sign in to do this, or set KEYS_MAY_MAKE_ADMINS=on",
  );
}
