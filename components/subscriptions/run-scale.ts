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
