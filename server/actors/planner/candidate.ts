import type { Check, Table } from "./check.ts";

/** A check that could be proposed, and what speaks for it. */
export type Candidate = {
  check: Check;
  table: Table;
  /** By which those of one table, and of all, are chosen from. */
  score: number;
  /** What was seen in the data, in one sentence without its full stop. */
  seen: string;
  /** What a row of its answer means, in one sentence. */
  meaning: string;
  /** Of Freshness: whether rows come often enough to be looked at every hour. */
  isFrequent?: boolean;
};
