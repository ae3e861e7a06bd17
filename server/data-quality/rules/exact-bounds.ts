import { Decimal } from "../score.ts";

/** The most digits that a DECIMAL of MySQL has, and how many of them follow the point. */
const maxDigits = 65;
const maxPlaces = 30;

/** A decimal that MySQL can hold, with the type that holds every digit of it. */
export type ExactBound = { text: string; type: string };

/**
 * What a DECIMAL or an integer is compared with to know whether it is at most, or at least, the bound. A bound
 * with more digits than any value is moved to the nearest that can be compared, towards the values within; so no
 * value changes sides.
 */
export function exactBound(bound: string, side: "atMost" | "atLeast"): ExactBound {
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
