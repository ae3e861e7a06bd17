import { removeOldEntries } from "../../audit/service.ts";
import { env } from "../../env.ts";
import { moveAnchor } from "./seal-chain.ts";

/** Removes old entries, and the beginning of the chain that is about them. Returns how many entries were removed. */
export async function removeOld(days = env().AUDIT_KEPT_DAYS): Promise<number> {
  if (days === null) return 0;
  // Noted first: an entry that is missing without that would look removed by someone else.
  return removeOldEntries(await moveAnchor(days, { isExported: Boolean(env().AUDIT_EXPORT_URL) }));
}
