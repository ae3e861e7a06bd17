import { formatDate, formatNumber, plural } from "@/components/ui/format.ts";

/** Anomalies by UTC day, in words and as bars. Pure. */

export type Day = { date: string; count: number };

const mostNamed = 10;

/** "14 anomalies: 11 on 9 Nov, 3 on 12 Nov"; only days that have any, the latest first. */
export function anomalyWords(days: readonly Day[]): string {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const some = days.filter(({ count }) => count > 0).toReversed();
  if (total === 0) return "No anomalies";
  const named = some
    .slice(0, mostNamed)
    .map(({ date, count }) => `${formatNumber(count)} on ${dayName(date)}`);
  const more =
    some.length > mostNamed ? [`the others on ${plural(some.length - mostNamed, "earlier day")}`] : [];
  return `${plural(total, "anomaly", "anomalies")}: ${[...named, ...more].join(", ")}`;
}

/** "9 Nov": a day of the service's calendar, which is UTC wherever the reader is. */
export function dayName(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return formatDate(day, day, "UTC");
}

/** One SVG path with a bar per day that has anomalies, over the whole width; as tall as its share of the largest. */
export function barsPath(days: readonly Day[], width: number, height: number): string {
  const most = Math.max(...days.map(({ count }) => count), 1);
  const slot = width / days.length;
  const gap = Math.min(slot * 0.15, 1);
  return days
    .map(({ count }, index) => {
      if (count === 0) return "";
      const tall = Math.max((count / most) * height, 2);
      const left = (index * slot + gap).toFixed(2);
      return `M${left} ${height}v${(-tall).toFixed(2)}h${(slot - 2 * gap).toFixed(2)}V${height}z`;
    })
    .join("");
}
