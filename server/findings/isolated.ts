/** Whether a number that may stand for nothing lies apart from the others, or is one of them. Pure. */

export type Measured = { value: number; rows: number };

/**
 * How far apart from the rest a value lies, from 0 (among them) to 1. Apart is further from the nearest other value
 * than the most extreme ones of the same side lie from each other, and beyond the width of the bulk: heavy tails have
 * such gaps too, and count less. `sorted` are the other values, in order.
 */
export function apartness(value: number, sorted: readonly Measured[]): number {
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || sorted.length < 5) return 0;
  const isAbove = value > last.value;
  if (!isAbove && value >= first.value) return 0;
  const edge = isAbove ? last.value : first.value;
  const few = Math.min(sorted.length - 1, Math.max(5, Math.floor(sorted.length * 0.02)));
  const inner = (isAbove ? sorted[sorted.length - 1 - few] : sorted[few])?.value ?? edge;
  const gap = Math.abs(value - edge);
  // The outermost values' own spread, and the width of all.
  const [tail, width] = [Math.abs(edge - inner), last.value - first.value];
  if (gap <= tail * 2 || width === 0) return 0;
  return Math.min(1, Math.log2(1 + gap / width) / 2);
}

/** How many times more rows a value has than those around it: what stands out among neighbors is not one of them. */
export function spikeOf(at: number, sorted: readonly Measured[]): number {
  const around = [
    ...sorted.slice(Math.max(0, at - 10), at),
    ...sorted.slice(at + 1, at + 11),
    ...wholeBeside(at, sorted),
  ];
  if (around.length < 5) return 0;
  const most = Math.max(...around.map(({ rows }) => rows));
  return (sorted[at]?.rows ?? 0) / most;
}

/** Many people write whole numbers where fractions are possible: these stand out beside fractions, but not beside others. */
function wholeBeside(at: number, sorted: readonly Measured[]): Measured[] {
  const isWhole = ({ value }: Measured) => Number.isInteger(value);
  const own = sorted[at];
  if (!own || !isWhole(own)) return [];
  return [
    ...sorted.slice(0, at).filter(isWhole).slice(-3),
    ...sorted
      .slice(at + 1)
      .filter(isWhole)
      .slice(0, 3),
  ];
}

/** Prices like to end in nines, so that rows of nines mean nothing among them. */
export function likeNines(sorted: readonly Measured[]): boolean {
  const ends = sorted.filter(({ value }) => /9(\.9+)?$/.test(String(Math.abs(value)))).length;
  return sorted.length >= 20 && ends > sorted.length * 0.25;
}
