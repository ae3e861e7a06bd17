import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { networkOf } from "../auth/network.ts";
import type { Principal } from "../auth/principal.ts";
import { env } from "../env.ts";
import { Problem } from "../errors.ts";

/**
 * Limits requests per caller: a safety net that stops a runaway loop before it slows everyone down.
 *
 * Counted in memory, per process: a limit in the database would cost every request what it is meant to save. Several
 * processes together allow a multiple; limits that must hold across processes, as for passwords, are in the database.
 *
 * Authenticated callers have their own count, whatever others at the same address do; the rest are counted by
 * address. Honest clients such as pipelines may burst at full speed, but not sustain a thousand requests per second
 * for a minute. Invalid keys and JWTs have a lower limit, not against guessing, which is hopeless at any speed, but
 * because a program that keeps using a revoked key gains nothing; it leaves room for many programs behind one
 * address.
 */
const windowSeconds = 60;

export type Caller = {
  principal: Principal | null;
  address: string;
  /** Whether the caller has sent an invalid key or JWT. */
  isRefused?: boolean;
  /** The number of calls in the request: a batch counts as several. */
  calls?: number;
};

type Kind = "principal" | "address" | "refused";
type Limiters = Record<Kind, RateLimiterMemory | null>;

let counts: Limiters | undefined;

/** Resets all counts and applies the current settings. */
export function forgetRequests(): void {
  counts = undefined;
}

function limiters(): Limiters {
  const { RATE_LIMIT_PRINCIPAL, RATE_LIMIT_ADDRESS, RATE_LIMIT_REFUSED } = env();
  const limiterOf = (points: number | null) =>
    points === null ? null : new RateLimiterMemory({ points, duration: windowSeconds });
  counts ??= {
    principal: limiterOf(RATE_LIMIT_PRINCIPAL),
    address: limiterOf(RATE_LIMIT_ADDRESS),
    refused: limiterOf(RATE_LIMIT_REFUSED),
  };
  return counts;
}

/** Counts a request for its caller; throws rate_limited if there were too many in the last minute. */
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
