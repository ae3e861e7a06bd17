import { shortestFloat } from "../../data-sources/engines/mysql/shortest-float.ts";
import { Decimal } from "../score.ts";

/**
 * Bounds for binary floating-point numbers. Such a number counts as the decimal that it is shortest written as:
 * 0.1 is at most 0.1, although what is stored is a little more. The shortest texts of two numbers compare as the
 * numbers do, so for each bound there is a last number within it, and the database only has to compare with that.
 */
export type Precision = "single" | "double";

/** The least number whose text is not below the bound. */
export function leastWithin(bound: string, precision: Precision): number {
  const value = lastWithin(new Decimal(bound).negated(), precision);
  return value === 0 ? 0 : -value;
}

/** The greatest number whose text is not above the bound. */
export function greatestWithin(bound: string, precision: Precision): number {
  return lastWithin(new Decimal(bound), precision);
}

function lastWithin(bound: Decimal, precision: Precision): number {
  const nearest = bound.toNumber();
  const start = precision === "single" ? Math.fround(nearest) : nearest;
  // Beyond every number of that precision, as every other number sees it, too.
  if (!Number.isFinite(start)) return nearest;
  let value = start;
  while (textOf(value, precision).greaterThan(bound)) value = neighbour(value, precision, -1);
  for (;;) {
    const next = neighbour(value, precision, 1);
    if (!Number.isFinite(next) || textOf(next, precision).greaterThan(bound)) return value;
    value = next;
  }
}

function textOf(value: number, precision: Precision): Decimal {
  return new Decimal(precision === "single" ? shortestFloat(value) : value);
}

/** The next number of that precision, up or down. */
function neighbour(value: number, precision: Precision, direction: 1 | -1): number {
  if (value === 0) return direction * (precision === "single" ? 2 ** -149 : Number.MIN_VALUE);
  // The bits of a number count its magnitude.
  const away = BigInt(value > 0 ? direction : -direction);
  const bits = new DataView(new ArrayBuffer(8));
  if (precision === "single") {
    bits.setFloat32(0, value);
    bits.setInt32(0, bits.getInt32(0) + Number(away));
    return bits.getFloat32(0);
  }
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + away);
  return bits.getFloat64(0);
}
