import { shortestFloat } from "../../data-sources/engines/shortest-float.ts";
import { Decimal } from "../decimal.ts";

/**
 * Bounds for binary floating-point numbers. A float counts as its shortest decimal representation:
 * 0.1 is at most 0.1, although the stored number is slightly more. The shortest representations of two floats are
 * ordered like the floats, so for each bound there is a last float within it, and the database only needs to compare
 * with that.
 */
export type Precision = "single" | "double";

/** The smallest float whose text is not below the bound. */
export function minWithin(bound: string, precision: Precision): number {
  const value = lastWithin(new Decimal(bound).negated(), precision);
  return value === 0 ? 0 : -value;
}

/** The largest float whose text is not above the bound. */
export function maxWithin(bound: string, precision: Precision): number {
  return lastWithin(new Decimal(bound), precision);
}

function lastWithin(bound: Decimal, precision: Precision): number {
  const nearest = bound.toNumber();
  const start = precision === "single" ? Math.fround(nearest) : nearest;
  // Beyond every float of that precision, so all of them lie on the same side of it.
  if (!Number.isFinite(start)) return nearest;
  let value = start;
  while (textOf(value, precision).greaterThan(bound)) value = neighbor(value, precision, -1);
  for (;;) {
    const next = neighbor(value, precision, 1);
    if (!Number.isFinite(next) || textOf(next, precision).greaterThan(bound)) return value;
    value = next;
  }
}

function textOf(value: number, precision: Precision): Decimal {
  return new Decimal(precision === "single" ? shortestFloat(value) : value);
}

/** The next float of that precision, up or down. */
function neighbor(value: number, precision: Precision, direction: 1 | -1): number {
  if (value === 0) return direction * (precision === "single" ? 2 ** -149 : Number.MIN_VALUE);
  // A float's bits are ordered by magnitude.
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
