import { Decimal } from "../score.ts";

/** The most digits that a DECIMAL has, and how many of them may follow the point. */
export type DecimalSize = { maxDigits: number; maxPlaces: number };
export const mysqlDecimal: DecimalSize = { maxDigits: 65, maxPlaces: 30 };
export const sqlserverDecimal: DecimalSize = { maxDigits: 38, maxPlaces: 38 };

/** A decimal that the database can hold, with the type that holds every digit of it. */
export type ExactBound = { text: string; type: string };

/**
 * What a DECIMAL or an integer is compared with to know whether it is at most, or at least, the bound. A bound
 * with more digits than any value is moved to the nearest that can be compared, towards the values within; so no
 * value changes sides.
 */
export function exactBound(bound: string, side: "atMost" | "atLeast", size: DecimalSize): ExactBound {
  const { maxDigits, maxPlaces } = size;
  const exact = new Decimal(bound);
  const wholeDigits = exact.abs().truncated().toFixed().length;
  // A value with so many digits before the point has no more than the rest behind it.
  const places = Math.max(0, Math.min(maxPlaces, maxDigits - wholeDigits));
  const rounded = exact.toDecimalPlaces(places, side === "atMost" ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL);
  const limit = new Decimal("9".repeat(maxDigits));
  const held = rounded.greaterThan(limit)
    ? limit
    : rounded.lessThan(limit.negated())
      ? limit.negated()
      : rounded;
  const text = held.toFixed();
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  return {
    text,
    type: `decimal(${Math.min(maxDigits, whole.length + fraction.length)}, ${fraction.length})`,
  };
}
