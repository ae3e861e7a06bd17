import type { ColumnProfile } from "../../profile/table-profile.ts";
import { wordsOf } from "./name-words.ts";
import { duration } from "./plain-text.ts";

/**
 * The maximum age of a table's newest row. Derived from when rows arrived in the last weeks, nights and weekends
 * included, plus half; without that, from the current age of the newest.
 */
export type Allowance = {
  maxAgeMinutes: number;
  /** The age of the newest row, in minutes. */
  ageMinutes: number;
  /** The usual rhythm, in words. */
  rhythm: string;
  /** Far outside the usual: rows seem to have stopped arriving. */
  hasStopped: boolean;
};

const hour = 60;
const day = 24 * hour;

/** In minutes: an hour, a few hours, days. */
const ladder = [60, 120, 360, 720, 1440, 2880, 4320, 5760, 10_080, 20_160, 43_200, 64_800];
const onLadder = (minutes: number) => ladder.find((step) => step >= minutes) ?? null;

/** A time of day without a zone may be ahead by this much. */
const maxOffsetMinutes = 14 * hour;
/** Without a known rhythm, data older than this counts as no longer arriving. */
const maxAge = 14 * day;

/** null if no data arrives by this column. */
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
  // The previous day's times, loaded at night, are this old every day.
  if (age <= 2 * day)
    return {
      ...told,
      maxAgeMinutes: onLadder(Math.max(usual, 2 * age, 2 * day)) ?? usual,
      hasStopped: false,
    };
  return { ...told, maxAgeMinutes: onLadder(Math.max(usual, day)) ?? usual, hasStopped: true };
}

function usualAge(gapHours: number, spanHours: number, fewestRows: number | null): number {
  // The period must include a night and a weekend before it is assumed that there are no gaps.
  if (gapHours <= 1) return spanHours < 24 ? day : (fewestRows ?? 0) >= 4 ? hour : 2 * hour;
  const longest = gapHours * hour * 1.5;
  return spanHours < 8 * 24 ? Math.max(longest, 3 * day) : longest;
}

function ageInMinutes({ newest, ageSeconds, arrivals }: ColumnProfile): number | null {
  if (newest === null || ageSeconds === null) return null;
  const minutes = ageSeconds / 60;
  if (minutes >= 0) return minutes;
  // A single future date does not mean that others did not arrive; dates that are all in the future say nothing about
  // arrival.
  if (arrivals) return arrivals.latestHoursAgo * hour;
  return minutes > -maxOffsetMinutes ? 0 : null;
}

const byRank: readonly [RegExp, number][] = [
  [/^(loaded|ingested|inserted|synced|imported|extracted|received|arrived|recorded)$/, 6],
  [/^(created|logged|placed|ordered|posted|registered|sent|occurred|event|captured)$/, 5],
  [/^(updated|modified|changed|refreshed|seen)$/, 4],
  [/^(at|timestamp|ts|time|datetime)$/, 2],
];
/** Planned times and biographical dates: they can be anywhere. */
const planned =
  /^(due|expir\w*|valid|until|end|ends|planned|scheduled|deadline|birth\w*|dob|born|effective|renewal|delivery|release|released|start|starts|deleted|cancelled|canceled|archived)$/;

/** How likely the column is the time at which its row arrived; 0 if it is not. */
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
