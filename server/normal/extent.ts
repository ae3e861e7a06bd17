/**
 * How far a number has been, so that going further is a surprise. The extent shrinks slowly towards the middle: what was
 * once, long ago, is forgotten.
 */
export type Extent = { count: number; low: number; high: number; middle: number };

/** After about so many points an extent has shrunk to a third. */
const memory = 10_000;
/** The middle follows faster. */
const middleMemory = 1000;

export const noExtent = (): Extent => ({ count: 0, low: 0, high: 0, middle: 0 });

/**
 * How far outside a number is, as a share of the extent: negative below, 0 inside. What is within `noise` of an end is
 * still inside.
 */
export function outside({ low, high }: Extent, value: number, noise: number): number {
  const breadth = high - low;
  const unit = breadth > 0 ? breadth : 1e-9 + 0.01 * Math.abs(high);
  if (value > high + noise) return (value - high - noise) / unit;
  if (value < low - noise) return (value - low + noise) / unit;
  return 0;
}

export function extend(extent: Extent, value: number): void {
  extent.count += 1;
  if (extent.count === 1) {
    extent.low = extent.high = extent.middle = value;
    return;
  }
  extent.middle += (value - extent.middle) * Math.max(1 / middleMemory, 1 / extent.count);
  extent.high = Math.max(value, extent.high - (extent.high - extent.middle) / memory);
  extent.low = Math.min(value, extent.low + (extent.middle - extent.low) / memory);
}
