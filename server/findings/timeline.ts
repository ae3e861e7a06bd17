import type { ObservedColumn } from "../profile/observed-column.ts";
import type { Timeline } from "./candidate.ts";

const [hour, day] = [3_600_000, 86_400_000];
/** In milliseconds; months last as long as they do in the mean. */
const lengths = { Hour: hour, Day: day, Week: 7 * day, Month: 30.436875 * day } as const;

/** So many periods at most: a picture with more has no room for any of them. */
export const mostPeriods = 60;

export type Unit = Timeline["unit"];

/** How long a unit lasts, in milliseconds. */
export const lengthOf = (unit: Unit): number => lengths[unit];

/** The longer one of two. */
export const longerOf = (one: Unit, other: Unit): Unit => (lengths[one] >= lengths[other] ? one : other);

/** The smallest unit of which a time of so many milliseconds has few enough. */
export const unitFor = (milliseconds: number, most: number): Unit =>
  milliseconds <= most * hour ? "Hour" : milliseconds <= most * day ? "Day" : "Week";

/** The number of the period since 1970 that a moment is in; weeks begin on Thursday, as 1970 did. */
export function periodAt(moment: number, unit: Unit): number {
  if (unit !== "Month") return Math.floor(moment / lengths[unit]);
  const at = new Date(moment);
  return (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth();
}

/** When a period begins, by its number since 1970. */
export const startOf = (at: number, unit: Unit): number =>
  unit === "Month" ? Date.UTC(1970, at, 1) : at * lengths[unit];

/** How a moment is written: without a time where it is that of midnight, or of a whole day. */
export const momentText = (moment: number, withTime: boolean): string =>
  new Date(moment)
    .toISOString()
    .slice(0, withTime ? 16 : 10)
    .replace("T", " ");

/**
 * The rows of each period from one to another, both included; in the middle around the doubted ones where they are too
 * many. Pure.
 */
export function timelineOf(
  column: ObservedColumn,
  unit: Unit,
  { from, to, doubtedFrom, doubtedTo }: Record<"from" | "to" | "doubtedFrom" | "doubtedTo", number>,
  facts: (at: number) => { doubtedRows?: number; usual?: number; isInDoubt: boolean },
): Timeline {
  const counts = new Map<number, number>();
  for (const [index, moment] of column.moments?.entries() ?? []) {
    if (Number.isNaN(moment)) continue;
    const at = periodAt(moment, unit);
    counts.set(at, (counts.get(at) ?? 0) + (column.counts[index] ?? 0));
  }
  const beside = Math.max(0, Math.floor((mostPeriods - (doubtedTo - doubtedFrom + 1)) / 2));
  const end = Math.min(to, doubtedTo + beside);
  // Where nothing comes after the doubted ones, there is room for more before them.
  const first = Math.max(from, Math.min(doubtedFrom - beside, end - mostPeriods + 1));
  const last = Math.min(end, first + mostPeriods - 1);
  return {
    column: column.name,
    unit,
    periods: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
      start: momentText(startOf(first + index, unit), unit === "Hour"),
      rows: counts.get(first + index) ?? 0,
      ...facts(first + index),
    })),
  };
}
