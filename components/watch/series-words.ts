import { type MeasureName, measures } from "@/server/watch/measures.ts";
import type { WatchSeries } from "@/server/watch/schema.ts";

/** What a series is of: "New rows in a day", "email: share of NULL". */
export function seriesWords({ columnName, measure }: Pick<WatchSeries, "columnName" | "measure">): string {
  const { words } = measures[measure];
  return columnName === null ? words : `${columnName}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** The same of one of a column's, below its name: "share of NULL". */
export const measureWords = (measure: MeasureName): string => measures[measure].words;

export const figureOf = (measure: MeasureName, value: number): string => measures[measure].figure(value);

/** Whether its latest value is unusual. */
export const isUnusualNow = ({ points }: WatchSeries): boolean => points.at(-1)?.isUnusual ?? false;
