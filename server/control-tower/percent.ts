import { Decimal } from "decimal.js";

/** A share in per cent with two places, half away from zero; null of nothing. */
export function percentOf(part: number, whole: number): number | null {
  if (whole === 0) return null;
  return new Decimal(part).div(whole).times(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toNumber();
}
