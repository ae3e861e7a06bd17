import { RateLimiterDrizzle, type RateLimiterRes } from "rate-limiter-flexible";
import { db } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { networkOf } from "../network.ts";
import { rateLimits } from "./tables.ts";

/**
 * How often somebody may fail to sign in. Counted in the database, so that it holds across processes, and by network:
 * an IPv6 subscriber has a whole /64 of addresses.
 *
 * An attempt is charged before the password is looked at, and refunded when it was right: failures alone count, and
 * attempts made at the same moment cannot slip past together.
 *
 * An account has a limit of its own in each network, so that nobody elsewhere can lock its owner out. Guessing from
 * many networks meets the limit across all of them; that one, which strangers can use up, does not concern a network
 * from which the account has signed in before. Neither does the limit of the whole network: what others do behind the
 * same address must not keep out those who have come from there all along.
 */
const minutes = 60;
const hours = 60 * minutes;

const limiterOf = (points: number, duration: number) =>
  new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix: "sign-in",
    points,
    duration,
    // The clean-audit job does it; the limiter's own timer would keep a process from ending.
    clearExpiredByTimeout: false,
  });

/** Failures of one account in one network. */
const accountHere = limiterOf(10, 15 * minutes);
/** Failures in one network, whatever the account. */
const network = limiterOf(100, 15 * minutes);
/** The same where the address is that of a proxy which nobody has named, and so of everybody behind it. */
const unnamedProxy = limiterOf(1000, 15 * minutes);
/** Failures of one account in all networks that it has never signed in from. */
const accountAnywhere = limiterOf(30, hours);
/** Not a limit: an account's networks, each remembered for 90 days from its last sign-in. */
const familiar = limiterOf(1, 90 * 24 * hours);

/** Where an attempt comes from. */
export type Origin = {
  address: string;
  /**
   * The address that an unnamed proxy says it has the request from. Anybody can write it, so it only tells people
   * behind such a proxy apart; it never makes a limit of its own without the ones above.
   */
  claimedAddress?: string | undefined;
};

export type Attempt = {
  /** The password was right: nothing is charged, and the network is the account's from now on. */
  succeed(): Promise<void>;
  /** Nobody has looked at the password: nothing is charged. */
  withdraw(): Promise<void>;
};

type Charge = { limiter: RateLimiterDrizzle; key: string };

/** Charges an attempt to sign in as somebody. Throws rate_limited when there were too many failures before. */
export async function beginSignIn(email: string, origin: Origin): Promise<Attempt> {
  const account = `account:${email.toLowerCase()}`;
  const here = { limiter: accountHere, key: `${account}:${placeOf(origin)}` };
  const home = `familiar:${here.key}`;
  const isFamiliar = (await familiar.get(home)) !== null;
  const withdraw = await charge(
    isFamiliar
      ? [here]
      : [here, networkCharge(origin), { limiter: accountAnywhere, key: `${account}:anywhere` }],
  );
  return {
    withdraw,
    async succeed() {
      await withdraw();
      await accountHere.delete(here.key);
      await familiar.set(home, 1, 90 * 24 * hours);
    },
  };
}

/** Charges an attempt at the first set-up, whose token can be guessed at as a password can. */
export async function beginSetUp(origin: Origin): Promise<Pick<Attempt, "withdraw">> {
  const here = { limiter: accountHere, key: `set-up:${placeOf(origin)}` };
  return { withdraw: await charge([here, networkCharge(origin)]) };
}

function placeOf({ address, claimedAddress }: Origin): string {
  const claimed = claimedAddress === undefined ? [] : [networkOf(claimedAddress)];
  return [networkOf(address), ...claimed].join("/");
}

function networkCharge({ address, claimedAddress }: Origin): Charge {
  return claimedAddress === undefined
    ? { limiter: network, key: `address:${networkOf(address)}` }
    : { limiter: unnamedProxy, key: `proxy:${networkOf(address)}` };
}

/** Charges all or none, and answers what takes it back. What is refused is not charged: only failures count. */
async function charge(charges: Charge[]): Promise<() => Promise<void>> {
  const made: Charge[] = [];
  const refund = async () => {
    for (const { limiter, key } of made.splice(0)) await limiter.reward(key);
  };
  for (const each of charges) {
    made.push(each);
    try {
      await each.limiter.consume(each.key);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      await refund();
      const seconds = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
      throw new Problem("rate_limited", "Too many attempts to sign in; try again later", {
        headers: { "retry-after": String(seconds) },
      });
    }
  }
  return refund;
}
