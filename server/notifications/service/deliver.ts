import { limits } from "../limits.ts";
import { attempt } from "./attempt.ts";
import { claim, type Recorded, record } from "./turns.ts";

/**
 * One attempt at a delivery, from claim to stored result; and, for so many milliseconds, one at each further message that is due to
 * the same receiver: when very much goes wrong at once, a job for each takes longer than sending them. Returns what became
 * of the first one.
 *
 * A delivery is attempted under a lease, and the result is only stored while the lease holds: two workers send it
 * once, and a dead one is replaced. It may then be sent twice but is never lost; receivers can deduplicate by id.
 * Each receiver gets one message at a time, oldest first, so a slow receiver only delays its own messages.
 */
export async function attemptDelivery(deliveryId: number, goesOnForMs = 0): Promise<Recorded> {
  const until = performance.now() + goesOnForMs;
  let first: Recorded | undefined;
  for (let turn = await claim(deliveryId); turn; ) {
    const outcome = await attempt(turn, limits.attemptMs);
    const { recorded, next } = await record(turn, outcome, { goesOn: performance.now() < until });
    first ??= recorded;
    turn = next;
  }
  return first ?? "Skipped";
}
