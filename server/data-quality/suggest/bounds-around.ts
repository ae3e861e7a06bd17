import { Decimal } from "../decimal.ts";

/** null if it is not a finite number. */
export function decimalIn(text: string): Decimal | null {
  try {
    const value = new Decimal(text.trim());
    return value.isFinite() && value.abs().lessThan("1e60") ? value : null;
  } catch {
    return null;
  }
}

/** A tenth of the span on either side, rounded outwards; if no value is negative, neither is the bound. */
export function boundsAround(from: Decimal, to: Decimal): { min: string; max: string } {
  const span = to.minus(from);
  const size = span.isZero() ? Decimal.max(to.abs(), 1) : span;
  const slack = size.dividedBy(10);
  const unit = new Decimal(10).pow(size.log(10).floor());
  const low = from.minus(slack).dividedBy(unit).floor().times(unit);
  const high = to.plus(slack).dividedBy(unit).ceil().times(unit);
  const min = from.isNegative() && !from.isZero() ? low : Decimal.max(low, 0);
  return { min: min.toFixed(), max: high.toFixed() };
}
