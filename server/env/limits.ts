import { z } from "zod";
import { perMinute } from "./values.ts";

/** How much may be asked of a process, and for how long it remembers an answer. */
export const limitSettings = {
  STATISTICS_CACHE_S: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(30)
    .describe("Seconds for which Control Tower's statistics are cached. 0 turns the cache off."),
  RATE_LIMIT_PRINCIPAL: perMinute(60_000).describe(
    "Requests per minute that a user or key may make to each process, or off for no limit.",
  ),
  RATE_LIMIT_ADDRESS: perMinute(60_000).describe(
    "Unauthenticated requests per minute that an address may make to each process, or off for no limit.",
  ),
  RATE_LIMIT_REFUSED: perMinute(6_000).describe(
    "Requests per minute with an invalid key or JWT that an address may make to each process, or off for no limit.",
  ),
};
