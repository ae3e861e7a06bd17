import type { ObservedColumn } from "../profile/observed-column.ts";
import { momentsOfDateNumbers } from "./dates-as-numbers.ts";

/** The measurable values of a column in order, with how many rows lie up to each. */
export type Spread = {
  /** Indexes of the column's values, from the least to the greatest. */
  order: readonly number[];
  /** The values themselves, in that order. */
  measures: Float64Array;
  /** How many rows have that value or a lesser one. */
  upTo: Int32Array;
  rows: number;
  /** The index of the value in the middle, in the column and in `order`. */
  median: number;
  middle: number;
  /** The magnitude in the middle, whatever the sign; zeros are left out. */
  magnitude: number;
  areWhole: boolean;
  isMoment: boolean;
};

/** Where the bulk of the values ends, and the outliers begin. */
export type Gap = {
  /** Where in `order`: of what lies above, the first outlier; of what lies below, the first of the bulk. */
  from: number;
  /** How wide the gap is beside the distance from the middle to the end of the bulk. */
  ratio: number;
  isImpossible: boolean;
  /** The bulk is of one sign, and the outliers are of the other. */
  changesSign: boolean;
  /** How wide the gap is beside what is to be expected from how the tail thins out; 1 is as wide as that. */
  beyondTail: number;
  /** Where the sign changes: how many of the outliers have the magnitude of the bulk, as by a slip of the sign. */
  likeBulk: number;
  /** The end of the bulk, and the outlier nearest to it. */
  end: number;
  nearest: number;
};

/** At most such a share of the rows is outside, and always so many may be. */
const most = { share: 0.02, rows: 3 };
/**
 * With gaps narrower than this even a heavy tail ends by chance, in about one of a hundred columns: the greatest of n
 * exponential numbers lies about ln(n) means out, and the gap before it is wider than x means with a chance of e^-x.
 */
const leastRatio = (rows: number) => Math.max(0.6, 5 / Math.log(rows));

/** null for columns of texts. */
export function spreadOf(column: ObservedColumn): Spread | null {
  // From 20231231 to 20240101 is a day, and no gap.
  const days = column.numbers && momentsOfDateNumbers(column.numbers);
  const measured = days ?? column.numbers ?? column.moments;
  if (!measured) return null;
  const order = [...measured.keys()]
    .filter((index) => Number.isFinite(measured[index]))
    .sort((a, b) => (measured[a] ?? 0) - (measured[b] ?? 0));
  let rows = 0;
  const upTo = Int32Array.from(order, (index) => {
    rows += column.counts[index] ?? 0;
    return rows;
  });
  const middle = Math.max(
    0,
    upTo.findIndex((count) => count * 2 >= rows),
  );
  const measures = Float64Array.from(order, (index) => measured[index] ?? 0);
  return {
    order,
    measures,
    upTo,
    rows,
    median: order[middle] ?? -1,
    middle,
    magnitude: middleMagnitude(measures, upTo),
    areWhole: measures.every(Number.isInteger),
    isMoment: days !== null || column.numbers === null,
  };
}

function middleMagnitude(measures: Float64Array, upTo: Int32Array): number {
  const sorted = [...measures.keys()]
    .filter((index) => measures[index] !== 0)
    .sort((a, b) => Math.abs(measures[a] ?? 0) - Math.abs(measures[b] ?? 0));
  const rowsAt = (index: number) => (upTo[index] ?? 0) - (upTo[index - 1] ?? 0);
  const rows = sorted.reduce((sum, index) => sum + rowsAt(index), 0);
  let count = 0;
  for (const index of sorted) {
    count += rowsAt(index);
    if (count * 2 >= rows) return Math.abs(measures[index] ?? 0);
  }
  return 0;
}

/** The widest gap above the middle, where it is wide; or where `max` ends what is possible. */
export function gapAbove(spread: Spread, max?: number | undefined): Gap | null {
  return gapIn(spread, max);
}

/** The same below the middle: the mirror image of the other. */
export function gapBelow(spread: Spread, min?: number | undefined): Gap | null {
  const { order, measures, upTo, rows } = spread;
  const mirrored: Spread = {
    ...spread,
    order: order.toReversed(),
    measures: measures.map((value) => -value).reverse(),
    upTo: upTo.map((_, index) => rows - (index === 0 ? 0 : (upTo[index - 1] ?? 0))).reverse(),
    middle: order.length - 1 - spread.middle,
  };
  const gap = gapIn(mirrored, min === undefined ? undefined : -min, true);
  return gap && { ...gap, from: order.length - gap.from, end: -gap.end, nearest: -gap.nearest };
}

function gapIn(spread: Spread, limit: number | undefined, isMirrored = false): Gap | null {
  const { measures, upTo, rows, middle } = spread;
  const outside = Math.max(most.rows, Math.floor(rows * most.share));
  let best: Omit<Gap, "beyondTail" | "likeBulk"> | null = null;
  for (let from = measures.length - 1; from > middle; from--) {
    const [end = 0, nearest = 0] = [measures[from - 1], measures[from]];
    if (rows - (upTo[from - 1] ?? 0) > outside) break;
    const goesOn = isUsualStep(spread, from);
    const isImpossible = limit !== undefined && nearest > limit && end <= limit && !goesOn;
    const changesSign =
      !spread.isMoment && isMirrored && nearest > 0 && end <= 0 && isOfOneSign(spread, from);
    const ratio = goesOn ? 0 : ratioAt(spread, from, isMirrored);
    if (ratio < leastRatio(rows) && !isImpossible && !changesSign) continue;
    const isBetter =
      best === null ||
      weight(isImpossible, changesSign, ratio) > weight(best.isImpossible, best.changesSign, best.ratio);
    if (isBetter) best = { from, ratio, isImpossible, changesSign, end, nearest };
  }
  return (
    best && {
      ...best,
      beyondTail: beyondTail(spread, best.from, isMirrored),
      likeBulk: best.changesSign ? likeBulk(spread, best.from) : 0,
    }
  );
}

/** So often a step has been as wide before. */
const usualSteps = 3;

/** Days of one kind, as the ends of terms are, go on in the same steps: one more is not apart. */
function isUsualStep({ measures, isMoment }: Spread, from: number): boolean {
  if (!isMoment) return false;
  const stepTo = (at: number) => (measures[at] ?? 0) - (measures[at - 1] ?? 0);
  const least = stepTo(from) * 0.9;
  let steps = 0;
  for (let at = 1; at < from && steps < usualSteps; at++) if (stepTo(at) >= least) steps++;
  return steps >= usualSteps;
}

/**
 * Tails thin out evenly: of a plain or a logarithmic scale the gaps between the outermost values are exponential, with
 * the mean excess of the tail divided by the number of rows beyond (Rényi). A gap is as surprising as the less surprised
 * of both scales says, except towards zero, where only the logarithm shows what is too small.
 */
function beyondTail(spread: Spread, from: number, isMirrored: boolean): number {
  const { measures, upTo, rows, isMoment, areWhole } = spread;
  const [end = 0, nearest = 0] = [measures[from - 1], measures[from]];
  const beyond = rows - (upTo[from - 1] ?? 0);
  const surprise = (scale: (value: number) => number) => {
    const mean = meanExcess(spread, from, scale);
    return mean > 0 ? ((scale(nearest) - scale(end)) * beyond) / mean : Number.POSITIVE_INFINITY;
  };
  const plain = surprise((value) => value);
  if (isMoment) return plain;
  if (!isMirrored)
    return end > 0
      ? Math.min(
          plain,
          surprise((value) => Math.log(Math.max(value, 1e-9))),
        )
      : plain;
  return nearest >= -spread.magnitude * dust || areWhole
    ? plain
    : Math.max(
        plain,
        surprise((value) => -Math.log(-value)),
      );
}

/** How far the outer tenth of the bulk lies beyond where it begins, on average; of the outer half where that is one value. */
function meanExcess({ measures, upTo }: Spread, from: number, scale: (value: number) => number): number {
  const bulk = upTo[from - 1] ?? 0;
  for (const inner of [0.9, 0.5]) {
    const start = upTo.findIndex((count) => count >= bulk * inner);
    let [sum, count] = [0, 0];
    for (let at = start + 1; at < from; at++) {
      const rowsHere = (upTo[at] ?? 0) - (upTo[at - 1] ?? 0);
      sum += (scale(measures[at] ?? 0) - scale(measures[start] ?? 0)) * rowsHere;
      count += rowsHere;
    }
    if (sum > 0) return sum / count;
  }
  return 0;
}

/** In the mirror image the bulk is negative, and the outliers are positive. */
function likeBulk({ measures, upTo, rows }: Spread, from: number): number {
  const bulk = upTo[from - 1] ?? 0;
  const quarter = -(measures[upTo.findIndex((count) => count >= bulk * 0.75)] ?? 0);
  const first = measures.findIndex((value, at) => at >= from && value >= quarter);
  return first < 0 ? 0 : (rows - (upTo[first - 1] ?? 0)) / (rows - bulk);
}

const weight = (isImpossible: boolean, changesSign: boolean, ratio: number) =>
  (isImpossible ? 100 : 0) + (changesSign ? 10 : 0) + Math.min(9, ratio);

/**
 * What is positive by nature, as prices and counts are: it comes near zero, and ends there as at an edge or is skewed to
 * the right. What runs through zero, as temperatures do, thins out towards it. In the mirror image all is negative.
 */
function isOfOneSign({ measures, upTo, middle, areWhole }: Spread, from: number): boolean {
  const bulk = upTo[from - 1] ?? 0;
  const at = (share: number) => -(measures[upTo.findIndex((count) => count >= bulk * share)] ?? 0);
  const [high, median, low, lowest] = [at(0.1), -(measures[middle] ?? 0), at(0.9), at(1)];
  // Counts begin with one, also where there are hardly more than two of anything.
  const isCounted = areWhole && lowest >= 0 && lowest <= 1;
  if (lowest > high * 0.15 && !isCounted) return false;
  const isSkewed = high - median > 1.2 * (median - low);
  const edge = measures.findIndex((measure) => -measure <= lowest + (high - lowest) * 0.1);
  const atEdge = bulk - (edge > 0 ? (upTo[edge - 1] ?? 0) : 0);
  return isSkewed || atEdge > bulk * 0.05;
}

/**
 * The gap beside the distance from the middle to the end of the bulk; for positive numbers on whichever of the two
 * scales, plain or logarithmic, it is less surprising. Downwards only the logarithm shows what is too small.
 */
function ratioAt(
  { measures, middle, magnitude, areWhole, isMoment }: Spread,
  from: number,
  isMirrored: boolean,
): number {
  const [center = 0, end = 0, nearest = 0] = [measures[middle], measures[from - 1], measures[from]];
  const plain = relative(nearest - end, end - center);
  if (isMoment) return plain;
  const [least = 0] = measures;
  if (least < 0 && end > 0) {
    // Bookings both ways: large ones are as large on either side, and there are few of them.
    const largest = Math.max(end, -least);
    return Math.min(plain, relative(Math.log(Math.abs(nearest) / largest), Math.log(largest / magnitude)));
  }
  if (!isMirrored) {
    // Where most are 0, the others have a scale of their own.
    if (center <= 0)
      return least < 0 || end <= 0
        ? plain
        : Math.min(plain, relative(Math.log(nearest / end), Math.log(end / magnitude)));
    return Math.min(plain, relative(Math.log(nearest / end), Math.log(end / center)));
  }
  // Mirrored: -nearest < -end < -center. What sums of fractions leave instead of nothing is nothing.
  if (nearest >= -magnitude * dust) return plain;
  // Prices from 10 to 500 have no fourth decade, but what runs over many decades has no least value, and the least of
  // whole numbers is near.
  if (areWhole || center / end >= 1000) return plain;
  return Math.max(plain, relative(Math.log(end / nearest), Math.log(center / end)));
}

/** So much of what is usual is what rounding leaves. */
const dust = 1e-9;

/** A bulk of one value has no width. */
const relative = (gap: number, width: number) => (width > 0 ? gap / width : 0);
