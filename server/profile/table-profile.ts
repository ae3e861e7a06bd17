import type { ColumnFacts } from "./observed-column.ts";

/** What a table's figures say about it, computed by the data source without reading its rows here. */

export type ColumnProfile = ColumnFacts & {
  /** How many rows have one. */
  values: number;
  /** How many are different; only of integers, texts and UUIDs. */
  different: number | null;
  /** Of numbers, exactly. */
  least: string | null;
  greatest: string | null;
  /** Of dates and times: the newest one, and its age by the data source's clock. */
  newest: string | null;
  ageSeconds: number | null;
  /** Of texts, in characters. */
  shortest: number | null;
  longest: number | null;
  /** Some of its texts. */
  samples: readonly string[];
  /** Of dates and times, where that was asked for and read: when rows came lately by this column. */
  arrivals?: Arrivals | null;
};

export type TableProfile = {
  rows: number;
  /** Whether these are all rows of the table; else they are some of them. */
  isWhole: boolean;
  /** Of the whole table, where that was asked for; null where counting them took too long. */
  totalRows?: number | null;
  columns: readonly ColumnProfile[];
};

/**
 * When rows have come lately, by the hours of a column of dates or times: what is fresh for a table is a matter of
 * its rhythm, which one look at the newest row does not tell. Nights and weekends without rows are part of it.
 */
export type Arrivals = {
  /** How many hours of the window have rows. */
  hours: number;
  /** The longest time from one such hour to the next, in hours; null with fewer than two. */
  longestGapHours: number | null;
  /** The fewest rows of an hour that has some, but for the first and the last, which are not whole; null likewise. */
  fewestRows: number | null;
  /** From the first such hour to the last. */
  spanHours: number;
  /** How long ago the newest row is that is not in the future, in whole hours. */
  latestHoursAgo: number;
};
