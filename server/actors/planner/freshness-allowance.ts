import type { ColumnProfile } from "../../profile/table-profile.ts";
import { wordsOf } from "./name-words.ts";
import { duration } from "./plain-text.ts";

/**
 * How old the newest row of a table may become. What is usual is read from when rows came in the last weeks, nights
 * and weekends included, with half as much again; without that, from how old the newest is now.
 */
export type Allowance = {
  maxAgeMinutes: number;
  /** The newest row, in minutes before now. */
  ageMinutes: number;
  /** How it usually goes, in words. */
  rhythm: string;
  /** It is far beyond what is usual: no more rows seem to arrive. */
  hasStopped: boolean;
};

const hour = 60;
const day = 24 * hour;

/** In minutes: an hour, a few hours, days. */
const ladder = [60, 120, 360, 720, 1440, 2880, 4320, 5760, 10_080, 20_160, 43_200, 64_800];
const onLadder = (minutes: number) => ladder.find((step) => step >= minutes) ?? null;

/** A time of day without its zone may lie ahead by as much. */
const maxOffsetMinutes = 14 * hour;
/** Without a rhythm to go by, older than this is no data that still comes. */
const maxAge = 14 * day;

/** null where no data comes by this column. */
export function allowanceFor(column: ColumnProfile): Allowance | null {
  const age = ageInMinutes(column);
  if (age === null) return null;
  const isDate = column.kind === "date";
  const { arrivals } = column;
  if (arrivals === null) return null;
  const gap = arrivals?.longestGapHours ?? null;
  if (!arrivals || gap === null) {
    if (age > maxAge) return null;
    const maxAgeMinutes = onLadder(Math.max(age * 2, isDate ? 2 * day : day, arrivals ? 7 * day : 0));
    const rhythm = arrivals
      ? "all rows of the last weeks came at one time"
      : "when rows usually come is not known";
    return maxAgeMinutes === null ? null : { maxAgeMinutes, ageMinutes: age, rhythm, hasStopped: false };
  }
  const usual = usualAge(gap, arrivals.spanHours, arrivals.fewestRows) + (isDate ? day : 0);
  const rhythm =
    gap <= 1
      ? `rows came in every hour of the last ${duration((arrivals.spanHours + 1) * hour)}`
      : `the longest time without a new row in the last ${duration(Math.max(arrivals.spanHours, gap) * hour)} was ${duration(gap * hour)}`;
  const told = { ageMinutes: age, rhythm };
  if (age <= usual) return { ...told, maxAgeMinutes: onLadder(usual) ?? usual, hasStopped: false };
  // What came at night, with times of the day before, is as old as this every day.
  if (age <= 2 * day)
    return {
      ...told,
      maxAgeMinutes: onLadder(Math.max(usual, 2 * age, 2 * day)) ?? usual,
      hasStopped: false,
    };
  return { ...told, maxAgeMinutes: onLadder(Math.max(usual, day)) ?? usual, hasStopped: true };
}

function usualAge(gapHours: number, spanHours: number, fewestRows: number | null): number {
  // One night, and one weekend, have to be in it before it is believed that there are none.
  if (gapHours <= 1) return spanHours < 24 ? day : (fewestRows ?? 0) >= 4 ? hour : 2 * hour;
  const longest = gapHours * hour * 1.5;
  return spanHours < 8 * 24 ? Math.max(longest, 3 * day) : longest;
}

function ageInMinutes({ newest, ageSeconds, arrivals }: ColumnProfile): number | null {
  if (newest === null || ageSeconds === null) return null;
  const minutes = ageSeconds / 60;
  if (minutes >= 0) return minutes;
  // One date in the future does not say that others did not come; dates that are all ahead are no trace of rows.
  if (arrivals) return arrivals.latestHoursAgo * hour;
  return minutes > -maxOffsetMinutes ? 0 : null;
}

const byRank: readonly [RegExp, number][] = [
  [/^(loaded|ingested|inserted|synced|imported|extracted|received|arrived|recorded)$/, 6],
  [/^(created|logged|placed|ordered|posted|registered|sent|occurred|event|captured)$/, 5],
  [/^(updated|modified|changed|refreshed|seen)$/, 4],
  [/^(at|timestamp|ts|time|datetime)$/, 2],
];
/** Of what is planned, or of a life: these lie anywhere. */
const planned =
  /^(due|expir\w*|valid|until|end|ends|planned|scheduled|deadline|birth\w*|dob|born|effective|renewal|delivery|release|released|start|starts|deleted|cancelled|canceled|archived)$/;

/** How much a column looks like the time at which its row came; 0 for what does not. */
export function arrivalRank({ name, kind }: ColumnProfile): number {
  const words = wordsOf(name);
  if (kind !== "date" && kind !== "time") return 0;
  const named = Math.max(
    1,
    ...byRank.flatMap(([pattern, rank]) => (words.some((word) => pattern.test(word)) ? [rank] : [])),
  );
  const isPlanned = words.some((word) => planned.test(word));
  return (isPlanned && named < 4 ? 0.2 : named) + (kind === "time" ? 0.5 : 0);
}
