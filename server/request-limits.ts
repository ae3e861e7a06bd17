import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { Principal } from "./auth/principal.ts";
import { env } from "./env.ts";
import { Problem } from "./errors.ts";
import { networkOf } from "./network.ts";

/**
 * How many requests one caller may make: a net under the service, which stops a loop that has gone wrong before it
 * costs everybody else their answers.
 *
 * It is counted in memory and by each process alone, because a limit that asked the database would cost every
 * request what it is there to save. Several processes together grant as many times more; where a count must hold
 * across all of them, as for passwords, it is kept in the database.
 *
 * Who has authenticated has a count of their own, whatever others at the same address do; who has not counts by
 * address. An honest client may burst at full speed, as pipelines do: a thousand requests a second, kept up for a
 * minute, is none. Keys and JWTs that are refused have a lower limit. Not against guessing, which leads nowhere at
 * any speed, but because a program that goes on and on with a revoked key has no use of its answers; it leaves room
 * for many programs behind one address.
 */
const windowSeconds = 60;

export type Caller = {
  principal: Principal | null;
  address: string;
  /** Whether the caller has shown a key or a JWT that is not valid. */
  isRefused?: boolean;
  /** How many calls the request holds: a batch counts as many times. */
  calls?: number;
};

type Kind = "principal" | "address" | "refused";
type Limiters = Record<Kind, RateLimiterMemory | null>;

/** One count per process, although several doors load this module. */
const shared = globalThis as { plumblineRequestLimits?: Limiters };

function limiters(): Limiters {
  const { RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS, RATE_LIMIT_REFUSED } = env();
  const limiterOf = (points: number | null) =>
    points === null ? null : new RateLimiterMemory({ points, duration: windowSeconds });
  shared.plumblineRequestLimits ??= {
    principal: limiterOf(RATE_LIMIT_PRINCIPAL),
    address: limiterOf(RATE_LIMIT_ADDRESS),
    refused: limiterOf(RATE_LIMIT_REFUSED),
  };
  return shared.plumblineRequestLimits;
}

/** Counts a request for whoever makes it; throws rate_limited when there were too many in the last minute. */
export async function limitRequests({ principal, address, isRefused, calls = 1 }: Caller): Promise<void> {
  if (principal) return count("principal", nameOf(principal), calls);
  await count("address", networkOf(address), calls);
  if (isRefused) await count("refused", networkOf(address));
}

const nameOf = ({ keyId, userId }: Principal) => (keyId === undefined ? `user:${userId}` : `key:${keyId}`);

async function count(kind: Kind, name: string, points = 1): Promise<void> {
  try {
    await limiters()[kind]?.consume(name, points);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const seconds = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
    throw new Problem("rate_limited", `Too many requests; try again in ${seconds} s`, {
      headers: { "retry-after": String(seconds) },
    });
  }
}
