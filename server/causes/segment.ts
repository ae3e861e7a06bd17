/**
 * Some rows of a table that are told apart by one or two of its columns. A cause is a segment which failing rows are in
 * far more often than others.
 */
export type Segment = { parts: readonly Part[] };

export type Part =
  | { column: string; is: "Value"; value: string }
  | { column: string; is: "Missing" }
  /** Both ends belong to it: moments in ISO 8601 (UTC), or whole numbers of a key. null: from the first, or to the last. */
  | { column: string; is: "Between"; from: string | null; to: string | null };

/** How many rows a segment has, and how many of all. */
export type SegmentCounts = {
  failing: number;
  rows: number;
  allFailing: number;
  allRows: number;
};
