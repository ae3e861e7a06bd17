const bars = "▁▂▃▄▅▆▇█";

/**
 * Numbers as a line of bars, oldest first; a gap (`·`) where there was none. Bars start at 0 unless `from` says
 * otherwise, so that a small change looks small. Empty if there are fewer than two numbers. Pure.
 */
export function sparkline(values: readonly (number | null)[], from = 0): string {
  const known = values.flatMap((value) => (isKnown(value) ? [value] : []));
  if (known.length < 2) return "";
  const low = Math.min(from, ...known);
  const span = Math.max(...known) - low;
  return values
    .map((value) => {
      if (!isKnown(value)) return "·";
      const place = span === 0 ? 0 : (value - low) / span;
      return bars[Math.round(place * (bars.length - 1))];
    })
    .join("");
}

const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value);
