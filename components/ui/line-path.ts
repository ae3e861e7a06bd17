/** The SVG path of a line through points, with gaps for missing values. A single point draws nothing. */
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
