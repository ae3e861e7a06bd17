/** When something happened by the clocks of a zone. */
export type LocalTime = {
  /** 0 to 23. */
  hour: number;
  /** 0 is Sunday. */
  weekday: number;
  /** 0 to 167, from the first hour of Sunday. */
  hourOfWeek: number;
  /** 1 to 31; the last day of any month is 31, since what happens at its end belongs together. */
  monthDay: number;
};

const dayMs = 86_400_000;

/** Zones with the offset of each UTC day; null where the clocks change during it. */
const offsets = new Map<string, Map<number, number | null>>();
const formats = new Map<string, Intl.DateTimeFormat>();
const maxDays = 2_000;

/** Throws RangeError for an unknown zone. */
export function localTimeAt(at: number, timezone: string): LocalTime {
  const local = new Date(at + offsetAt(at, timezone));
  const monthDay = local.getUTCDate();
  const isLast = monthDay >= 28 && new Date(local.getTime() + dayMs).getUTCDate() === 1;
  const [hour, weekday] = [local.getUTCHours(), local.getUTCDay()];
  return { hour, weekday, hourOfWeek: weekday * 24 + hour, monthDay: isLast ? 31 : monthDay };
}

/** Asking Intl takes longer than all the rest of learning, so a day without a change of clocks is asked for once. */
function offsetAt(at: number, timezone: string): number {
  const day = Math.floor(at / dayMs);
  const known = offsets.get(timezone) ?? new Map<number, number | null>();
  offsets.set(timezone, known);
  let offset = known.get(day);
  if (offset === undefined) {
    const [begin, end] = [readOffset(day * dayMs, timezone), readOffset((day + 1) * dayMs, timezone)];
    offset = begin === end ? begin : null;
    if (known.size >= maxDays) known.clear();
    known.set(day, offset);
  }
  return offset ?? readOffset(at, timezone);
}

function readOffset(at: number, timezone: string): number {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timezone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
