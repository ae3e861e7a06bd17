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
  const claimed = await claim(deliveryId);
  if (!claimed) return "Skipped";
  return (await record(claimed, await attempt(claimed, limits.attemptMs))).recorded;
}

/**
 * The same, and then one at each further message that is due to the same receiver, for a second: when very much goes wrong at
 * once, a job for each message takes longer than sending them. Returns what became of the first one.
 */
export async function deliverInTurn(deliveryId: number): Promise<Recorded> {
  const until = performance.now() + limits.turnMs;
  let first: Recorded | undefined;
  for (let turn = await claim(deliveryId); turn; ) {
    const outcome = await attempt(turn, limits.attemptMs);
    const { recorded, next } = await record(turn, outcome, { goesOn: performance.now() < until });
    first ??= recorded;
    turn = next;
  }
  return first ?? "Skipped";
}
