/** Suggested times for postponing something, in the browser's time zone. Pure. */

export type Later = { label: string; until: Date };

/** In an hour, tomorrow at 09:00, Monday at 09:00 (unless that is tomorrow); soonest first. */
export function suggestedTimes(now: Date): Later[] {
  const atNine = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9, 0, 0, 0);
  const toMonday = ((8 - now.getDay()) % 7) + (now.getDay() === 1 ? 7 : 0);
  return [
    { label: "for 1 hour", until: new Date(now.getTime() + 3_600_000) },
    { label: "until tomorrow, 09:00", until: atNine(1) },
    ...(toMonday > 1 ? [{ label: "until Monday, 09:00", until: atNine(toMonday) }] : []),
  ];
}

/** A time as a datetime-local field holds it: 2025-11-20T14:03. */
export function localText(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** Parses a datetime-local value; null if empty or while the year is still being typed (0202). */
export function momentOfText(text: string): Date | null {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
