import { formatDate, formatNumber, plural } from "@/components/ui/format.ts";

/** Anomalies by UTC day, as text and as bars. Pure. */

export type Day = { date: string; count: number };

const maxNames = 10;

/** "14 anomalies: 11 on 9 Nov, 3 on 12 Nov"; only days with anomalies, latest first. */
export function anomalyWords(days: readonly Day[]): string {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const some = days.filter(({ count }) => count > 0).toReversed();
  if (total === 0) return "No anomalies";
  const named = some
    .slice(0, maxNames)
    .map(({ date, count }) => `${formatNumber(count)} on ${dayName(date)}`);
  const more =
    some.length > maxNames ? [`the others on ${plural(some.length - maxNames, "earlier day")}`] : [];
  return `${plural(total, "anomaly", "anomalies")}: ${[...named, ...more].join(", ")}`;
}

/** "9 Nov": a UTC day, wherever the reader is. */
export function dayName(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return formatDate(day, day, "UTC");
}

/** One SVG path with a bar for each day with anomalies, spanning the width; heights are relative to the largest. */
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
