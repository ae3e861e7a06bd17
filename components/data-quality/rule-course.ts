import { formatDuration, formatNumber } from "@/components/ui/format.ts";
import type { ContractSeries } from "@/server/data-quality/history-schema.ts";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import { formatScore } from "./score.tsx";

/** How a rule's series is drawn: the axis, the limits, and the value format. */

export type RuleSeries = ContractSeries["rules"][number];
export type RuleSeriesPoint = RuleSeries["points"][number];
/** A point of a series, or a measurement that is not stored: it has no score. */
export type CoursePoint = Omit<RuleSeriesPoint, "evaluationId" | "score"> & { score: number | null };

export type Course = {
  what: string;
  variant: "line" | "bars";
  /** null where an evaluation could not measure it. */
  values: (number | null)[];
  limits: { value: number; label: string }[];
  /** What was usual at each point, of a rule that learns it. */
  usual: CoursePoint["usual"][];
  low: number;
  high: number;
  write: (value: number) => string;
};

const numberOf = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "")
    ? Number(value)
    : Number.NaN;

/** The measured number with its limits if the rule type has such a chart; otherwise the score. */
export function courseOf(
  { type, configuration }: Pick<Rule, "type" | "configuration">,
  points: readonly CoursePoint[],
): Course {
  const limit = (value: unknown, label: string) =>
    Number.isFinite(numberOf(value)) ? [{ value: numberOf(value), label }] : [];
  const measured = points.map((point) => point.measured);
  const definition = ruleDefinition(type);
  const chart = definition.chart ?? (configuration.usual == null ? undefined : plainChart(definition.label));
  const usual = points.map((point) => point.usual);
  const isByGroup = configuration.groupBy != null;
  if (chart)
    return spanned(
      {
        what: chart.title,
        variant: chart.variant,
        ...{ values: measured, usual },
        // The rows of all groups have no limit where each group has its own.
        limits:
          isByGroup && chart.byGroup === "all"
            ? []
            : chart.limits.flatMap(({ key, label }) => limit(configuration[key], label)),
        write: chart.format === "minutes" ? writeMinutes : (value) => formatNumber(value, chart.fits ? 4 : 0),
      },
      chart.fits ?? false,
    );
  return {
    what: "Score",
    variant: "line",
    values: points.map((point) => point.score),
    limits: [],
    usual: [],
    low: 0,
    high: 100,
    write: formatScore,
  };
}

/** A rule that learns is judged by its number, so that is charted, with or without a chart of its type. */
const plainChart = (title: string) =>
  ({ title, variant: "line", format: "count", byGroup: "all", limits: [], fits: false }) as const;

function writeMinutes(minutes: number): string {
  return minutes < 0 ? `−${formatDuration(-minutes * 60_000)}` : formatDuration(minutes * 60_000);
}

/** Adds an axis that includes every value and limit, and 0 unless it should fit them closely. */
function spanned(course: Omit<Course, "low" | "high">, fits: boolean): Course {
  const all = [
    ...course.values.filter((value) => value !== null),
    ...course.limits.map(({ value }) => value),
    ...course.usual.flatMap((range) => [range?.low, range?.high].filter((bound) => bound != null)),
  ];
  if (fits && all.length > 0) {
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const margin = (most - least) * 0.05 || Math.abs(most) * 0.05 || 1;
    return { ...course, low: least - margin, high: most + margin };
  }
  const high = Math.max(0, ...all);
  return { ...course, low: Math.min(0, ...all), high: high === 0 ? 1 : high * 1.05 };
}
