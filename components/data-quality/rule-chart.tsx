"use client";
import { useState } from "react";
import {
  Chart,
  Cursor,
  FailureMark,
  ThresholdLine,
  TimeLabels,
  usePlot,
  ValueLine,
  verticalScale,
} from "@/components/ui/chart.tsx";
import { formatExact } from "@/components/ui/format.ts";
import { StatusIcon, statusColor } from "@/components/ui/status.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { rangeInWords } from "@/server/normal/in-words.ts";
import { type CoursePoint, courseOf } from "./rule-course.ts";

const height = 104;
const inner = { top: 8, right: 8, bottom: 18, left: 8 };

const usualWords = (
  { low, high }: { low: number | null; high: number | null },
  write: (value: number) => string,
) =>
  `usually ${rangeInWords({ low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY }, write)}`;

/** One rule's history with failures marked; the line above shows the hovered value. */
export function RuleChart({
  rule,
  points,
  isDownsampled = false,
}: {
  rule: Pick<Rule, "type" | "configuration">;
  /** Oldest first. */
  points: readonly CoursePoint[];
  isDownsampled?: boolean;
}) {
  const [frame, plot] = usePlot(inner);
  const [hovered, setHovered] = useState<number | null>(null);
  const zone = useZone();
  const course = courseOf(rule, points);
  const last = points.length - 1;
  const shown = points[hovered ?? last];
  if (!shown) return null;
  const slot = plot.breadth / points.length;
  // Bars are centered in their slots; a line spans the full width.
  const x = (index: number) =>
    course.variant === "bars" || points.length === 1
      ? plot.left + (index + 0.5) * slot
      : plot.left + 4 + (index / (points.length - 1)) * (plot.breadth - 8);
  const y = verticalScale(plot, course.low, course.high);
  const failures = points.filter(({ passed }) => !passed).length;
  const shownValue = course.values[hovered ?? last] ?? null;
  const shownUsual = course.usual[hovered ?? last] ?? null;
  const first = Date.parse(points[0]?.evaluatedAt ?? shown.evaluatedAt);
  const end = Date.parse(points[last]?.evaluatedAt ?? shown.evaluatedAt);
  // Behind a line, and in front of bars, which would hide it.
  const band = course.usual.map((range, index) => {
    if (!range) return null;
    const [top, bottom] = [y(range.high ?? course.high), y(range.low ?? course.low)];
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: points are identified by position
        key={index}
        x={x(index) - slot / 2}
        width={slot}
        y={top}
        height={Math.max(1, bottom - top)}
        fill={course.variant === "bars" ? "var(--accent)" : "var(--accent-soft)"}
        fillOpacity={course.variant === "bars" ? 0.3 : 1}
      />
    );
  });
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-xs font-semibold text-ink-2">
        {course.what}
        <span className="inline-flex items-center gap-1 font-normal text-ink-3 tabular-nums">
          <StatusIcon kind={shown.passed ? "ok" : "critical"} className="size-3 self-center" />
          {shownValue === null ? "not measured" : course.write(shownValue)},{" "}
          {formatExact(new Date(shown.evaluatedAt), zone)}
          {shownUsual && `, ${usualWords(shownUsual, course.write)}`}
        </span>
      </h3>
      <Chart
        frame={frame}
        plot={plot}
        height={height}
        places={points.map((_, index) => x(index))}
        onHover={setHovered}
        label={`${course.what} in ${points.length} evaluations, ${failures} of them failed${course.limits.map(({ value, label }) => `, ${label} ${course.write(value)}`).join("")}`}
      >
        {course.variant === "line" && band}
        <line x1={plot.left} x2={plot.right} y1={y(course.low)} y2={y(course.low)} stroke="var(--line)" />
        {course.variant === "bars" ? (
          course.values.map((value, index) =>
            value === null ? null : (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: points are identified by position
                key={index}
                x={x(index) - Math.min(slot * 0.4, 12)}
                width={Math.max(1, Math.min(slot * 0.8, 24))}
                y={Math.min(y(value), y(course.low) - 1)}
                height={Math.max(1, y(course.low) - y(value))}
                fill="currentColor"
                className={points[index]?.passed ? undefined : statusColor("critical")}
              />
            ),
          )
        ) : (
          <ValueLine values={course.values} x={x} y={y} />
        )}
        {course.variant === "bars" && band}
        {course.variant === "line" &&
          course.values.map((value, index) => {
            const point = points[index];
            if (value === null || !point) return null;
            return point.passed ? (
              points.length <= 40 && (
                // biome-ignore lint/suspicious/noArrayIndexKey: points are identified by position
                <circle key={index} cx={x(index)} cy={y(value)} r={2} fill="var(--accent)" />
              )
            ) : (
              <FailureMark
                // biome-ignore lint/suspicious/noArrayIndexKey: points are identified by position
                key={index}
                x={x(index)}
                y={y(value)}
                size={3.5}
                className={statusColor("critical")}
              />
            );
          })}
        {course.limits.map(({ value, label }) => (
          <g key={label}>
            <ThresholdLine plot={plot} at={y(value)} />
            <text
              x={plot.right}
              y={y(value) < plot.top + 14 ? y(value) + 12 : y(value) - 4}
              textAnchor="end"
              fill="var(--ink-2)"
              stroke="var(--sunken)"
              strokeWidth={3}
              paintOrder="stroke"
            >
              {label} {course.write(value)}
            </text>
          </g>
        ))}
        {hovered !== null && <Cursor plot={plot} x={x(hovered)} />}
        <TimeLabels
          plot={plot}
          span={end - first}
          zone={zone}
          labels={[
            { x: plot.left, time: first, anchor: "start" as const },
            { x: plot.right, time: end, anchor: "end" as const },
          ].slice(0, points.length)}
        />
      </Chart>
      {isDownsampled && (
        <p className="text-xs text-ink-3">Each point covers several evaluations and shows the worst.</p>
      )}
    </section>
  );
}
