import type { LocalTime } from "./calendar.ts";
import { type Extent, extend, noExtent, outside } from "./extent.ts";
import { emptyTable, learnOffset, offsetIn, type SeasonTable, visitsIn } from "./seasons.ts";

/**
 * What is looked at in a series of many points a day: each number in itself, its change, its distance from what is
 * usual at the hour, and the mean and the spread of the last points, over several lengths. A view is a number for each
 * point, and knows how far that number has been.
 */
export const views = [
  { kind: "Value", of: 1, half: 0.05 },
  { kind: "Change", of: 2, half: 0.07 },
  { kind: "Hour", of: 1, half: 0.05 },
  { kind: "Mean", of: 6, half: 0.04 },
  { kind: "Mean", of: 12, half: 0.04 },
  { kind: "Mean", of: 48, half: 0.03 },
  { kind: "Mean", of: 144, half: 0.025 },
  { kind: "Mean", of: 288, half: 0.025 },
  { kind: "Spread", of: 24, half: 0.05 },
  { kind: "Spread", of: 96, half: 0.03 },
] as const satisfies {
  kind: string;
  /** How many of the last points it is made of. */
  of: number;
  /** So far outside, as a share of the extent, it counts half. */
  half: number;
}[];
export type View = (typeof views)[number];

/** A view says nothing before it has been looked at so often. */
export const minLooks = 100;
/** How often an hour must have been seen to be compared with. */
const minVisits = 2;
const longest = Math.max(...views.map(({ of }) => of));
/** How many of the last values views look at besides the next one, rising. */
const lengths = [...new Set(views.map(({ of }) => of - 1))]
  .filter((count) => count > 0)
  .sort((a, b) => a - b);
/** By view: which of these. */
const lengthOf = views.map(({ of }) => lengths.indexOf(of - 1));

export type Seen = {
  /** The last values, newest last. */
  recent: number[];
  hours: SeasonTable;
  /** By view. */
  extents: Extent[];
};

export const nothingSeen = (): Seen => ({
  recent: [],
  hours: emptyTable("hour"),
  extents: views.map(noExtent),
});

/** Views of the next point, for any value that it may have; null where too little is known. */
export type NextViews = (value: number) => (number | null)[];

/** One pass over the last values, so that each further value takes a few operations. */
export function nextViews({ recent, hours }: Seen, time: LocalTime): NextViews {
  const last = recent.at(-1) ?? 0;
  const offset = visitsIn(hours, time) < minVisits ? null : offsetIn(hours, time);
  /** By length, of the values that the next one joins: their mean, and the sum of squares around it. */
  const before: { mean: number; squares: number }[] = [];
  let [count, mean, squares] = [0, 0, 0];
  for (const length of lengths) {
    if (length > recent.length) break;
    while (count < length) {
      count += 1;
      const value = recent[recent.length - count] as number;
      const distance = value - mean;
      mean += distance / count;
      squares += distance * (value - mean);
    }
    before.push({ mean, squares });
  }
  return (value) =>
    views.map(({ kind, of }, place) => {
      if (kind === "Value") return value;
      if (kind === "Hour") return offset === null ? null : value - offset;
      const known = before[lengthOf[place] as number];
      if (!known) return null;
      if (kind === "Change") return value - last;
      const mean = known.mean + (value - known.mean) / of;
      return kind === "Mean" ? mean : Math.sqrt((known.squares + (value - known.mean) * (value - mean)) / of);
    });
}

/** How far a view is outside of where it has been, as a share of that; 0 if it is inside, or too little is known. */
export function outsideOf({ extents }: Seen, place: number, seen: number | null, noise: number): number {
  const [view, extent] = [views[place], extents[place]];
  if (seen === null || !view || !extent || extent.count < minLooks) return 0;
  return outside(extent, seen, noise / Math.sqrt(view.of));
}

/** Looks at the next point, whose views are given. */
export function look(seen: Seen, time: LocalTime, value: number, next: NextViews): void {
  for (const [place, number] of next(value).entries()) {
    const extent = seen.extents[place];
    if (extent && number !== null) extend(extent, number);
  }
  learnOffset(seen.hours, time, value);
  seen.recent.push(value);
  if (seen.recent.length > longest) seen.recent.shift();
}
