import { RateLimiterDrizzle, type RateLimiterRes } from "rate-limiter-flexible";
import { db } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { networkOf } from "./network.ts";
import { rateLimits } from "./tables.ts";

/**
 * Limits failed sign-ins. Counted in the database, so that it applies across processes, and by network: an IPv6
 * subscriber has a whole /64.
 *
 * An attempt is charged before the password is checked, and refunded if it was right: only failures count, and
 * concurrent attempts cannot slip through together.
 *
 * Each account has its own limit per network, so that nobody elsewhere can lock its owner out. Guessing from many
 * networks hits the limit across networks; strangers can exhaust it, so it does not apply to networks from which the
 * account has signed in before. The same holds for the limit of a whole network: others behind the same address must
 * not lock out its regular users.
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
    // The clean-audit job deletes expired rows; the limiter's own timer would keep the process alive.
    clearExpiredByTimeout: false,
  });

/** Failures per account and network. */
const accountHere = limiterOf(10, 15 * minutes);
/** Failures per network, for all accounts. */
const network = limiterOf(100, 15 * minutes);
/** The same for a proxy that is not in TRUST_PROXY, and so for everyone behind it. */
const unnamedProxy = limiterOf(1000, 15 * minutes);
/** Failures per account across all networks from which it has never signed in. */
const accountAnywhere = limiterOf(30, hours);
/** Not a limit: the networks of an account, each remembered for 90 days after its last sign-in. */
const familiar = limiterOf(1, 90 * 24 * hours);

/** The origin of an attempt. */
export type Origin = {
  address: string;
  /**
   * The client address reported by an untrusted proxy. Anyone can forge it, so it only distinguishes users behind
   * such a proxy, in addition to the limits above.
   */
  claimedAddress?: string | undefined;
};

export type Attempt = {
  /** The password was right: refunds the attempt and remembers the network for the account. */
  succeed(): Promise<void>;
  /** The password was not checked: refunds the attempt. */
  withdraw(): Promise<void>;
};

type Charge = { limiter: RateLimiterDrizzle; key: string };

/** Charges a sign-in attempt. Throws rate_limited after too many failures. */
export const beginSignIn = (email: string, origin: Origin): Promise<Attempt> =>
  begin(`account:${email.toLowerCase()}`, origin);

/** Charges an attempt at the second factor, by the same limits with counts of their own. Throws rate_limited. */
export const beginFactor = (email: string, origin: Origin): Promise<Attempt> =>
  begin(`factor:${email.toLowerCase()}`, origin);

async function begin(account: string, origin: Origin): Promise<Attempt> {
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
      await remember(account, origin);
    },
  };
}

/** Clears the failures of an account here, and remembers the network for it: a sign-in is complete. */
export const rememberSignIn = (email: string, origin: Origin): Promise<void> =>
  remember(`account:${email.toLowerCase()}`, origin);

async function remember(account: string, origin: Origin): Promise<void> {
  const key = `${account}:${placeOf(origin)}`;
  await accountHere.delete(key);
  await familiar.set(`familiar:${key}`, 1, 90 * 24 * hours);
}

/** Charges a sign-in with a passkey, whose account is not known before it is verified. */
export async function beginPasskey(origin: Origin): Promise<Pick<Attempt, "withdraw">> {
  return { withdraw: await charge([networkCharge(origin)]) };
}

/** Charges a setup attempt, whose token can be guessed like a password. */
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

/**
 * Charges all limits or none, and returns a function that refunds them. Rejected attempts are not charged: only
 * failures count.
 */
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
      throw new Problem("rate_limited", "Too many sign-in attempts; try again later", {
        headers: { "retry-after": String(seconds) },
      });
    }
  }
  return refund;
}
