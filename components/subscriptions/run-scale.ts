/** The scale of a chart of row counts. Pure. */

/**
 * The top of the scale and its labeled lines: 0, the middle, and a round number at or above everything drawn.
 * Counts are integers, so a top of 1 has no middle.
 */
export function countScale(values: readonly (number | null)[], threshold: number | null): number[] {
  const highest = Math.max(1, threshold ?? 0, ...values.map((value) => value ?? 0));
  const unit = 10 ** Math.floor(Math.log10(highest));
  const top = [1, 2, 4, 6, 8, 10].map((factor) => factor * unit).find((each) => each >= highest) ?? highest;
  return top === 1 ? [0, 1] : [0, top / 2, top];
}

/**
 * The labeled lines for any numbers, including negatives and decimals: two to five multiples of a round step, from
 * at or below the lowest value to at or above the highest.
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
  // Each is computed on its own: adding up steps would accumulate rounding errors.
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}
