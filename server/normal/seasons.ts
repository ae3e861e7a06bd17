import type { LocalTime } from "./calendar.ts";

/** What a series may repeat with. */
export const seasons = ["hour", "weekday", "hourOfWeek", "monthDay"] as const;
export type Season = (typeof seasons)[number];

const keyOf: Record<Season, (time: LocalTime) => number> = {
  hour: ({ hour }) => hour,
  weekday: ({ weekday }) => weekday,
  hourOfWeek: ({ weekday, hour }) => weekday * 24 + hour,
  monthDay: ({ monthDay }) => monthDay,
};

/** How many visits of an hour, a weekday… are remembered: one incident in five does not move their median. */
const visits = 5;

/**
 * How far a series usually is from its level at each hour, weekday…: the median of the last visits. All points of one
 * visit, such as those of one Monday, count as one.
 */
export type SeasonTable = {
  season: Season;
  /** By key: the mean of each of the last visits. */
  past: Record<number, number[]>;
  /** By key: their median, which is asked for at each point, and changes with each visit. */
  medians: Record<number, number>;
  /** The visit that is going on. */
  key: number;
  sum: number;
  count: number;
};

export const emptyTable = (season: Season): SeasonTable => ({
  ...{ season, past: {}, medians: {} },
  ...{ key: -1, sum: 0, count: 0 },
});

export function offsetIn({ season, medians, key, sum, count }: SeasonTable, time: LocalTime): number {
  const at = keyOf[season](time);
  return medians[at] ?? (at === key && count > 0 ? sum / count : 0);
}

/** How often this hour, weekday… has been seen before. */
export const visitsIn = ({ season, past }: SeasonTable, time: LocalTime): number =>
  past[keyOf[season](time)]?.length ?? 0;

export function learnOffset(table: SeasonTable, time: LocalTime, offset: number): void {
  const at = keyOf[table.season](time);
  if (at !== table.key) {
    endVisit(table);
    table.key = at;
  }
  table.sum += offset;
  table.count += 1;
}

/** After a step of the level, the visit that is going on is measured from the new one. */
export function moveVisit(table: SeasonTable, by: number): void {
  table.sum -= by * table.count;
}

function endVisit(table: SeasonTable): void {
  if (table.count > 0) {
    const past = table.past[table.key] ?? [];
    past.push(table.sum / table.count);
    if (past.length > visits) past.shift();
    table.past[table.key] = past;
    table.medians[table.key] = medianOf(past);
  }
  table.sum = 0;
  table.count = 0;
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
