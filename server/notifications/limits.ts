import { failingDays } from "./delivery-kinds.ts";

/** Timeouts of a delivery in milliseconds. Tests shorten them. */
export const limits = {
  /** One attempt, including DNS and the response. */
  attemptMs: 15_000,
  /** For so long, a job sends a receiver's messages one after the other. */
  turnMs: 1_000,
  /** The same as attemptMs, while a user waits for the outcome. */
  testMs: 12_000,
  /** The lease of an attempt: twice its timeout. */
  leaseMs: 30_000,
  /** How long an attachment is kept, because a delivery can be retried by hand. */
  attachmentMs: failingDays * 24 * 3_600_000,
};
