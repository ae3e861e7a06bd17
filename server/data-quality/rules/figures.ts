import { figure } from "../../text.ts";
import { Decimal } from "../decimal.ts";

/** A decimal rounded to at most the given places, for use next to exact figures. */
export function rounded(value: Decimal, places: number): string {
  return figure(new Decimal(value).toDecimalPlaces(places).toFixed());
}
