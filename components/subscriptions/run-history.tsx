"use client";
import { type PointerEvent, useState } from "react";
import { formatCount, formatNumber } from "@/components/ui/format.ts";
import { useNow } from "@/components/ui/moment.tsx";
import { statusColour } from "@/components/ui/status.tsx";
import { axisLabel } from "@/components/ui/time-scale.ts";
import { useSize } from "@/components/ui/use-size.ts";
import type { Anomaly, Condition, Execution } from "@/server/subscriptions/schema.ts";
import { outcomeLooks } from "./outcome.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";
import { RunCard } from "./run-card.tsx";
import { countScale, linePath } from "./run-scale.ts";

const inner = { top: 12, right: 56, left: 44 };
const plotHeight = 132;
const strip = { top: inner.top + plotHeight + 12, height: 28 };
const height = strip.top + strip.height + 20;

/** No bar is narrower, its gap included. */
const least = 6;

/**
 * The latest runs, oldest at the left, one column each: above how many rows it found, with the threshold dashed and
 * anomalies ringed; below how it ended, as a bar of its outcome's colour and shape. A pointer sees the exact figures
 * of a run and chooses it with a click; the keyboard walks the runs with the arrows, as a slider.
 */
export function RunHistory({
  executions,
  anomalies,
  condition,
  selectedId,
  onSelect,
}: {
  /** Newest first, at least one. */
  executions: readonly Execution[];
  anomalies: readonly Anomaly[];
  condition: Condition;
  selectedId: number | undefined;
  onSelect: (executionId: number) => void;
}) {
  const [frame, size] = useSize<HTMLDivElement>();
  const width = size?.width ?? 0;
  const [hovered, setHovered] = useState<number | null>(null);
  // The reader's zone is known once the page is alive; until then the labels say UTC, as the server did.
  const zone = useNow() === null ? "UTC" : undefined;

  const plotWidth = Math.max(width - inner.left - inner.right, 1);
  const runs = executions.slice(0, Math.max(Math.floor(plotWidth / least), 1)).toReversed();
  const slot = Math.min(plotWidth / runs.length, 28);
  const left = inner.left + plotWidth - slot * runs.length;
  const x = (index: number) => left + (index + 0.5) * slot;
  const counts = runs.map(({ rowCount }) => rowCount);
  const lines = countScale(counts, condition.threshold);
  const top = lines.at(-1) ?? 1;
  const y = (count: number) => inner.top + (1 - count / top) * plotHeight;
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
  const lastCount = counts.findLastIndex((count) => count !== null);
  const lastValue = counts[lastCount];

  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label="Run shown below, from the oldest to the newest"
      aria-valuemin={1}
      aria-valuemax={runs.length}
      aria-valuenow={current + 1}
      aria-valuetext={valueText(runs[current])}
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
          {lines.map((count) => (
            <g key={count}>
              <line
                x1={inner.left}
                x2={inner.left + plotWidth}
                y1={y(count)}
                y2={y(count)}
                stroke="var(--line)"
              />
              <text x={inner.left - 6} y={y(count) + 4} textAnchor="end" fill="var(--ink-3)">
                {formatCount(count)}
              </text>
            </g>
          ))}
          {condition.threshold !== null && (
            <line
              x1={inner.left}
              x2={inner.left + plotWidth}
              y1={y(condition.threshold)}
              y2={y(condition.threshold)}
              stroke="var(--ink-3)"
              strokeDasharray="4 3"
            />
          )}
          <path
            d={linePath(counts, x, y)}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.5}
            strokeLinejoin="round"
          />
          {runs.map(({ id, rowCount }, index) => {
            if (rowCount === null) return null;
            const isUnusual = unusual.has(id);
            const isLone = counts[index - 1] == null && counts[index + 1] == null;
            if (!isUnusual && slot < 10 && !isLone && index !== lastCount) return null;
            return (
              <g key={id}>
                {isUnusual && (
                  <circle
                    cx={x(index)}
                    cy={y(rowCount)}
                    r={6}
                    fill="none"
                    stroke="currentColor"
                    strokeWidth={1.5}
                    className={statusColour("warning")}
                  />
                )}
                <circle cx={x(index)} cy={y(rowCount)} r={2.5} fill="var(--accent)" />
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
              {formatCount(lastValue)}
            </text>
          )}
          {runs.map(({ id, status }, index) => (
            <OutcomeBar
              key={id}
              status={status}
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

function valueText(run: Execution | undefined): string {
  if (!run) return "";
  const rows = run.rowCount === null ? "" : `, ${formatNumber(run.rowCount)} rows`;
  return `${run.executedAt}: ${outcomeLooks[run.status].word}${rows}`;
}
