import { env } from "../env.ts";
import { Problem } from "../errors.ts";
import type { Principal } from "./principal.ts";

/**
 * Throws forbidden if an API key would create or promote an Admin, unless KEYS_MAY_MAKE_ADMINS allows it: an Admin's
 * account outlives the key, its expiry, and its revocation.
 */
export function rejectAdminByKey({ kind }: Principal): void {
  if (kind !== "ApiKey" || env().KEYS_MAY_MAKE_ADMINS) return;
  throw new Problem(
    "forbidden",
    "An API key cannot create or promote Admins. Sign in to do this, or set KEYS_MAY_MAKE_ADMINS=on",
  );
}
