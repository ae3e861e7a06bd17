/** A run's time in its schedule's time zone, with the zone's abbreviation on that day: "Fri 21 Nov, 06:00 CET". */
export function formatRun(run: Date, timezone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: timezone,
  }).formatToParts(run);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  const date = `${part("weekday")} ${part("day")} ${part("month")}`;
  return `${date}, ${part("hour")}:${part("minute")} ${part("timeZoneName")}`;
}
