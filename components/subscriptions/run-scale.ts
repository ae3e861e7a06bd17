/** The scale of a chart of row counts. Pure. */

/**
 * The top of the scale and its labelled lines: 0, the half and a round number no lower than everything drawn.
 * Counts are whole, so a top of 1 has no half.
 */
export function countScale(values: readonly (number | null)[], threshold: number | null): number[] {
  const highest = Math.max(1, threshold ?? 0, ...values.map((value) => value ?? 0));
  const unit = 10 ** Math.floor(Math.log10(highest));
  const top = [1, 2, 4, 6, 8, 10].map((factor) => factor * unit).find((each) => each >= highest) ?? highest;
  return top === 1 ? [0, 1] : [0, top / 2, top];
}

/** The path of a line through points, with gaps where there is no value. A lone point draws nothing. */
export function linePath(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, index) => {
      if (value === null) return "";
      const begins = index === 0 || values[index - 1] === null;
      return `${begins ? "M" : "L"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join("");
}

/**
 * The labelled lines of a scale of any numbers, negative ones and decimals included: multiples of a round step, from
 * one at or below the lowest value to one at or above the highest; two to five of them.
 */
export function valueScale(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null);
  const lowest = known.length === 0 ? 0 : Math.min(...known);
  const highest = known.length === 0 ? 1 : Math.max(...known);
  const span = highest - lowest || Math.abs(highest) || 1;
  const unit = 10 ** Math.floor(Math.log10(span));
  const step = ([0.5, 1, 2.5, 5].find((factor) => factor * unit >= span / 3) ?? 5) * unit;
  const from = Math.floor(lowest / step);
  const to = Math.max(Math.ceil(highest / step), from + 1);
  // Each is a multiple by itself: adding steps up would add up what binary fractions leave over.
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}
