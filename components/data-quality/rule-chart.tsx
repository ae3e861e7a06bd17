"use client";
import { type PointerEvent, useState } from "react";
import { formatExact } from "@/components/ui/format.ts";
import { useNow } from "@/components/ui/moment.tsx";
import { StatusIcon, statusColour } from "@/components/ui/status.tsx";
import { axisLabel, nearest } from "@/components/ui/time-scale.ts";
import { useSize } from "@/components/ui/use-size.ts";
import type { Rule } from "@/server/data-quality/schema.ts";
import { courseOf, type RuleSeriesPoint } from "./rule-course.ts";

const height = 104;
const inner = { top: 8, right: 8, bottom: 18, left: 8 };

/** A rule's own course over the evaluations, the failures marked; the line above it says the value pointed at. */
export function RuleChart({
  rule,
  points,
  isDownsampled,
}: {
  rule: Pick<Rule, "type" | "configuration">;
  /** Oldest first. */
  points: readonly RuleSeriesPoint[];
  isDownsampled: boolean;
}) {
  const [frame, size] = useSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<number | null>(null);
  const zone = useNow() === null ? "UTC" : undefined;
  const course = courseOf(rule, points);
  const last = points.length - 1;
  const shown = points[hovered ?? last];
  if (!shown) return null;
  const width = size?.width ?? 0;
  const plot = Math.max(width - inner.left - inner.right, 1);
  const slot = plot / points.length;
  // Bars stand in the middle of their room; a line reaches from end to end.
  const x = (index: number) =>
    course.variant === "bars" || points.length === 1
      ? inner.left + (index + 0.5) * slot
      : inner.left + 4 + (index / (points.length - 1)) * (plot - 8);
  const y = (value: number) =>
    inner.top + ((course.high - value) / (course.high - course.low)) * (height - inner.top - inner.bottom);
  const places = points.map((_, index) => x(index));
  const failures = points.filter(({ passed }) => !passed).length;
  const shownValue = course.values[hovered ?? last] ?? null;
  const first = Date.parse(points[0]?.evaluatedAt ?? shown.evaluatedAt);
  const end = Date.parse(points[last]?.evaluatedAt ?? shown.evaluatedAt);
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-xs font-semibold text-ink-2">
        {course.what}
        <span className="inline-flex items-center gap-1 font-normal text-ink-3 tabular-nums">
          <StatusIcon kind={shown.passed ? "ok" : "critical"} className="size-3 self-center" />
          {shownValue === null ? "not measured" : course.write(shownValue)},{" "}
          {formatExact(new Date(shown.evaluatedAt), zone)}
        </span>
      </h3>
      <div
        ref={frame}
        className="relative w-full overflow-hidden"
        style={{ height }}
        onPointerMove={(event: PointerEvent<HTMLDivElement>) =>
          setHovered(nearest(places, event.clientX - event.currentTarget.getBoundingClientRect().left))
        }
        onPointerLeave={() => setHovered(null)}
      >
        {width > 0 && (
          <svg
            role="img"
            aria-label={`${course.what} in ${points.length} evaluations, ${failures} of them failed${course.limits.map(({ value, label }) => `, ${label} ${course.write(value)}`).join("")}`}
            width={width}
            height={height}
            className="absolute inset-0 block text-[11px] text-ink-3"
          >
            <line
              x1={inner.left}
              x2={inner.left + plot}
              y1={y(course.low)}
              y2={y(course.low)}
              stroke="var(--line)"
            />
            {course.variant === "bars"
              ? course.values.map((value, index) =>
                  value === null ? null : (
                    <rect
                      // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity
                      key={index}
                      x={x(index) - Math.min(slot * 0.4, 12)}
                      width={Math.max(1, Math.min(slot * 0.8, 24))}
                      y={Math.min(y(value), y(course.low) - 1)}
                      height={Math.max(1, y(course.low) - y(value))}
                      fill="currentColor"
                      className={points[index]?.passed ? undefined : statusColour("critical")}
                    />
                  ),
                )
              : segments(course.values, x, y).map((path) => (
                  <path
                    key={path}
                    d={path}
                    fill="none"
                    stroke="var(--accent)"
                    strokeWidth={1.5}
                    strokeLinejoin="round"
                  />
                ))}
            {course.variant === "line" &&
              course.values.map((value, index) => {
                const point = points[index];
                if (value === null || !point) return null;
                return point.passed ? (
                  points.length <= 40 && (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity
                    <circle key={index} cx={x(index)} cy={y(value)} r={2} fill="var(--accent)" />
                  )
                ) : (
                  <path
                    // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity
                    key={index}
                    d={`M${x(index)} ${y(value) - 3.5}l3.5 3.5l-3.5 3.5l-3.5 -3.5Z`}
                    fill="currentColor"
                    className={statusColour("critical")}
                  />
                );
              })}
            {course.limits.map(({ value, label }) => (
              <g key={label}>
                <line
                  x1={inner.left}
                  x2={inner.left + plot}
                  y1={y(value)}
                  y2={y(value)}
                  stroke="var(--ink-3)"
                  strokeDasharray="4 3"
                />
                <text
                  x={inner.left + plot}
                  y={y(value) < inner.top + 14 ? y(value) + 12 : y(value) - 4}
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
            {hovered !== null && (
              <line
                x1={x(hovered)}
                x2={x(hovered)}
                y1={inner.top}
                y2={height - inner.bottom}
                stroke="var(--control)"
              />
            )}
            <text x={inner.left} y={height - 4} fill="var(--ink-3)">
              {axisLabel(first, end - first, zone)}
            </text>
            {points.length > 1 && (
              <text x={inner.left + plot} y={height - 4} textAnchor="end" fill="var(--ink-3)">
                {axisLabel(end, end - first, zone)}
              </text>
            )}
          </svg>
        )}
      </div>
      {isDownsampled && (
        <p className="text-xs text-ink-3">A point stands for several evaluations: the worst of them.</p>
      )}
    </section>
  );
}

/** A path for every stretch that was measured without a gap. */
function segments(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string[] {
  const paths: string[] = [];
  let path = "";
  values.forEach((value, index) => {
    if (value === null) {
      if (path !== "") paths.push(path);
      path = "";
    } else path += `${path === "" ? "M" : "L"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return path === "" ? paths : [...paths, path];
}
