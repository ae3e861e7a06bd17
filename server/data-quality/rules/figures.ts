import { Decimal } from "../score.ts";

/** Figures for people: thousands separated, and no digit lost. */

/** `1234567.50` → `1,234,567.50`. Takes plain decimal text; anything else stays as it is. */
export function figure(exact: string | number): string {
  const [, sign, whole, fraction] = /^(-?)(\d+)(\.\d+)?$/.exec(String(exact)) ?? [];
  if (whole === undefined) return String(exact);
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction ?? ""}`;
}

/** `1 row`, `2,000 rows`. */
export function counted(count: string | number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${String(count) === "1" ? one : many}`;
}

/** A decimal with at most so many places, for where the exact figures stand beside it. */
export function rounded(value: Decimal, places: number): string {
  return figure(new Decimal(value).toDecimalPlaces(places).toFixed());
}
