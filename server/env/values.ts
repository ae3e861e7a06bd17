import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { z } from "zod";

/** What the areas of settings share: kinds of values, and how an area refuses settings that do not fit each other. */

/** The settings of an area, as they were read. */
export type Values<Area extends z.ZodRawShape> = z.output<z.ZodObject<Area>>;

/** Refuses a setting that is valid by itself; the message continues its name. */
export type Refuse = (name: string, message: string) => void;

export const flag = z.enum(["on", "off"]).transform((value) => value === "on");

export const optionalText = z.string().trim().min(1).optional();

/** A plain decimal number: `120`, not `1e2` or `0x78`. */
export const wholeNumber = (min: number, max: number, byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max, `must be at most ${max}`))
    .default(byDefault);

/** A rate limit; null is `off`. */
export const perMinute = (byDefault: number) =>
  z
    .string()
    .regex(/^(off|[1-9]\d{0,8})$/, "must be a whole number, at least 1, or off")
    .transform((text) => (text === "off" ? null : Number(text)))
    .default(byDefault);

/** A retention period; null is `off`, which keeps things forever. */
export const days = (min: number, byDefault: number | null) =>
  z
    .string()
    .regex(/^(off|\d{1,5})$/, `must be a number of days, at least ${min}, or off`)
    .transform((text) => (text === "off" ? null : Number(text)))
    .pipe(z.number().min(min, `must be at least ${min}, or off`).nullable())
    .default(byDefault);

/** Absolute paths: `/srv/data, /mnt/exports`. */
export const folders = z
  .string()
  .transform((text) => text.split(",").map((each) => each.trim()))
  .refine((paths) => paths.every((path) => isAbsolute(path)), "must be absolute paths separated by commas");

/** Whether it is an address or a CIDR. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits === undefined) return maxBits > 0;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}
