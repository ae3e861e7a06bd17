import { lasting } from "../text.ts";
import type { LocalTime } from "./calendar.ts";
import type { Surprise } from "./dense.ts";
import type { Normal } from "./learned.ts";

const weekdays = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];

/** When a range applies: "Mondays at 9", "the 1st of the month"; null if it is the same at all times. */
export function seasonInWords({ kind, time: { hour, weekday, monthDay } }: Normal["season"]): string | null {
  switch (kind) {
    case "None":
      return null;
    case "Hour":
      return `at ${hour}:00`;
    case "Weekday":
      return `${weekdays[weekday]}`;
    case "HourAndWeekday":
    case "HourOfWeek":
      return `${weekdays[weekday]} at ${hour}:00`;
    case "MonthDay":
      return monthDayInWords(monthDay);
    case "WeekdayAndMonthDay":
      return `${weekdays[weekday]}, ${monthDayInWords(monthDay)}`;
  }
}

const monthDayInWords = (day: number) =>
  day === 31 ? "the last day of the month" : `the ${ordinal(day)} of the month`;

function ordinal(day: number): string {
  const ending = day > 10 && day < 20 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
}

/** A range in words, by the words for a number: "41,000 to 52,000", "at least 7", "any". */
export function rangeInWords(
  { low, high }: Pick<Normal, "low" | "high">,
  figure: (value: number) => string,
): string {
  if (!Number.isFinite(low) && !Number.isFinite(high)) return "any";
  if (!Number.isFinite(low)) return `at most ${figure(high)}`;
  if (!Number.isFinite(high)) return `at least ${figure(low)}`;
  const [from, to] = [figure(low), figure(high)];
  return from === to ? from : `${from} to ${to}`;
}

/** What is most surprising about the last points, as a clause: "the last 3 hours are higher on average than before". */
export function surpriseInWords({ most }: Surprise, stepMs: number | null, { hour }: LocalTime): string {
  if (!most) return "still outside what was usual when the incident began";
  const { view, side } = most;
  const higher = side > 0 ? "higher" : "lower";
  const span = `the last ${lasting((view.of * (stepMs ?? 0)) / 1000)}`;
  switch (view.kind) {
    case "Value":
      return `${higher} than before`;
    case "Change":
      return `the steepest ${side > 0 ? "rise" : "fall"} so far`;
    case "Hour":
      return `${higher} than before at ${hour}:00`;
    case "Mean":
      return `${span} are ${higher} on average than before`;
    case "Spread":
      return `${span} vary ${side > 0 ? "more" : "less"} than before`;
  }
}
