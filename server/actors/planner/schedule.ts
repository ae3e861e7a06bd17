import { timezone } from "../../jobs/cron.ts";

/** When a check runs: what people say of it, and what is usual. Not everything begins at the same minute. */
export type Schedule =
  | { every: "minutes"; step: number; days?: string | undefined }
  | { every: "hours"; step: number; days?: string | undefined }
  | {
      every: "day" | "month";
      hours: readonly number[];
      /** null where nobody said one. */
      minute: number | null;
      days?: string | undefined;
    };

/** FNV-1a: the same text is the same number, everywhere. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of new TextEncoder().encode(text)) {
    hash ^= character;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

/** `seed` is what the check is about; it chooses the minute, which is never a full hour's. */
export function cronOf(schedule: Schedule, seed: string): string {
  const minute = 1 + (hashOf(seed) % 58);
  const days = schedule.days ?? "*";
  switch (schedule.every) {
    case "minutes":
      return `${schedule.step === 1 ? "*" : `*/${schedule.step}`} * * * ${days}`;
    case "hours":
      return `${minute} ${schedule.step === 1 ? "*" : `*/${schedule.step}`} * * ${days}`;
    case "day":
      return `${schedule.minute ?? minute} ${schedule.hours.join(",")} * * ${days}`;
    case "month":
      return `${schedule.minute ?? minute} ${schedule.hours.join(",")} 1 * *`;
  }
}

/** Of an hour's checks and a day's, where nobody has said when: after the night's loads, before people come. */
export const hourly: Schedule = { every: "hours", step: 1 };
export const daily: Schedule = { every: "day", hours: [5], minute: null };

/** In words, to stand behind "runs". */
export function scheduleInWords(schedule: Schedule): string {
  if (schedule.every === "minutes")
    return schedule.step === 1 ? "every minute" : `every ${schedule.step} minutes`;
  if (schedule.every === "hours") return schedule.step === 1 ? "every hour" : `every ${schedule.step} hours`;
  if (schedule.every === "month") return "every month";
  return schedule.days === undefined
    ? "every day"
    : schedule.days === "1-5"
      ? "on weekdays"
      : "on some days of the week";
}

const dayNames = ["sun", "mon", "tues?", "wed(nes)?", "thu(rs)?", "fri", "satu?r?"];

/** What a text says about when; null where it says nothing that can be a schedule. */
export function scheduleIn(text: string): Schedule | null {
  const said = text.toLowerCase();
  const days = daysIn(said);
  const step =
    /\b(?:every|each) (\d{1,3}|two|three|four|six|eight|twelve|fifteen|thirty) ?(minutes?|mins?|hours?|hrs?|h)\b/.exec(
      said,
    );
  const time = timeIn(said);
  if (step) {
    const amount = numberIn(step[1] ?? "");
    const isHours = /^h/.test(step[2] ?? "");
    if (amount < 1) return null;
    if (!isHours && amount < 60) return { every: "minutes", step: amount, days };
    const hours = isHours ? amount : amount / 60;
    if (!Number.isInteger(hours) || hours > 24) return null;
    return hours === 24 ? { ...daily, days } : { every: "hours", step: hours, days };
  }
  if (/\b(every|each) minute\b/.test(said)) return { every: "minutes", step: 1, days };
  if (/\bhalf[- ]hourly\b|\b(every|each) half (an )?hour\b/.test(said))
    return { every: "minutes", step: 30, days };
  if (/\bhourly\b|\b(every|each|once an?) hour\b/.test(said)) return { every: "hours", step: 1, days };
  const hours = time ? [time.hour] : null;
  const minute = time?.minute ?? null;
  if (/\bmonthly\b|\b(every|each|once a) month\b/.test(said))
    return { every: "month", hours: hours ?? [5], minute };
  if (/\b(twice (a|per) day|twice daily|two times a day)\b/.test(said))
    return {
      every: "day",
      hours: time ? [time.hour, (time.hour + 12) % 24].sort((a, b) => a - b) : [5, 17],
      minute,
      days,
    };
  if (days !== undefined) return { every: "day", hours: hours ?? [5], minute, days };
  if (/\bweekly\b|\b(every|each|once a) week\b/.test(said))
    return { every: "day", hours: hours ?? [5], minute, days: "1" };
  if (/\bnightly\b|\b(every|each) night\b/.test(said)) return { every: "day", hours: hours ?? [2], minute };
  if (/\bdaily\b|\b(every|each|once a) (day|morning)\b/.test(said))
    return { every: "day", hours: hours ?? [5], minute };
  return hours ? { every: "day", hours, minute } : null;
}

/** Words that can only be about when, whether or not a schedule can be made of them: "every 90 minutes", "quarterly". */
const timeWords =
  /\b(?:every|each|per) (?:\d+ ?)?(?:second|minute|hour|day|night|week|month|quarter|year)s?\b|\bevery (?:\d+|other|second|third) \w+|\b(?:hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly)\b|\b\d{1,2}:\d{2}\b|\b\d{1,2} ?(?:am|pm|o['’]clock)\b|(?:[*\d/,-]+ ){4}[*\d/,-]+/i;

export const speaksOfTime = (text: string) => timeWords.test(text);

function daysIn(said: string): string | undefined {
  if (/\b(week ?days?|(working|work|business) ?days?)\b/.test(said)) return "1-5";
  if (/\bweekends?\b/.test(said)) return "0,6";
  const named = dayNames.flatMap((name, index) =>
    new RegExp(`\\b${name}(day)?s?\\b`).test(said) ? [index] : [],
  );
  // "sat" and "sun" are words of other meanings, too: alone they need their "day".
  const isSaid = /\b\w+days?\b/.test(said);
  return isSaid && named.length > 0 ? named.join(",") : undefined;
}

type Time = { hour: number; minute: number };

function timeIn(said: string): Time | null {
  if (/\b(at )?noon\b/.test(said)) return { hour: 12, minute: 0 };
  if (/\b(at )?midnight\b/.test(said)) return { hour: 0, minute: 0 };
  const clock = /\b(\d{1,2}):(\d{2})(?: ?(am|pm)\b)?/.exec(said);
  const bare =
    /\bat (\d{1,2}) ?(am|pm|h|o'clock|o’clock)?(?=\s*(?:$|[.,;!?)]|(?:every|each|daily|on|in|and|please|for|sharp|from|instead|week\w*|mon|tue|wed|thu|fri)))/.exec(
      said,
    ) ?? /\b(\d{1,2}) ?(am|pm)\b/.exec(said);
  const [hour, minute, half] = clock ? [clock[1], clock[2], clock[3]] : bare ? [bare[1], "0", bare[2]] : [];
  if (hour === undefined) return null;
  const time = { hour: onDial(Number(hour), half), minute: Number(minute) };
  return time.hour < 24 && time.minute < 60 ? time : null;
}

function onDial(hour: number, half: string | undefined): number {
  if (half === "pm") return hour === 12 ? 12 : hour + 12;
  return half === "am" && hour === 12 ? 0 : hour;
}

const numbers: Record<string, number> = {
  ...{ two: 2, three: 3, four: 4, six: 6, eight: 8, twelve: 12, fifteen: 15, thirty: 30 },
};
const numberIn = (text: string) => numbers[text] ?? Number(text);

const zoneName =
  /\b(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)?|\bUTC\b/i;

/** The IANA time zone that a text names; null for none, and for what is none. */
export function zoneIn(text: string): string | null {
  const found = zoneName.exec(text)?.[0].replace(/[-+]$/, "");
  if (found === undefined || !timezone.safeParse(found).success) return null;
  return /^utc$/i.test(found) ? "UTC" : found;
}

export const withoutZones = (text: string) => text.replace(new RegExp(zoneName, "gi"), " ");
