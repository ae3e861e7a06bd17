import { countedOn, countersOf } from "./counter.ts";
import { placeholderOf } from "./placeholders.ts";
import { collapsed, exactShapeOf } from "./shape.ts";

/** The shapes that nearly all texts of a column have. Pure. */

export type UsualShapes = {
  /** With lengths, without them, or letters and digits alike (`x`). */
  level: "exact" | "collapsed" | "mixed";
  shapes: readonly string[];
  /** The values of other shapes. */
  against: number[];
  /** How many different values have one of the usual shapes. */
  holding: number;
};

const least = { values: 20, ofShape: 3, shareOfShape: 0.02, arranged: 3, lengths: 2 };
/** So much of the different values must have a usual shape, and of a sample before all are looked at. */
const covering = { all: 0.97, sample: 0.9, alone: 0.98 };
const sampled = 500;
/** So many different values, over so much of the column, are written in a way of their own. */
const ownWay = { values: 50, spread: 0.8 };
/** Of fewer values than `least`, so many must be frequent; those as rare as this, beside the frequent ones, are doubted. */
const few = { frequent: 5, rows: 20, share: 0.05 };

const levels = [
  { level: "exact", most: 4, of: (exact: string) => exact },
  { level: "collapsed", most: 4, of: collapsed },
  { level: "mixed", most: 2, of: (exact: string) => exact.replace(/[9Aa]/g, "x") },
] as const;
type Level = (typeof levels)[number];

/** The strictest level at which a few shapes cover nearly all of the different values; null for words and free text. */
export function usualShapesOf(values: readonly string[], counts: Int32Array): UsualShapes | null {
  const indexes = [...values.keys()].filter((index) => {
    const value = values[index] ?? "";
    return value.trim() !== "" && placeholderOf(value) === null;
  });
  if (indexes.length < least.values) return shapeOfFew(values, counts, indexes);
  const known = new Map<number, string>();
  const exactOf = (index: number): string => {
    const shape = known.get(index) ?? exactShapeOf((values[index] ?? "").slice(0, 200));
    known.set(index, shape);
    return shape;
  };
  const sorted = indexes.map((index) => counts[index] ?? 0).toSorted((a, b) => a - b);
  const most = 3 * (sorted[sorted.length >> 1] ?? 0);
  // Where values repeat, a mistake is one of few values and of many rows.
  const weightOf = (index: number) => Math.min(counts[index] ?? 0, most);
  const step = Math.max(1, Math.floor(indexes.length / sampled));
  const sample = indexes.filter((_, position) => position % step === 0);
  for (const level of levels) {
    if (step > 1 && !covers(level, sample, { exactOf, weightOf }, covering.sample)) continue;
    const usual = covers(level, indexes, { exactOf, weightOf }, covering.all);
    if (!usual) continue;
    const shapes = [...usual.keys()];
    if (!shapes.every((shape) => isCode(shape, level.level))) return null;
    if (level.level === "mixed" && !haveDigits(indexes.map(exactOf))) return null;
    const members = [...usual.values()].flat();
    const isFrequent = (index: number) => (counts[index] ?? 0) > Math.max(5, most);
    const isCounted = level.level === "exact" ? countedIn(shapes) : () => false;
    const isArranged = level.level === "exact" ? arrangedAs(shapes) : () => false;
    const against = withoutWaysOfTheirOwn(
      rareOf({ values, indexes, usual: members }, exactOf, isFrequent).filter(
        (index) => !isCounted(exactOf(index)) && !isArranged(exactOf(index)),
      ),
      exactOf,
      values,
    );
    return { level: level.level, shapes, against, holding: members.length };
  }
  return null;
}

/**
 * A handful of codes that many rows have, such as those of twelve machines: where all are written digit for digit in the
 * same way, that holds for what hardly any row has, too.
 */
function shapeOfFew(
  values: readonly string[],
  counts: Int32Array,
  indexes: readonly number[],
): UsualShapes | null {
  const rowsOf = (index: number) => counts[index] ?? 0;
  const most = Math.max(0, ...indexes.map(rowsOf));
  const frequent = indexes.filter((index) => rowsOf(index) > most * few.share);
  const exactOf = (index: number) => exactShapeOf((values[index] ?? "").slice(0, 200));
  const [shape = "", ...others] = new Set(frequent.map(exactOf));
  const isCommon = frequent.length >= few.frequent && frequent.every((index) => rowsOf(index) >= few.rows);
  if (!isCommon || others.length > 0 || !/9/.test(shape) || /a/.test(shape)) return null;
  const usual = indexes.filter((index) => exactOf(index) === shape);
  const against = rareOf({ values, indexes, usual }, exactOf, () => false);
  return { level: "exact", shapes: [shape], against, holding: usual.length };
}

type Of<T> = (index: number) => T;

/** The few shapes that so much of the values have, with these; null where there are none. */
function covers(
  { of, most }: Level,
  indexes: readonly number[],
  { exactOf, weightOf }: { exactOf: Of<string>; weightOf: Of<number> },
  share: number,
): Map<string, number[]> | null {
  const weigh = (some: readonly number[]) => some.reduce((sum, index) => sum + weightOf(index), 0);
  const all = weigh(indexes);
  const byShape = [...Map.groupBy(indexes, (index) => of(exactOf(index)))]
    .map(([shape, members]) => ({ shape, members, weight: weigh(members) }))
    .toSorted((a, b) => b.weight - a.weight);
  // One shape that nearly all have needs no others beside it.
  const isAlone = (byShape[0]?.weight ?? 0) >= all * covering.alone;
  const usual = byShape.filter(
    ({ members, weight }, position) =>
      position === 0 || (!isAlone && members.length >= least.ofShape && weight >= all * least.shareOfShape),
  );
  const holding = usual.reduce((sum, { weight }) => sum + weight, 0);
  const rest = indexes.length - usual.reduce((sum, { members }) => sum + members.length, 0);
  if (usual.length > most || (usual[0]?.members.length ?? 0) < least.ofShape) return null;
  if (holding < all * (rest > 1 ? share : covering.sample)) return null;
  return new Map(usual.map(({ shape, members }) => [shape, members]));
}

/**
 * Without the values that so many others are written like, from the first that was read to the last: that is another way of
 * writing, however small its share. A load that writes otherwise is in one place, unless all were read in their own order.
 */
function withoutWaysOfTheirOwn(
  against: readonly number[],
  exactOf: Of<string>,
  values: readonly string[],
): number[] {
  const spread = isInOrder(values) ? 0 : values.length * ownWay.spread;
  const lookOf = (index: number) => collapsed(exactOf(index));
  const byLook = Map.groupBy(against, lookOf);
  return against.filter((index) => {
    const alike = byLook.get(lookOf(index)) ?? [];
    const [first = 0, last = 0] = [alike[0], alike.at(-1)];
    return alike.length < ownWay.values || last - first < spread;
  });
}

/** Whether nearly every value comes after the one before it in the alphabet. */
function isInOrder(values: readonly string[]): boolean {
  let rising = 0;
  for (let index = 1; index < values.length; index++)
    if ((values[index] ?? "") > (values[index - 1] ?? "")) rising++;
  return rising >= (values.length - 1) * covering.all;
}

/**
 * Where `+9 laps` and `+9.999` are usual, and `+99.999` is, too, numbers have one digit or two, and `+99 laps` is no other way
 * of writing. Whether a shape is a usual one but for that.
 */
function countedIn(shapes: readonly string[]): (shape: string) => boolean {
  const looseOf = (shape: string) => shape.replace(/(?<!9)99?(?!9)/g, "9");
  const usual = new Set(shapes.map(looseOf));
  return (shape) => usual.size < shapes.length && /[^9]/.test(shape) && usual.has(looseOf(shape));
}

/**
 * Where digits and capitals stand in any order, as in `04G`, `1G4`, and `ABC`, another order is no other way of writing.
 * Whether a shape is as long as the usual ones, of which so many differ in that alone.
 */
function arrangedAs(shapes: readonly string[]): (shape: string) => boolean {
  const [length = 0] = shapes.map((shape) => shape.length);
  const isAny =
    shapes.length >= least.arranged &&
    shapes.every((shape) => shape.length === length && /^[9A]+$/.test(shape));
  return (shape) => isAny && shape.length === length && /^[9A]+$/.test(shape);
}

/**
 * The other lengths in which several values have the look of a shape. Where there are two of them, any length will do: where
 * `V1254` and `V125` are codes, so is `V12`, and where `N1234A` and `N123AB` are, so is `N123A`.
 */
function lengthsOfLook(shapes: readonly string[]): (shape: string) => number[] {
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const several = [...counts].filter(([, count]) => count >= least.ofShape).map(([shape]) => shape);
  const byLook = Map.groupBy(several, collapsed);
  return (shape) =>
    (byLook.get(collapsed(shape)) ?? []).filter((other) => other !== shape).map(({ length }) => length);
}

/** Words are no codes: what is written in small letters, or begins with a capital, says more than its shape. */
function isCode(shape: string, level: Level["level"]): boolean {
  if (level === "mixed") return !shape.includes(" ") && shape.length >= 5;
  if (level === "exact") return /9/.test(shape) || (/^[A-Z\W_]+$/.test(shape) && !shape.includes(" "));
  return /9/.test(shape) && (shape.match(/aA|Aa|a/g) ?? []).length <= 1;
}

const haveDigits = (shapes: readonly string[]) =>
  shapes.filter((shape) => shape.includes("9")).length > shapes.length * 0.5;

/**
 * The values of no usual shape, without those that only count on, and without those that many rows have: these are codes
 * of their own, unless a digit is all they have more or less.
 */
function rareOf(
  {
    values,
    indexes,
    usual,
  }: { values: readonly string[]; indexes: readonly number[]; usual: readonly number[] },
  exactOf: Of<string>,
  isFrequent: Of<boolean>,
): number[] {
  const isUsual = new Set(usual);
  const others = indexes.filter((index) => !isUsual.has(index));
  if (others.length === 0) return [];
  const shaped = (index: number) => [collapsed(exactOf(index)), values[index] ?? ""] as const;
  const counters = countersOf(usual.map(shaped));
  const onward = countedOn(counters, others.map(shaped));
  // Where amounts have fractions or none, so have ranges of them: `0.2-0.5` beside `1-2`.
  const looks = new Set(usual.map((index) => collapsed(exactOf(index))));
  const haveFractions = looks.has("9") && looks.has("9.9");
  const lookOf = (index: number) => {
    const look = collapsed(exactOf(index));
    return haveFractions ? look.replaceAll("9.9", "9") : look;
  };
  const hasOnlyFractions = (index: number) => haveFractions && looks.has(lookOf(index));
  // Where many are `+1 lap` down, somebody is `+17 laps` down.
  const ownLooks = new Set(others.filter((index) => isFrequent(index)).map(lookOf));
  const isOfOwnLook = (look: string) => look.includes("9") && ownLooks.has(look);
  const otherLengths = lengthsOfLook(indexes.map(exactOf));
  return others.filter((index) => {
    const look = lookOf(index);
    if (hasOnlyFractions(index)) return false;
    const lengths = otherLengths(exactOf(index));
    const isOfFreeLength = lengths.length >= least.lengths;
    // What counts on, and goes far beyond, has more digits, and not fewer.
    const isShorter = isOfFreeLength && lengths.some((length) => length > exactOf(index).length);
    if (counters.has(look)) return !onward.has(values[index] ?? "") && !isShorter;
    const isMeant = isOfOwnLook(look) || onward.has(values[index] ?? "") || isOfFreeLength;
    return !isMeant && !isFrequent(index);
  });
}
