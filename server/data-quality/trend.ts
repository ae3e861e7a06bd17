import { Decimal } from "./decimal.ts";
import type { Trend } from "./score-schema.ts";

/** Points by which a score may differ from the one before and still be Stable. */
export const stableWithin = 1;

/**
 * More than one point above the previous score is Improving, more than one below is Degrading. Compared as decimals:
 * 7.3 to 8.3 is exactly one point, so Stable. Without a previous score it is Stable.
 */
export function trendOf(current: number, previous: number | null): Trend {
  if (previous === null) return "Stable";
  const change = new Decimal(current).minus(previous);
  if (change.greaterThan(stableWithin)) return "Improving";
  return change.lessThan(-stableWithin) ? "Degrading" : "Stable";
}
