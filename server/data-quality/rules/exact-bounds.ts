import type { DecimalSize } from "../../data-sources/dialects/dialect.ts";
import { Decimal } from "../decimal.ts";

/** A decimal that the database can represent, with a type that holds every digit. */
export type ExactBound = { text: string; type: string };

/**
 * The decimal to compare with, for a DECIMAL or integer to be at most or at least the bound. A bound with more digits
 * than any value moves inward to the nearest comparable decimal, so the result is the same for every value.
 */
export function exactBound(bound: string, side: "atMost" | "atLeast", size: DecimalSize): ExactBound {
  const { maxDigits, maxPlaces } = size;
  const exact = new Decimal(bound);
  const wholeDigits = exact.abs().truncated().toFixed().length;
  // A value with this many digits before the point has at most the remaining ones after it.
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
