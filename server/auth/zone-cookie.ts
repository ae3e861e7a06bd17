/** The cookie with the browser's time zone, which pages set. Every page loads this file, so it imports nothing. */
export const zoneCookie = "plumbline.zone";
