/** A bound that separates what is usual from what is not, short enough to be read. Pure. */

/**
 * A number between the end of the bulk and the nearest outlier, on either side: the shortest one close to the bulk. It is
 * the end itself only where nothing shorter lies between.
 */
export function numberBetween(end: number, nearest: number): string {
  if (nearest < end) return negated(numberBetween(-end, -nearest));
  if (end < 0 && nearest > 0) return "0";
  const half = end + (nearest - end) / 2;
  for (let digits = 1; digits < 15; digits++) {
    const rounded = roundedUp(end, digits);
    if (rounded <= half) return plain(rounded);
  }
  return plain(half);
}

/** A moment between them as ISO 8601, at midnight where there is one: for columns of days, the last usual one. */
export function momentBetween(end: number, nearest: number): string {
  const half = end + (nearest - end) / 2;
  const dayMs = 24 * 3_600_000;
  const midnight = (nearest > end ? Math.ceil(end / dayMs) : Math.floor(end / dayMs)) * dayMs;
  const isBetween = nearest > end ? midnight <= half : midnight >= half;
  return isBetween ? isoOf(midnight).slice(0, 10) : isoOf(Math.round(half / 1000) * 1000).slice(0, 19);
}

const isoOf = (moment: number) => new Date(moment).toISOString();

function roundedUp(value: number, digits: number): number {
  if (value === 0) return 0;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  return Math.ceil(value / unit) * unit;
}

/** In full digits, without what binary numbers add at the end. */
function plain(value: number): string {
  return Number(value.toPrecision(14)).toLocaleString("en", {
    useGrouping: false,
    maximumFractionDigits: 20,
  });
}

const negated = (text: string) => (text === "0" ? text : text.startsWith("-") ? text.slice(1) : `-${text}`);
