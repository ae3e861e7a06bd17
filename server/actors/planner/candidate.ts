import type { Check, Table } from "./check.ts";

/** A check that could be proposed, with the reasons for it. */
export type Candidate = {
  check: Check;
  table: Table;
  /** Ranks the candidates of one table, and of all tables. */
  score: number;
  /** The observation in the data, as a sentence without its period. */
  seen: string;
  /** What a row of the result means, as a sentence. */
  meaning: string;
  /** For Freshness: whether rows arrive often enough to check hourly. */
  isFrequent?: boolean;
};
