import { db } from "../../db/client.ts";
import { limits } from "../limits.ts";
import { attempt } from "./attempt.ts";
import { claim, type Recorded, record } from "./turns.ts";

/**
 * One attempt at a delivery, from its claim to what is written about it.
 *
 * A delivery is attempted under a lease, and what came of it is written only while that lease holds: two workers send
 * it once, and one that died is replaced. It may then be sent a second time, never silently lost; receivers know it
 * by its id. Each receiver is told one thing at a time, the oldest that is due first, so one that does not
 * answer keeps only its own messages waiting.
 */
export async function attemptDelivery(deliveryId: number): Promise<Recorded> {
  const claimed = await db.transaction((tx) => claim(tx, deliveryId));
  if (!claimed) return "Skipped";
  const outcome = await attempt(claimed, limits.attemptMs);
  return record(claimed, outcome);
}
