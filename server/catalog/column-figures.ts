import { shapeOf } from "../findings/shape.ts";
import { containsEmail, maskRows, sensitivityOf } from "../masking.ts";
import type { ObservedColumn } from "../profile/observed-column.ts";
import { shortened } from "../text.ts";
import type { ColumnFigures } from "./schema.ts";

/** How much of a column is shown. */
const most = { common: 10, rare: 5, shapes: 6, bars: 20, characters: 100 };
/** A value with at most this share of the rows is rare in a column whose values repeat. */
const rareShare = 0.02;
/** A column of this share of different values is one of names or keys: none of its values is common, or rare. */
const repeating = 0.5;
/** Beyond this many times the distance from the 1st to the 99th percentile, the outermost rows get no bars. */
const tail = 5;

/**
 * What a column's values are like: how many are missing and different, which are common and rare, how numbers and
 * times are spread, and how texts are written. Of columns with personal data or secrets only the counts and shapes are
 * told, without any value. Of the rows that were read. Pure.
 */
export function figuresOf(column: ObservedColumn): ColumnFigures {
  const { name, type, nulls, values, counts } = column;
  const sensitivity = sensitivityOf(name);
  const isMasked = sensitivity !== null || values.some(containsEmail);
  const shown = isMasked ? null : { ...valuesOf(column), ...spreadOf(column) };
  return {
    name,
    type,
    nulls,
    blanks: column.kind === "text" ? rowsWhere(column, (value) => value.trim() === "") : 0,
    different: values.length,
    mostRows: counts.reduce((max, rows) => Math.max(max, rows), 0),
    isMasked,
    common: shown?.common ?? [],
    rare: shown?.rare ?? [],
    range: shown?.range ?? null,
    histogram: shown?.histogram ?? null,
    shapes: column.kind === "text" && sensitivity !== "secret" ? shapesOf(column, isMasked) : [],
  };
}

function rowsWhere({ values, counts }: ObservedColumn, holds: (value: string) => boolean): number {
  return values.reduce((sum, value, index) => sum + (holds(value) ? (counts[index] ?? 0) : 0), 0);
}

function valuesOf({ name, values, counts, rows, nulls }: ObservedColumn) {
  const filled = rows.length - nulls;
  if (values.length > filled * repeating && values.length > most.common) return { common: [], rare: [] };
  const counted = values
    .map((value, index) => ({ value, rows: counts[index] ?? 0 }))
    .sort((a, b) => b.rows - a.rows || (a.value < b.value ? -1 : 1));
  const isRare = (each: { rows: number }) => each.rows <= filled * rareShare;
  const masked = (each: { value: string; rows: number }) => ({
    ...each,
    value: maskedValue(name, each.value),
  });
  return {
    common: counted
      .filter((each) => !isRare(each))
      .slice(0, most.common)
      .map(masked),
    rare: counted.filter(isRare).reverse().slice(0, most.rare).map(masked),
  };
}

/** Card numbers and the like are masked wherever they stand. */
function maskedValue(name: string, value: string): string {
  const masked = String(maskRows({ columns: [{ name }], rows: [[value]] }).rows[0]?.[0] ?? "");
  return shortened(masked, most.characters);
}

/** Numbers and times from the least to the greatest. Texts that are nearly all numbers count as numbers. */
function spreadOf({ name, kind, values, counts, numbers, moments }: ObservedColumn) {
  const places = moments ?? numbers;
  if (!places) return { range: null, histogram: null };
  const sorted = [...places.keys()]
    .filter((index) => Number.isFinite(places[index]))
    .sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    .map((index) => ({ at: places[index] ?? 0, rows: counts[index] ?? 0, value: values[index] ?? "" }));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return { range: null, histogram: null };
  const total = sorted.reduce((sum, { rows }) => sum + rows, 0);
  const quantile = quantileOf(sorted, total);
  const value = (each: { value: string }) => maskedValue(name, each.value);
  const of: "number" | "moment" = moments ? "moment" : "number";
  return {
    range: { least: value(first), median: value(quantile(0.5)), greatest: value(last) },
    histogram: { of, ...barsOf(sorted, quantile, kind === "integer") },
  };
}

type Placed = { at: number; rows: number; value: string };

function quantileOf(sorted: readonly Placed[], total: number): (share: number) => Placed {
  return (share) => {
    let before = 0;
    const found = sorted.find(({ rows }) => {
      before += rows;
      return before >= total * share;
    });
    return found ?? (sorted.at(-1) as Placed);
  };
}

/** Bars of the same width; what lies far beyond the others is counted apart, so that it does not flatten them. */
function barsOf(sorted: readonly Placed[], quantile: (share: number) => Placed, isInteger: boolean) {
  const [least, greatest] = [sorted[0]?.at ?? 0, sorted.at(-1)?.at ?? 0];
  const [low, high] = [quantile(0.01).at, quantile(0.99).at];
  const isTailed = high > low && greatest - least > (high - low) * tail;
  const [from, to] = isTailed ? [low, high] : [least, greatest];
  const isCounted = isInteger && to - from < most.bars;
  const count = from === to ? 1 : isCounted ? to - from + 1 : most.bars;
  // An integer's bar is around it; otherwise the greatest value belongs to the last bar.
  const start = isCounted ? from - 0.5 : from;
  const width = isCounted ? 1 : (to - from) / count;
  const bars = Array.from({ length: count }, (_, index) => ({
    from: isCounted ? from + index : start + index * width,
    to: isCounted ? from + index : start + (index + 1) * width,
    rows: 0,
  }));
  let [below, above] = [0, 0];
  for (const { at, rows } of sorted) {
    if (at < from) below += rows;
    else if (at > to) above += rows;
    else {
      const bar = bars[width === 0 ? 0 : Math.min(count - 1, Math.floor((at - start) / width))];
      if (bar) bar.rows += rows;
    }
  }
  return { bars, below, above };
}

function shapesOf({ name, values, counts }: ObservedColumn, isMasked: boolean): ColumnFigures["shapes"] {
  const shapes = new Map<string, { rows: number; example: string }>();
  for (const [index, value] of values.entries()) {
    const shape = shapeOf(value);
    const known = shapes.get(shape);
    if (known) known.rows += counts[index] ?? 0;
    else shapes.set(shape, { rows: counts[index] ?? 0, example: value });
  }
  return [...shapes]
    .sort(([a, { rows: aRows }], [b, { rows: bRows }]) => bRows - aRows || (a < b ? -1 : 1))
    .slice(0, most.shapes)
    .map(([shape, { rows, example }]) => ({
      shape: shortened(shape, most.characters),
      rows,
      example: isMasked ? null : maskedValue(name, example),
    }));
}
