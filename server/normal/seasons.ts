import type { LocalTime } from "./calendar.ts";

/** What a series may repeat with. */
export type Season = keyof LocalTime;

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
  const at = time[season];
  return medians[at] ?? (at === key && count > 0 ? sum / count : 0);
}

/** How often this hour, weekday… has been seen before. */
export const visitsIn = ({ season, past }: SeasonTable, time: LocalTime): number =>
  past[time[season]]?.length ?? 0;

export function learnOffset(table: SeasonTable, time: LocalTime, offset: number): void {
  const at = time[table.season];
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
  const sorted = values.length > few ? values.toSorted((a, b) => a - b) : sortedFew(values);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** So few values are sorted by insertion in a third of the time, and tables ask at each visit. */
const few = 16;

function sortedFew(values: readonly number[]): number[] {
  const sorted: number[] = [];
  for (const value of values) {
    let place = sorted.length;
    while (place > 0 && (sorted[place - 1] as number) > value) {
      sorted[place] = sorted[place - 1] as number;
      place -= 1;
    }
    sorted[place] = value;
  }
  return sorted;
}
