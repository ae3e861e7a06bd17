import { formatDuration, formatNumber } from "@/components/ui/format.ts";
import type { ContractSeries, Rule } from "@/server/data-quality/schema.ts";
import { formatScore } from "./score.tsx";

/** How a rule's series is drawn: what is on its axis, what limits it, and how a value of it is written. */

export type RuleSeries = ContractSeries["rules"][number];
export type RuleSeriesPoint = RuleSeries["points"][number];

export type Course = {
  what: string;
  variant: "line" | "bars";
  /** null where that evaluation could not measure it. */
  values: (number | null)[];
  limits: { value: number; label: string }[];
  low: number;
  high: number;
  write: (value: number) => string;
};

const numberOf = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "")
    ? Number(value)
    : Number.NaN;

/** Freshness is an age under its limit, volume are bars between its bounds; everything else is its score. */
export function courseOf(
  { type, configuration }: Pick<Rule, "type" | "configuration">,
  points: readonly RuleSeriesPoint[],
): Course {
  const limit = (value: unknown, label: string) =>
    Number.isFinite(numberOf(value)) ? [{ value: numberOf(value), label }] : [];
  const measured = points.map((point) => point.measured);
  if (type === "Freshness")
    return spanned({
      what: "Age of the newest row",
      variant: "line",
      values: measured,
      limits: limit(configuration.maxAgeMinutes, "limit"),
      write: (minutes) =>
        minutes < 0 ? `−${formatDuration(-minutes * 60_000)}` : formatDuration(minutes * 60_000),
    });
  if (type === "Volume")
    return spanned({
      what: "Rows",
      variant: "bars",
      values: measured,
      limits: [...limit(configuration.minRows, "least"), ...limit(configuration.maxRows, "most")],
      write: (rows) => formatNumber(rows),
    });
  return {
    what: "Score",
    variant: "line",
    values: points.map((point) => point.score),
    limits: [],
    low: 0,
    high: 100,
    write: formatScore,
  };
}

/** The axis holds every value and every limit, and begins at nothing. */
function spanned(course: Omit<Course, "low" | "high">): Course {
  const all = [
    ...course.values.filter((value) => value !== null),
    ...course.limits.map(({ value }) => value),
  ];
  const high = Math.max(0, ...all);
  return { ...course, low: Math.min(0, ...all), high: high === 0 ? 1 : high * 1.05 };
}
