import { z } from "zod";

/** Building blocks of rule configurations. The browser loads this file too. */

/** A whole number of things. */
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * A plain decimal of any size, sent as text or number and stored as text to keep every digit. JSON numbers beyond 2^53
 * lose digits during parsing, so send those as text.
 */
export const bound = z
  .union([
    z.string(),
    z
      .number()
      .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), {
        error: "must be sent as text, to keep every digit",
      })
      .transform((value) => value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 })),
  ])
  .pipe(
    z
      .string()
      .trim()
      .max(100)
      .regex(/^[+-]?(\d+\.?\d*|\.\d+)$/, "must be a plain decimal number"),
  )
  .nullish()
  .transform((value) => value ?? undefined);

/** Whether the decimal `a` is greater than `b`, exactly. Both match `bound`. */
export function isGreater(a: string, b: string): boolean {
  const scaled = (value: string, places: number) => {
    const [, sign, whole, fraction] = /^([+-]?)(\d*)\.?(\d*)$/.exec(value) ?? [];
    return BigInt(`${whole ?? ""}${(fraction ?? "").padEnd(places, "0")}` || "0") * (sign === "-" ? -1n : 1n);
  };
  const places = Math.max(...[a, b].map((value) => value.split(".")[1]?.length ?? 0));
  return scaled(a, places) > scaled(b, places);
}
