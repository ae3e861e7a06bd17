import type { Rhythm } from "./rhythm.ts";

/** A table that no rows come into any more, with what tells so. */
export type Stopped = Missed & {
  /** From the newest row to the reference, and from the first row to the newest, in milliseconds. */
  silence: number;
  life: number;
  /** Tables loaded alike that went on, and all that it used to follow. */
  alive: number;
  followed: number;
  /** Whether it is late by the clock, too. */
  isLate: boolean;
  /** Whether nothing but its own rhythm tells. */
  isAlone: boolean;
};

export type Missed = {
  /** Loads that this table did not follow since its newest row, and most of them in a row before. */
  missed: number;
  before: number;
  /** How many of those before it did follow, from 0 to 1. */
  follows: number;
  /** Until when, in milliseconds since 1970. */
  reference: number;
};

/** What was missed since, measured by what was missed before. */
export const ofBefore = ({ missed, before }: Missed): number => missed / (before + 1);

/** When rows came into a table, as far as it is needed to say that none come any more. */
export type Known = Pick<Rhythm, "column" | "isNamed" | "unit" | "first" | "newest" | "longestGap">;
