import type { ColumnFacts } from "./observed-column.ts";

/** A table's figures, computed by the data source without reading its rows here. */

/** A value as text, and the number of rows with it. */
export type ListedValue = { value: string; rows: number };

export type ColumnProfile = ColumnFacts & {
  /** The number of rows with a value. */
  values: number;
  /** The number of distinct values; only for integers, texts, and UUIDs. */
  different: number | null;
  /** For numbers: the exact minimum. */
  least: string | null;
  greatest: string | null;
  /** For dates and times: the newest one, and its age by the data source's clock. */
  newest: string | null;
  ageSeconds: number | null;
  /** For texts: the minimum length, in characters. */
  shortest: number | null;
  longest: number | null;
  /** Some of its texts. */
  samples: readonly string[];
  /** If requested, and there are few: all of its values in the whole table, most frequent first. */
  listed?: readonly ListedValue[];
  /** For dates and times, if requested and read: when rows recently arrived, by this column. */
  arrivals?: Arrivals | null;
};

export type TableProfile = {
  rows: number;
  /** Whether these figures cover all of the table's rows, or only some. */
  isWhole: boolean;
  /** The row count of the whole table, if requested; null if counting took too long. */
  totalRows?: number | null;
  columns: readonly ColumnProfile[];
};

/**
 * When rows recently arrived, by the hours in a column of dates or times: what counts as fresh depends on a table's
 * rhythm, which a single look at the newest row does not show. Nights and weekends without rows are part of it.
 */
export type Arrivals = {
  /** The number of hours in the window with rows. */
  hours: number;
  /** The longest gap between two such hours, in hours; null if there are fewer than two. */
  longestGapHours: number | null;
  /**
   * The minimum number of rows in an hour with rows, except the first and the last, which are partial; null likewise.
   */
  fewestRows: number | null;
  /** From the first such hour to the last. */
  spanHours: number;
  /** The age of the newest row that is not in the future, in whole hours. */
  latestHoursAgo: number;
};
