import type { PolicyHours } from "@/server/incidents/schema.ts";

/** From Monday on, as policies count them. */
export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** "Mon–Fri 08:00–18:00", "Sat, Sun 22:00–06:00". Pure. */
export const hoursWords = ({ days, from, until }: PolicyHours): string =>
  `${daysWords(days)} ${from}–${until}`;

/** "Mon–Fri", "Sat, Sun", "Daily". Pure. */
export function daysWords(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  const name = (day: number | undefined) => weekdays[(day ?? 1) - 1] ?? "";
  const words = runs.flatMap((run) =>
    run.length > 2 ? [`${name(run[0])}–${name(run.at(-1))}`] : run.map(name),
  );
  return days.length === 7 ? "Daily" : words.join(", ");
}
