"use client";
import { useState } from "react";
import {
  Chart,
  Cursor,
  FailureMark,
  Gridlines,
  LastValue,
  ThresholdLine,
  TimeLabels,
  usePlot,
  ValueLine,
  verticalScale,
} from "@/components/ui/chart.tsx";
import { statusColor } from "@/components/ui/status.tsx";
import { timePlaces } from "@/components/ui/time-scale.ts";
import { useZone } from "@/components/ui/zone.tsx";
import { contractVersionMarks, type Point, scoreSpan } from "./history-scale.ts";
import { PointCard } from "./point-card.tsx";
import { formatScore } from "./score.tsx";

const inner = { top: 10, right: 76, bottom: 22, left: 30 };

/**
 * The score over time, oldest on the left, with a dashed threshold line and the last value next to its point. A failed
 * evaluation leaves a gap, with a ring at the bottom. Hovering shows the exact values of the nearest evaluation, and a
 * click selects it; the arrow keys move between evaluations, as on a slider.
 */
export function HistoryChart({
  points,
  threshold,
  selectedId,
  onSelect,
}: {
  /** Oldest first, at least one. */
  points: readonly Point[];
  threshold: number;
  selectedId: number | undefined;
  onSelect: (evaluationId: number) => void;
}) {
  const [frame, plot] = usePlot(inner);
  const [hovered, setHovered] = useState<number | null>(null);
  const zone = useZone();

  const times = points.map((point) => Date.parse(point.at));
  const places = timePlaces(times).map((place) => plot.left + place * plot.breadth);
  const isMeasured = (point: Point) => point.notEvaluatedBecause === null;
  const scores = points.filter(isMeasured).map((point) => point.score);
  const lastScore = scores.at(-1);
  const { low, ticks } = scoreSpan(scores, threshold);
  const x = (index: number) => places[index] ?? 0;
  const y = verticalScale(plot, low, 100);
  const heightOf = (point: Point) => (isMeasured(point) ? y(point.score) : y(low));

  const selected = points.findIndex((point) => point.id === selectedId);
  const last = points.length - 1;
  const current = selected >= 0 ? selected : last;
  const shown = hovered ?? (selected >= 0 && selected !== last ? selected : null);
  const shownPoint = shown === null ? undefined : points[shown];
  const span = (times[last] ?? 0) - (times[0] ?? 0);
  const labeled = points.length === 1 ? [0.5] : plot.breadth > 420 ? [0, 1 / 3, 2 / 3, 1] : [0, 1];
  const isDense = points.length > plot.breadth / 8;

  return (
    <Chart
      frame={frame}
      plot={plot}
      places={places}
      onHover={setHovered}
      className="min-h-60 flex-1 lg:max-h-[26rem]"
      slider={{
        label: "Evaluation shown below, from the oldest to the newest",
        current,
        valueText: valueText(points[current]),
        onChoose: (index) => {
          const point = points[index];
          if (point) onSelect(point.id);
        },
      }}
      card={
        hovered !== null &&
        points[hovered] && (
          <PointCard
            point={points[hovered]}
            previous={points.slice(0, hovered).findLast(isMeasured)}
            threshold={threshold}
            left={x(hovered)}
            within={plot.width}
          />
        )
      }
    >
      <Gridlines plot={plot} values={ticks} y={y} />
      <ThresholdLine plot={plot} at={y(threshold)} />
      <text
        x={plot.right + 8}
        y={(lastScore === undefined ? y(threshold) : thresholdLabelY(y(threshold), y(lastScore))) + 4}
        fill="var(--ink-2)"
      >
        threshold {threshold}
      </text>
      <TimeLabels
        plot={plot}
        span={span}
        zone={zone}
        labels={labeled.map((place) => ({
          x: plot.left + place * plot.breadth,
          time: (times[0] ?? 0) + place * span,
          anchor: place === 0 ? "start" : place === 1 ? "end" : "middle",
        }))}
      />
      {contractVersionMarks(points).map(({ index, version }) => {
        const at = ((places[index - 1] ?? x(index)) + x(index)) / 2;
        return (
          <g key={index}>
            <line
              x1={at}
              x2={at}
              y1={plot.top}
              y2={plot.bottom}
              stroke="var(--ink-3)"
              strokeDasharray="1 2"
            />
            <text x={at + 3} y={plot.top - 2} fill="var(--ink-3)">
              v{version}
            </text>
          </g>
        );
      })}
      <ValueLine values={points.map((point) => (isMeasured(point) ? point.score : null))} x={x} y={y} />
      {points.map((point, index) => (
        <Mark
          key={point.id}
          x={x(index)}
          y={heightOf(point)}
          of={!isMeasured(point) ? "outage" : point.score < threshold ? "below" : "met"}
          isHidden={isDense && isMeasured(point) && point.score >= threshold && index !== last}
        />
      ))}
      {shown !== null && shownPoint && (
        <g>
          <Cursor plot={plot} x={x(shown)} />
          <circle
            cx={x(shown)}
            cy={heightOf(shownPoint)}
            r={5}
            fill="var(--canvas)"
            stroke="var(--accent)"
            strokeWidth={2}
          />
        </g>
      )}
      {lastScore !== undefined && (
        <LastValue plot={plot} y={y(lastScore)}>
          {formatScore(lastScore)}
        </LastValue>
      )}
    </Chart>
  );
}

function valueText(point: Point | undefined): string {
  if (!point) return "";
  const { at, score, passedCount, failedCount, notEvaluatedBecause, version } = point;
  if (notEvaluatedBecause !== null) return `${at}: could not be evaluated: ${notEvaluatedBecause}`;
  return `${at}: ${formatScore(score)}, ${passedCount} passed, ${failedCount} failed${version === null ? "" : `, version ${version}`}`;
}

type Marked = { x: number; y: number; of: "met" | "below" | "outage"; isHidden: boolean };

/** A circle if the threshold is met, a critical-colored diamond if not, a ring if nothing was measured. */
function Mark({ x, y, of, isHidden }: Marked) {
  if (isHidden) return null;
  if (of === "outage")
    return (
      <circle
        cx={x}
        cy={y}
        r={3}
        fill="var(--canvas)"
        stroke="currentColor"
        strokeWidth={1.5}
        className={statusColor("stalled")}
      />
    );
  return of === "below" ? (
    <FailureMark x={x} y={y} size={4} className={statusColor("critical")} />
  ) : (
    <circle cx={x} cy={y} r={2.5} fill="var(--accent)" />
  );
}

/** Next to its line, without overlapping the last value. */
function thresholdLabelY(line: number, value: number): number {
  const apart = 15;
  if (Math.abs(line - value) >= apart) return line;
  return line >= value ? value + apart : value - apart;
}
