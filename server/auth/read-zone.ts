import { isTimeZone } from "../zoned-time.ts";

/** The zone in the cookie; null if there is none or it is not one. */
export const readZone = (value: string | undefined): string | null =>
  value !== undefined && isTimeZone(value) ? value : null;
