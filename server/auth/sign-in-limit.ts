import { RateLimiterDrizzle, type RateLimiterRes } from "rate-limiter-flexible";
import { db } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { rateLimits } from "./tables.ts";

const quarterHour = 15 * 60;

/** Failed sign-ins that one account sees from one address, and that one address makes in all. */
const limits = [
  { points: 10, key: (email: string, address: string) => `account:${email.toLowerCase()}:${address}` },
  { points: 100, key: (_email: string, address: string) => `address:${address}` },
].map(({ points, key }) => ({
  key,
  limiter: new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix: "sign-in",
    points,
    duration: quarterHour,
    clearExpiredByTimeout: false,
  }),
}));

/** Counts an attempt before the password is looked at; throws rate_limited when there were too many. */
export async function countSignIn(email: string, address: string): Promise<void> {
  for (const { limiter, key } of limits) {
    try {
      await limiter.consume(key(email, address));
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      const seconds = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
      throw new Problem("rate_limited", "Too many attempts to sign in; try again later", {
        headers: { "retry-after": String(seconds) },
      });
    }
  }
}

/** A success clears the account's count; the address's own only ages, or one account would open the way to all. */
export async function forgetSignIns(email: string, address: string): Promise<void> {
  await limits[0]?.limiter.delete(limits[0].key(email, address));
}
