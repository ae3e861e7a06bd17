import { wallTime, zoneName } from "@/server/zoned-time.ts";

/**
 * A run's time in the reader's zone, followed by its schedule's if clocks differ there: "Fri 21 Nov, 06:00 CET",
 * "Fri 21 Nov, 07:00 Berlin · 06:00 UTC", with the day if that is another one.
 */
export function formatRun(run: Date, timezone: string, zone: string): string {
  const here = partsIn(run, zone);
  if (wallTime(run, timezone) === wallTime(run, zone)) return `${here.day}, ${here.clock} ${here.shortZone}`;
  const there = partsIn(run, timezone);
  const secondDay = there.day === here.day ? "" : `${there.day}, `;
  return `${here.day}, ${here.clock} ${zoneName(zone)} · ${secondDay}${there.clock} ${zoneName(timezone)}`;
}

function partsIn(run: Date, zone: string) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: zone,
  }).formatToParts(run);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  return {
    day: `${part("weekday")} ${part("day")} ${part("month")}`,
    clock: `${part("hour")}:${part("minute")}`,
    shortZone: part("timeZoneName"),
  };
}
