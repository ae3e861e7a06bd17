import { db } from "../../db/client.ts";
import { limits } from "../limits.ts";
import { attempt } from "./attempt.ts";
import { claim, type Recorded, record } from "./turns.ts";

/**
 * One attempt at a delivery, from claim to stored result.
 *
 * A delivery is attempted under a lease, and the result is only stored while the lease holds: two workers send it
 * once, and a dead one is replaced. It may then be sent twice but is never lost; receivers can deduplicate by id.
 * Each receiver gets one message at a time, oldest first, so a slow receiver only delays its own messages.
 */
export async function attemptDelivery(deliveryId: number): Promise<Recorded> {
  const claimed = await db.transaction((tx) => claim(tx, deliveryId));
  if (!claimed) return "Skipped";
  const outcome = await attempt(claimed, limits.attemptMs);
  return record(claimed, outcome);
}
