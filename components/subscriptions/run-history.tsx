"use client";
import { type PointerEvent, useState } from "react";
import { useNow } from "@/components/ui/moment.tsx";
import { statusColour } from "@/components/ui/status.tsx";
import { axisLabel } from "@/components/ui/time-scale.ts";
import { useSize } from "@/components/ui/use-size.ts";
import type { Anomaly, Execution } from "@/server/subscriptions/schema.ts";
import { wordsNow } from "./outcome.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";
import { lookOf } from "./outcome-looks.ts";
import { type PlottedMetric, type PlottedRun, plottedWords, valueLabel } from "./plotted-metric.ts";
import { RunCard } from "./run-card.tsx";
import { countScale, linePath, valueScale } from "./run-scale.ts";

const inner = { top: 12, right: 56, left: 44 };
const plotHeight = 132;
const strip = { top: inner.top + plotHeight + 12, height: 28 };
const height = strip.top + strip.height + 20;

/** No bar is narrower, its gap included. */
const least = 6;

/**
 * The latest runs, oldest at the left, one column each: above the value that is judged (the rows, or a column's), with
 * what was usual as a band, the threshold dashed and anomalies ringed; below what happened, as a bar of its color and
 * shape. A pointer sees the exact figures
 * of a run and chooses it with a click; the keyboard walks the runs with the arrows, as a slider.
 */
export function RunHistory({
  executions,
  anomalies,
  plotted,
  selectedId,
  onSelect,
}: {
  /** Newest first, at least one. */
  executions: readonly Execution[];
  anomalies: readonly Anomaly[];
  /** Of these executions, in their order. */
  plotted: PlottedMetric;
  selectedId: number | undefined;
  onSelect: (executionId: number) => void;
}) {
  const [frame, size] = useSize<HTMLDivElement>();
  const width = size?.width ?? 0;
  const [hovered, setHovered] = useState<number | null>(null);
  // The reader's zone is known once the page is alive; until then the labels say UTC, as the server did.
  const zone = useNow() === null ? "UTC" : undefined;

  const plotWidth = Math.max(width - inner.left - inner.right, 1);
  const fitting = Math.max(Math.floor(plotWidth / least), 1);
  const runs = executions.slice(0, fitting).toReversed();
  const points = plotted.runs.slice(0, fitting).toReversed();
  const slot = Math.min(plotWidth / runs.length, 28);
  const left = inner.left + plotWidth - slot * runs.length;
  const x = (index: number) => left + (index + 0.5) * slot;
  const values = points.map(({ value }) => value);
  const { metric, threshold } = plotted;
  const drawn = [...values, ...points.flatMap(({ usual }) => (usual ? [usual.low, usual.high] : []))];
  const lines = metric === "RowCount" ? countScale(drawn, threshold) : valueScale(drawn);
  const [bottom = 0, top = 1] = [lines[0], lines.at(-1)];
  const y = (value: number) => inner.top + ((top - value) / (top - bottom)) * plotHeight;
  const unusual = new Map(anomalies.map((anomaly) => [anomaly.executionId, anomaly]));

  const last = runs.length - 1;
  const selected = runs.findIndex(({ id }) => id === selectedId);
  const current = selected >= 0 ? selected : last;
  const marked = hovered ?? (selected >= 0 && selected !== last ? selected : null);
  const at = (event: PointerEvent<HTMLDivElement>) => {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    return Math.min(Math.max(Math.floor(offset / slot), 0), last);
  };
  const choose = (index: number) => {
    const run = runs[Math.min(Math.max(index, 0), last)];
    if (run) onSelect(run.id);
  };
  const steps: Record<string, number> = {
    ArrowLeft: current - 1,
    ArrowDown: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current + 1,
    Home: 0,
    End: last,
  };
  const times = runs.map(({ executedAt }) => Date.parse(executedAt));
  const span = (times[last] ?? 0) - (times[0] ?? 0);
  // A label takes some 50 pixels: of few runs only the latest has one.
  const breadth = slot * runs.length;
  const labelled = breadth > 420 ? quarters(last) : breadth > 120 ? [0, last] : [last];
  const lastPoint = values.findLastIndex((value) => value !== null);
  const lastValue = values[lastPoint];

  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label="Run shown below, from the oldest to the newest"
      aria-valuemin={1}
      aria-valuemax={runs.length}
      aria-valuenow={current + 1}
      aria-valuetext={valueText(runs[current], points[current], plotted)}
      className="relative w-full cursor-pointer touch-pan-y overflow-hidden select-none"
      style={{ height }}
      onPointerMove={(event) => setHovered(at(event))}
      onPointerLeave={() => setHovered(null)}
      onClick={(event) => choose(at(event as unknown as PointerEvent<HTMLDivElement>))}
      onKeyDown={(event) => {
        const next = steps[event.key];
        if (next === undefined) return;
        event.preventDefault();
        choose(next);
      }}
    >
      {width > 0 && (
        <svg aria-hidden width={width} height={height} className="absolute inset-0 block text-[11px]">
          {marked !== null && (
            <rect
              x={x(marked) - slot / 2}
              width={slot}
              y={inner.top}
              height={strip.top + strip.height - inner.top}
              fill="var(--hover)"
            />
          )}
          {points.map(
            ({ usual }, index) =>
              usual && (
                <rect
                  key={runs[index]?.id}
                  x={x(index) - slot / 2}
                  width={slot}
                  y={y(usual.high)}
                  height={Math.max(y(usual.low) - y(usual.high), 1)}
                  fill="var(--accent)"
                  opacity={0.15}
                />
              ),
          )}
          {lines.map((line) => (
            <g key={line}>
              <line
                x1={inner.left}
                x2={inner.left + plotWidth}
                y1={y(line)}
                y2={y(line)}
                stroke="var(--line)"
              />
              <text x={inner.left - 6} y={y(line) + 4} textAnchor="end" fill="var(--ink-3)">
                {valueLabel(metric, line)}
              </text>
            </g>
          ))}
          {threshold !== null && (
            <line
              x1={inner.left}
              x2={inner.left + plotWidth}
              y1={y(threshold)}
              y2={y(threshold)}
              stroke="var(--ink-3)"
              strokeDasharray="4 3"
            />
          )}
          <path
            d={linePath(values, x, y)}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.5}
            strokeLinejoin="round"
          />
          {points.map(({ value, isUnusual }, index) => {
            if (value === null) return null;
            const isLone = values[index - 1] == null && values[index + 1] == null;
            if (!isUnusual && slot < 10 && !isLone && index !== lastPoint) return null;
            return (
              <g key={runs[index]?.id}>
                {isUnusual && (
                  <circle
                    cx={x(index)}
                    cy={y(value)}
                    r={6}
                    fill="none"
                    stroke="currentColor"
                    strokeWidth={1.5}
                    className={statusColour("warning")}
                  />
                )}
                <circle cx={x(index)} cy={y(value)} r={2.5} fill="var(--accent)" />
              </g>
            );
          })}
          {typeof lastValue === "number" && (
            <text
              x={inner.left + plotWidth + 8}
              y={y(lastValue) + 4}
              fill="var(--ink)"
              className="text-xs font-semibold tabular-nums"
            >
              {valueLabel(metric, lastValue)}
            </text>
          )}
          {runs.map(({ id, outcome }, index) => (
            <OutcomeBar
              key={id}
              look={lookOf(outcome)}
              x={x(index) - slot / 2 + Math.min(slot * 0.1, 1.5)}
              width={slot - 2 * Math.min(slot * 0.1, 1.5)}
              bottom={strip.top + strip.height}
              height={strip.height}
            />
          ))}
          {labelled.map((index) => (
            <text
              key={index}
              x={index === 0 && last > 0 ? x(0) - slot / 2 : index === last ? x(last) + slot / 2 : x(index)}
              y={height - 4}
              textAnchor={index === last ? "end" : index === 0 ? "start" : "middle"}
              fill="var(--ink-3)"
            >
              {axisLabel(times[index] ?? 0, span, zone)}
            </text>
          ))}
        </svg>
      )}
      {hovered !== null && runs[hovered] && (
        <RunCard
          run={runs[hovered]}
          value={plotted.metric === "RowCount" ? null : wordsOf(plotted, points[hovered])}
          anomaly={unusual.get(runs[hovered].id)}
          left={x(hovered)}
          within={width}
        />
      )}
    </div>
  );
}

const quarters = (last: number) =>
  [...new Set([0, last / 4, last / 2, (3 * last) / 4, last].map(Math.round))].toSorted((a, b) => a - b);

const wordsOf = (plotted: PlottedMetric, point: PlottedRun | undefined) =>
  point ? plottedWords(plotted, point) : null;

function valueText(
  run: Execution | undefined,
  point: PlottedRun | undefined,
  plotted: PlottedMetric,
): string {
  if (!run) return "";
  const value = plotted.metric === "RowCount" ? null : wordsOf(plotted, point);
  return [`${run.executedAt}: ${wordsNow(run.outcome)}`, value].filter(Boolean).join(", ");
}
