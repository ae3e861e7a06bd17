import type { ObservedTable } from "../../profile/observed-table.ts";
import { momentAfter, type Random, randomOf, tableOf } from "../corpus.fixture.ts";

/** Tables by when their rows come, made by chance from a seed. All begin on 2023-01-02, a Monday. */

const start = "2023-01-02";
const [hour, day] = [3600, 86_400];
const weekdayOf = (at: number) => new Date(Date.parse(`${start}T00:00:00Z`) + at * day * 1000).getUTCDay();
const isWorkday = (at: number) => weekdayOf(at) % 6 !== 0;
const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** The number of the day on which each month of so many begins, with the number of the next one. */
const months = (days: number): [from: number, next: number][] => {
  const begin = (month: number) => (Date.UTC(2023, month, 1) - Date.parse(`${start}T00:00:00Z`)) / day / 1000;
  return times(240, (month): [number, number] => [begin(month + 1), begin(month + 2)]).filter(
    ([, next]) => next <= days,
  );
};

/** In seconds since the start, of so many days. */
type Arrivals = (random: Random, days: number) => number[];

/** So many rows at once, some minutes apart. */
const load = (random: Random, at: number, rows: number) =>
  times(rows, () => Math.floor(at + random.next() * 600));

export const rhythms: Readonly<Record<string, Arrivals>> = {
  hourly: (random, days) => times(days * 24, (at) => load(random, at * hour, 1 + random.poisson(3))).flat(),
  daily: (random, days) =>
    times(days, (at) => load(random, at * day + 2 * hour, 5 + random.poisson(20))).flat(),
  "on workdays": (random, days) =>
    times(days, (at) =>
      isWorkday(at) ? load(random, at * day + 8 * hour, 3 + random.poisson(8)) : [],
    ).flat(),
  weekly: (random, days) =>
    times(Math.floor(days / 7), (week) => load(random, (week * 7 + 3) * day, 4 + random.poisson(6))).flat(),
  "on the 1st": (random, days) =>
    months(days).flatMap(([from]) => load(random, from * day + 4 * hour, 20 + random.poisson(9))),
  "on the last workday of a month": (random, days) =>
    months(days).flatMap(([from, next]) => {
      const last = times(next - from, (at) => next - 1 - at).find(isWorkday) ?? from;
      return load(random, last * day + 18 * hour, 12 + random.poisson(9));
    }),
  "over the first days of a month": (random, days) =>
    months(days).flatMap(([from]) =>
      times(4, (at) => load(random, (from + at) * day + 9 * hour, 3 + random.poisson(4))).flat(),
    ),
  "each fortnight, more or less": (random, days) =>
    times(Math.floor(days / 14), (at) =>
      load(random, (at * 14 + random.whole(0, 4)) * day, 6 + random.poisson(5)),
    ).flat(),
  "each quarter": (random, days) =>
    months(days)
      .filter((_, month) => month % 3 === 0)
      .flatMap(([from]) => load(random, from * day + 6 * hour, 15 + random.poisson(4))),
};

/** A table to which rows came until a day, since another, and at stray moments that someone mistyped. */
export function loadedTable(
  tableName: string,
  arrivals: Arrivals,
  seed: number,
  { days, column = "loaded_at", stray = [] }: { days: number; column?: string; stray?: readonly string[] },
): ObservedTable {
  const random = randomOf(seed);
  const came = arrivals(random, days)
    .toSorted((a, b) => a - b)
    .map((at) => momentAfter(start, at));
  const moments = [...came, ...stray];
  return tableOf(tableName, {
    id: ["integer", moments.map((_, row) => row + 1)],
    [column]: ["time", moments],
    amount: ["decimal", moments.map(() => (random.next() * 90).toFixed(2))],
  });
}

/** What ends for good, pauses, comes by chance, or is yet to come. Each says how far the clock is ahead of its last row. */
export const quiet: Readonly<
  Record<string, { arrivals: Arrivals; days: number; now: number; column?: string }>
> = {
  "a campaign of some weeks that is over": {
    arrivals: (random, days) =>
      times(days, (at) => load(random, at * day + 9 * hour, 10 + random.poisson(30))).flat(),
    ...{ days: 70, now: 90 },
  },
  "a campaign that ebbed away": {
    arrivals: (random, days) =>
      times(days, (at) =>
        times(random.poisson(60 * Math.exp(-at / 60)), () => (at + random.next()) * day),
      ).flat(),
    ...{ days: 260, now: 330 },
  },
  "an archive of some years ago": {
    arrivals: (random, days) => times(days, (at) => load(random, at * day, 1 + random.poisson(2))).flat(),
    ...{ days: 700, now: 1200 },
  },
  "each winter": {
    arrivals: (random, days) =>
      times(days, (at) => (at % 365 < 120 ? load(random, at * day, 3 + random.poisson(6)) : [])).flat(),
    // In June, after the third winter.
    ...{ days: 365 * 2 + 120, now: 365 * 2 + 160 },
  },
  "events at random": {
    arrivals: (random, days) => {
      const found: number[] = [];
      for (let at = 0; at < days * day; at += -Math.log(1 - random.next()) * 11 * day)
        found.push(Math.floor(at));
      return found;
    },
    ...{ days: 900, now: 960 },
  },
  "events in bursts": {
    arrivals: (random, days) => {
      const found: number[] = [];
      for (let at = 0; at < days * day; at += Math.exp(1.6 * random.normal()) * 5 * day)
        found.push(...load(random, Math.floor(at), 1 + random.poisson(3)));
      return found;
    },
    ...{ days: 900, now: 980 },
  },
  "what was entered once": {
    arrivals: (random) => [...load(random, 0, 180), ...load(random, 40 * day, 5)],
    ...{ days: 60, now: 800 },
  },
  "shifts that are planned ahead, the next of them after a break": {
    arrivals: (random, days) =>
      times(days, (at) =>
        isWorkday(at) && (at < 500 || at > 530)
          ? load(random, at * day + 6 * hour, 4 + random.poisson(2))
          : [],
      ).flat(),
    ...{ days: 600, now: 520, column: "starts_at" },
  },
  "statistics by the month that come six weeks later": {
    arrivals: (random, days) => months(days).flatMap(([from]) => load(random, from * day, 20)),
    ...{ days: 1000, now: 1065, column: "month" },
  },
  "a daily table over Christmas": {
    arrivals: (random, days) =>
      times(days, (at) =>
        isWorkday(at) ? load(random, at * day + 8 * hour, 9 + random.poisson(3)) : [],
      ).flat(),
    // From 22 December 2023 to 2 January 2024.
    ...{ days: 355, now: 365 },
  },
};

/** So many days after the start, in milliseconds since 1970. */
export const momentOfDay = (days: number): number => Date.parse(`${start}T00:00:00Z`) + days * day * 1000;
