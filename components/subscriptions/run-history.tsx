"use client";
import { useState } from "react";
import {
  Chart,
  Gridlines,
  LastValue,
  ThresholdLine,
  TimeLabels,
  usePlot,
  ValueLine,
  verticalScale,
} from "@/components/ui/chart.tsx";
import { formatExact } from "@/components/ui/format.ts";
import { statusColor } from "@/components/ui/status.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { Anomaly, Execution, Subscription } from "@/server/subscriptions/schema.ts";
import { incidentSpans, versionMarks } from "./chart-marks.ts";
import { MarksLegend } from "./marks-legend.tsx";
import { wordsNow } from "./outcome.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";
import { lookOf } from "./outcome-looks.ts";
import { type PlottedMetric, type PlottedRun, plottedWords, valueLabel } from "./plotted-metric.ts";
import { RunCard } from "./run-card.tsx";
import { runDetailId } from "./run-detail.tsx";
import { RunFigures } from "./run-figures.tsx";
import { countScale, valueScale } from "./run-scale.ts";

/** Values at the top; below them a strip of outcomes, and the time axis. */
const inner = { top: 20, right: 56, bottom: 60, left: 44 };
const plotHeight = 132;
const strip = { top: inner.top + plotHeight + 12, height: 28 };
const height = inner.top + plotHeight + inner.bottom;

type Incident = Subscription["incidents"][number];

/** The narrowest slot, including its gap. */
const least = 6;

/**
 * The latest runs, oldest on the left, one column each. At the top, the evaluated value (rows or a column) with its
 * usual range as a band, the threshold dashed, and anomalies circled; at the bottom, the outcome as a bar with its
 * color and shape; above both, incidents as bars and new versions of the query as dotted lines. Hovering, or the
 * keyboard, shows a run's exact values, and a click selects it; the arrow keys move between runs, as on a slider, and
 * Enter goes to the run below. The same figures are in a table below it.
 */
export function RunHistory({
  executions,
  anomalies,
  incidents,
  plotted,
  selectedId,
  onSelect,
}: {
  /** Newest first, at least one. */
  executions: readonly Execution[];
  anomalies: readonly Anomaly[];
  incidents: readonly Incident[];
  /** For the same executions, in the same order. */
  plotted: PlottedMetric;
  selectedId: number | undefined;
  onSelect: (executionId: number) => void;
}) {
  const [frame, plot] = usePlot(inner);
  const [hovered, setHovered] = useState<number | null>(null);
  const zone = useZone();

  const fitting = Math.max(Math.floor(plot.breadth / least), 1);
  const runs = executions.slice(0, fitting).toReversed();
  const points = plotted.runs.slice(0, fitting).toReversed();
  const slot = Math.min(plot.breadth / runs.length, 28);
  const left = plot.right - slot * runs.length;
  const x = (index: number) => left + (index + 0.5) * slot;
  const values = points.map(({ value }) => value);
  const { metric, threshold } = plotted;
  const drawn = [...values, ...points.flatMap(({ usual }) => (usual ? [usual.low, usual.high] : []))];
  const lines = metric === "RowCount" ? countScale(drawn, threshold) : valueScale(drawn);
  const y = verticalScale(
    { top: inner.top, bottom: inner.top + plotHeight },
    lines[0] ?? 0,
    lines.at(-1) ?? 1,
  );
  const unusual = new Map(anomalies.map((anomaly) => [anomaly.executionId, anomaly]));

  const versions = versionMarks(runs);
  const last = runs.length - 1;
  const selected = runs.findIndex(({ id }) => id === selectedId);
  const current = selected >= 0 ? selected : last;
  const marked = hovered ?? (selected >= 0 && selected !== last ? selected : null);
  const times = runs.map(({ executedAt }) => Date.parse(executedAt));
  const spans = incidentSpans(times, incidents);
  const span = (times[last] ?? 0) - (times[0] ?? 0);
  // A label takes about 50 pixels, so with few runs only the latest has one.
  const breadth = slot * runs.length;
  const labeled = breadth > 420 ? quarters(last) : breadth > 120 ? [0, last] : [last];
  const lastPoint = values.findLastIndex((value) => value !== null);
  const lastValue = values[lastPoint];

  return (
    <>
      <Chart
        frame={frame}
        plot={plot}
        height={height}
        places={runs.map((_, index) => x(index))}
        onHover={setHovered}
        slider={{
          label: "Run shown below, from the oldest to the newest",
          current,
          valueText: valueText(runs[current], points[current], plotted, zone),
          onChoose: (index) => {
            const run = runs[index];
            if (run) onSelect(run.id);
          },
          onOpen: () => document.getElementById(runDetailId)?.focus(),
        }}
        card={
          hovered !== null &&
          runs[hovered] && (
            <RunCard
              run={runs[hovered]}
              value={plotted.metric === "RowCount" ? null : wordsOf(plotted, points[hovered])}
              anomaly={unusual.get(runs[hovered].id)}
              incidents={spans.filter(
                ({ from, to }) => Math.floor(from) <= hovered && hovered <= Math.ceil(to),
              )}
              left={x(hovered)}
              within={plot.width}
            />
          )
        }
      >
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
        {versions.map(({ index, version }) => (
          <g key={index}>
            <line
              x1={x(index) - slot / 2}
              x2={x(index) - slot / 2}
              y1={inner.top - 4}
              y2={strip.top + strip.height}
              stroke="var(--ink-3)"
              strokeDasharray="1 2"
            />
            <text x={x(index) - slot / 2 + 3} y={inner.top - 8} fill="var(--ink-3)">
              v{version}
            </text>
          </g>
        ))}
        {spans.map(({ kind, from, to }) => (
          <rect
            key={`${kind} ${from}`}
            x={x(from) - slot / 2}
            width={Math.max(x(to) - x(from) + slot, 4)}
            y={inner.top - 4}
            height={3}
            rx={1}
            fill="currentColor"
            className={statusColor("critical")}
          />
        ))}
        <Gridlines plot={plot} values={lines} y={y} write={(value) => valueLabel(metric, value)} />
        {threshold !== null && <ThresholdLine plot={plot} at={y(threshold)} />}
        <ValueLine values={values} x={x} y={y} />
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
                  className={statusColor("warning")}
                />
              )}
              <circle cx={x(index)} cy={y(value)} r={2.5} fill="var(--accent)" />
            </g>
          );
        })}
        {typeof lastValue === "number" && (
          <LastValue plot={plot} y={y(lastValue)}>
            {valueLabel(metric, lastValue)}
          </LastValue>
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
        <TimeLabels
          plot={plot}
          span={span}
          zone={zone}
          labels={labeled.map((index) => ({
            x: index === 0 && last > 0 ? x(0) - slot / 2 : index === last ? x(last) + slot / 2 : x(index),
            time: times[index] ?? 0,
            anchor: index === last ? "end" : index === 0 ? "start" : "middle",
          }))}
        />
      </Chart>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <RunFigures
          executions={executions.slice(0, fitting)}
          plotted={plotted}
          spans={spans}
          onSelect={onSelect}
        />
        <MarksLegend hasVersions={versions.length > 0} hasIncidents={spans.length > 0} />
      </div>
    </>
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
  zone: string,
): string {
  if (!run) return "";
  const value = plotted.metric === "RowCount" ? null : wordsOf(plotted, point);
  return [`${formatExact(new Date(run.executedAt), zone)}: ${wordsNow(run.outcome, zone)}`, value]
    .filter(Boolean)
    .join(", ");
}
