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
  if (values.length === 0) return 0;
  const sorted = values.length > few.length ? values.toSorted((a, b) => a - b) : sortedFew(values);
  const middle = values.length >> 1;
  const upper = sorted[middle] as number;
  return values.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** So few values are sorted here, by insertion: tables ask at each visit, and a sorted copy takes three times as long. */
const few = new Float64Array(16);

function sortedFew(values: readonly number[]): Float64Array {
  for (let n = 0; n < values.length; n++) {
    const value = values[n] as number;
    let place = n;
    for (; place > 0 && (few[place - 1] as number) > value; place--) few[place] = few[place - 1] as number;
    few[place] = value;
  }
  return few;
}
