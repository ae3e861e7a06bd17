import { Decimal } from "decimal.js";

/** A percentage with two decimals, rounded half away from zero; null if the whole is 0. */
export function percentOf(part: number, whole: number): number | null {
  if (whole === 0) return null;
  return new Decimal(part).div(whole).times(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toNumber();
}
