/** Parses text as a number or a moment. Pure. */

/** A plain decimal number, as databases and files write it; NaN for anything else. */
export function numberOf(text: string): number {
  return /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
}

const moment =
  /^(\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2}){0,2})?$/;

/**
 * Milliseconds since 1970 of an ISO date, with or without a time, as databases write it; in UTC if it has no zone. NaN
 * for anything else, for dates that do not exist, and for years BC.
 */
export function momentOf(text: string): number {
  const found = moment.exec(text);
  if (!found) return Number.NaN;
  const [
    ,
    year = "",
    month = "",
    day = "",
    hour = "0",
    minute = "0",
    second = "0",
    fraction = "0",
    zone = "Z",
  ] = found;
  const start = new Date(0);
  start.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (start.getUTCMonth() !== Number(month) - 1 || start.getUTCDate() !== Number(day)) return Number.NaN;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return Number.NaN;
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  return start.getTime() + time + Math.floor(Number(`0.${fraction}`) * 1000) - offsetOf(zone);
}

/** In milliseconds, for `Z`, `+01`, `+0130`, `-01:30`, and `+01:30:12`. */
function offsetOf(zone: string): number {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (zone.slice(1).match(/\d{2}/g) ?? []).map(Number);
  return (zone.startsWith("-") ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
