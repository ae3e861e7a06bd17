import { isTimeZone } from "../zoned-time.ts";

/** The cookie with the browser's time zone, which pages set. The browser loads this file too. */
export const zoneCookie = "plumbline.zone";

/** The zone in the cookie; null if there is none or it is not one. */
export const readZone = (value: string | undefined): string | null =>
  value !== undefined && isTimeZone(value) ? value : null;
