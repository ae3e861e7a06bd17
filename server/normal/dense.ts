import type { LocalTime } from "./calendar.ts";
import { noExtent } from "./extent.ts";
import { type Direction, type Judging, standardWidth } from "./judging.ts";
import { type NumberKind, scales } from "./scale.ts";
import {
  look,
  minLooks,
  type NextViews,
  nextViews,
  nothingSeen,
  outsideOf,
  type Seen,
  type View,
  views,
} from "./views.ts";

/**
 * Judges series of many points a day, of which a range of single values says little: neighbors are alike, and each hour has
 * enough points to be compared with itself.
 *
 * A point is a surprise if several views of the last points go further than they ever did (views.ts). Each counts up to
 * one, by how far. Surprises teach: a level or a rhythm that is new is told once, and is known from then on. After an
 * alarm only something far stronger is another one, and the more often a series surprises, the less it does.
 */
export type Dense = {
  seen: Seen;
  /** How many alarms there were, fading. */
  alarms: number;
  latest: Alarm | null;
};
type Alarm = {
  /** How many points ago it was. */
  ago: number;
  surprise: number;
  /** What was usual when it began, if it was about the value. Values that stay outside are the same incident. */
  held: { low: number; high: number } | null;
  /** How much of the limit it was. */
  share: number;
};

/** A surprise is an alarm from half a view on. */
const limit = 0.5;
/** Each alarm raises the limit by so much of it, and is forgotten after about so many points. */
const habit = { rise: 0.4, fading: 3000 };
/** For so many points, only what is so many times stronger is another alarm. */
const rest = { points: 100, factor: 3 };
/** An incident lasts at most so many points: then its values are the new level. */
const incident = 12;
/** How many of the last points say where the series is. */
const near = 12;
/** How many spreads of noise that the kind of number always has are no surprise. */
const noiseSpreads = 3;

/**
 * Whether the last points say more than a range for each: where there are several in each hour, and where there is one in
 * each hour of a number that wanders, such as a temperature or a price, rather than follows the clock.
 */
export const isDense = (step: number | null, points: number, isWandering: () => boolean): boolean =>
  step !== null &&
  ((step <= manyStepMs && points > minLooks) ||
    (step <= hourlyStepMs && points > hourlyPoints && isWandering()));
const manyStepMs = 30 * 60_000;
const hourlyStepMs = 75 * 60_000;
/** Two weeks: before that, no week is known. */
const hourlyPoints = 14 * 24;

export const nothingDense = (): Dense => ({ seen: nothingSeen(), alarms: 0, latest: null });

/** What is surprising about a value, if it were the next. */
export type Surprise = {
  /** How much of the limit: from 1 on, it is an alarm by the standard width. */
  share: number;
  /** Whether the values are higher or lower than they were. */
  side: 1 | -1;
  /** The view that says the most, and whether it is higher or lower; null if none says anything. */
  most: { view: View; side: 1 | -1 } | null;
};

/** Judges any value that the next point may have. */
export function surprises(
  dense: Dense,
  kind: NumberKind,
  time: LocalTime,
  direction: Direction,
): (value: number) => Surprise {
  const next = nextViews(dense.seen, time);
  const noise = noiseOf(dense, kind);
  const limit = limitNow(dense);
  const held = dense.latest && dense.latest.ago < incident ? dense.latest : null;
  return (value) => {
    const { sum, ...what } = sumOf(dense, next, value, noise, direction);
    const side = sideOf(value, held?.held ?? null);
    // Still the incident that began.
    const isHeld = held !== null && side !== null && (direction === "Both" || direction === side);
    return { share: Math.max(isHeld ? held.share : 0, sum / limit), ...what };
  };
}

const sideOf = (value: number, range: Alarm["held"]): Direction | null =>
  range === null ? null : value > range.high ? "Above" : value < range.low ? "Below" : null;

function sumOf({ seen }: Dense, next: NextViews, value: number, noise: number, direction: Direction) {
  const found: { sum: number } & Omit<Surprise, "share"> = { sum: 0, side: 1, most: null };
  let [greatest, signed] = [0, 0];
  for (const [place, number] of next(value).entries()) {
    const view = views[place];
    const by = outsideOf(seen, place, number, noise);
    if (!view || by === 0) continue;
    // A spread is on neither side.
    if (direction !== "Both" && (view.kind === "Spread" || by > 0 !== (direction === "Above"))) continue;
    const counts = Math.abs(by) / (Math.abs(by) + view.half);
    const side = by > 0 ? 1 : -1;
    found.sum += counts;
    if (view.kind !== "Spread") signed += side * counts;
    if (counts <= greatest) continue;
    greatest = counts;
    found.most = { view, side };
  }
  if (signed < 0) found.side = -1;
  return found;
}

function limitNow({ alarms, latest }: Dense): number {
  const usual = limit * (1 + habit.rise * alarms);
  return latest && latest.ago < rest.points ? Math.max(usual, rest.factor * latest.surprise) : usual;
}

function noiseOf(dense: Dense, kind: NumberKind): number {
  const { to, from, floor } = scales[kind];
  const scaled = to(levelOf(dense));
  return noiseSpreads * (from(scaled + floor(scaled)) - from(scaled));
}

/** Where the series is. */
const levelOf = ({ seen: { recent } }: Dense): number => {
  const last = recent.slice(-near);
  return last.reduce((sum, each) => sum + each, 0) / Math.max(1, last.length);
};

export function learnDense(dense: Dense, kind: NumberKind, time: LocalTime, value: number): void {
  const { latest } = dense;
  if (latest) {
    latest.ago += 1;
    if (sideOf(value, latest.held) === null) latest.held = null;
  }
  dense.alarms *= Math.exp(-1 / habit.fading);
  const limit = limitNow(dense);
  const next = nextViews(dense.seen, time);
  const { sum } = sumOf(dense, next, value, noiseOf(dense, kind), "Both");
  if (sum > limit) {
    const range = denseRange(dense, kind, time, { width: standardWidth, direction: "Both" });
    const held = latest?.held ?? (sideOf(value, range) === null ? null : range);
    dense.latest = { ago: 0, surprise: sum, share: sum / limit, held };
    dense.alarms += 1;
  }
  look(dense.seen, time, value, next);
}

/** After a strong alarm hardly anything is another one; the range shown is the one for a limit of so many views. */
const mostShown = 6;
/** How far a range is looked for from where the series is, in breadths of what has been. */
const farthest = 10;

/**
 * The values that would be no alarm, if they were the next. Where any would be one, because the last points are unlike
 * those before, it is where the series has been. Both ends are finite for `Both`.
 */
export function denseRange(
  dense: Dense,
  kind: NumberKind,
  time: LocalTime,
  { width, direction }: Judging,
): { low: number; high: number; center: number } {
  const judged = surprises(dense, kind, time, direction);
  const factor = Math.max(1, limitNow(dense) / mostShown);
  const isUsual = (value: number) => judged(value).share * factor * standardWidth <= width;
  const level = levelOf(dense);
  const center = [level, dense.seen.recent.at(-1) ?? 0].find(isUsual);
  const { low, high } = dense.seen.extents[0] ?? noExtent();
  const reach = farthest * Math.max(high - low, noiseOf(dense, kind), 1e-9 + 0.01 * Math.abs(level));
  const edgeTowards = (end: number, otherwise: number) =>
    center === undefined ? otherwise : edge(center, center + end, isUsual);
  return {
    center: center ?? level,
    low: direction === "Above" ? Number.NEGATIVE_INFINITY : edgeTowards(-reach, low),
    high: direction === "Below" ? Number.POSITIVE_INFINITY : edgeTowards(reach, high),
  };
}

/** The last usual value on the way from one that is to one that is not. */
function edge(from: number, to: number, isUsual: (value: number) => boolean): number {
  let [inside, outside] = [from, to];
  for (let n = 0; n < 40; n++) {
    const middle = (inside + outside) / 2;
    if (isUsual(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
