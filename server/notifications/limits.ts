import { failingDays } from "./schema.ts";

/** How long the parts of a delivery may take, in milliseconds. Tests shorten them. */
export const limits = {
  /** One attempt, from the first look at the network to the last answer. */
  attemptMs: 15_000,
  /** The same for a person who waits for the outcome. */
  testMs: 12_000,
  /** For how long a process is believed to be at an attempt: twice as long as one may take. */
  leaseMs: 30_000,
  /** How long an attachment is kept: a delivery may be sent again by hand. */
  attachmentMs: failingDays * 24 * 3_600_000,
};
