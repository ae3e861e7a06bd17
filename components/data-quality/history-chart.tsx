"use client";
import { type PointerEvent, useState } from "react";
import { useNow } from "@/components/ui/moment.tsx";
import { statusColour } from "@/components/ui/status.tsx";
import { axisLabel, nearest, timePlaces } from "@/components/ui/time-scale.ts";
import { useSize } from "@/components/ui/use-size.ts";
import { type Point, scoreSpan } from "./history-scale.ts";
import { PointCard } from "./point-card.tsx";
import { formatScore } from "./score.tsx";

const inner = { top: 10, right: 76, bottom: 22, left: 30 };

/**
 * The score over time, oldest at the left, with the threshold as a dashed line and the last value beside its
 * point. Where it could not be evaluated the line has a gap, with a ring at the bottom. A pointer sees the exact figures of the nearest evaluation and chooses it with a click; the keyboard
 * walks them with the arrows, as a slider.
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
  const [frame, size] = useSize<HTMLDivElement>();
  const { width, height } = size ?? { width: 0, height: 0 };
  const [hovered, setHovered] = useState<number | null>(null);
  // The reader's zone is known once the page is alive; until then the labels say UTC, as the server did.
  const zone = useNow() === null ? "UTC" : undefined;

  const times = points.map((point) => Date.parse(point.at));
  const places = timePlaces(times);
  const isMeasured = (point: Point) => point.notEvaluatedBecause === null;
  const scores = points.filter(isMeasured).map((point) => point.score);
  const lastScore = scores.at(-1);
  const { low, ticks } = scoreSpan(scores, threshold);
  const plotWidth = Math.max(width - inner.left - inner.right, 1);
  const x = (index: number) => inner.left + (places[index] ?? 0) * plotWidth;
  const y = (score: number) =>
    inner.top + ((100 - score) / (100 - low)) * (height - inner.top - inner.bottom);
  const heightOf = (point: Point) => (isMeasured(point) ? y(point.score) : y(low));

  const selected = points.findIndex((point) => point.id === selectedId);
  const last = points.length - 1;
  const shown = hovered ?? (selected >= 0 && selected !== last ? selected : null);
  const at = (event: PointerEvent<HTMLDivElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return nearest(places, (left - inner.left) / plotWidth);
  };
  const choose = (index: number) => {
    const point = points[Math.min(Math.max(index, 0), last)];
    if (point) onSelect(point.id);
  };
  const current = selected >= 0 ? selected : last;
  const steps: Record<string, number> = {
    ArrowLeft: current - 1,
    ArrowDown: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current + 1,
    Home: 0,
    End: last,
  };
  const span = (times[last] ?? 0) - (times[0] ?? 0);
  const labelled = points.length === 1 ? [0.5] : plotWidth > 420 ? [0, 1 / 3, 2 / 3, 1] : [0, 1];
  const isDense = points.length > plotWidth / 8;

  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label="Evaluation shown below, from the oldest to the newest"
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={current + 1}
      aria-valuetext={valueText(points[current])}
      className="relative min-h-60 w-full flex-1 cursor-pointer overflow-hidden lg:max-h-[26rem] touch-pan-y select-none"
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
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                x1={inner.left}
                x2={inner.left + plotWidth}
                y1={y(tick)}
                y2={y(tick)}
                stroke="var(--line)"
              />
              <text x={inner.left - 6} y={y(tick) + 4} textAnchor="end" fill="var(--ink-3)">
                {tick}
              </text>
            </g>
          ))}
          <line
            x1={inner.left}
            x2={inner.left + plotWidth}
            y1={y(threshold)}
            y2={y(threshold)}
            stroke="var(--ink-3)"
            strokeDasharray="4 3"
          />
          <text
            x={inner.left + plotWidth + 8}
            y={(lastScore === undefined ? y(threshold) : thresholdLabelY(y(threshold), y(lastScore))) + 4}
            fill="var(--ink-2)"
          >
            threshold {threshold}
          </text>
          {labelled.map((place) => (
            <text
              key={place}
              x={inner.left + place * plotWidth}
              y={height - 4}
              textAnchor={place === 0 ? "start" : place === 1 ? "end" : "middle"}
              fill="var(--ink-3)"
            >
              {axisLabel((times[0] ?? 0) + place * span, span, zone)}
            </text>
          ))}
          <path
            d={linePath(points.map((point, index) => isMeasured(point) && [x(index), y(point.score)]))}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.5}
            strokeLinejoin="round"
          />
          {points.map((point, index) => (
            <Mark
              key={point.id}
              x={x(index)}
              y={heightOf(point)}
              of={!isMeasured(point) ? "outage" : point.score < threshold ? "below" : "met"}
              isHidden={isDense && isMeasured(point) && point.score >= threshold && index !== last}
            />
          ))}
          {shown !== null && points[shown] && (
            <g>
              <line
                x1={x(shown)}
                x2={x(shown)}
                y1={inner.top}
                y2={height - inner.bottom}
                stroke="var(--control)"
              />
              <circle
                cx={x(shown)}
                cy={heightOf(points[shown])}
                r={5}
                fill="var(--canvas)"
                stroke="var(--accent)"
                strokeWidth={2}
              />
            </g>
          )}
          {lastScore !== undefined && (
            <text
              x={x(last) + 8}
              y={y(lastScore) + 4}
              fill="var(--ink)"
              className="text-xs font-semibold tabular-nums"
            >
              {formatScore(lastScore)}
            </text>
          )}
        </svg>
      )}
      {hovered !== null && points[hovered] && (
        <PointCard
          point={points[hovered]}
          previous={points.slice(0, hovered).findLast(isMeasured)}
          threshold={threshold}
          left={x(hovered)}
          within={width}
        />
      )}
    </div>
  );
}

function valueText(point: Point | undefined): string {
  if (!point) return "";
  const { at, score, passedCount, failedCount, notEvaluatedBecause } = point;
  if (notEvaluatedBecause !== null) return `${at}: could not be evaluated: ${notEvaluatedBecause}`;
  return `${at}: ${formatScore(score)}, ${passedCount} passed, ${failedCount} failed`;
}

/** A line through the places, with a gap wherever there is none. */
function linePath(places: readonly (readonly [number, number] | false)[]): string {
  return places
    .map((place, index) =>
      place ? `${index > 0 && places[index - 1] ? "L" : "M"}${place[0]} ${place[1]}` : "",
    )
    .join("");
}

type Marked = { x: number; y: number; of: "met" | "below" | "outage"; isHidden: boolean };

/** Round when the threshold is met, a diamond in the critical colour when not, a ring where nothing was measured. */
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
        className={statusColour("stalled")}
      />
    );
  return of === "below" ? (
    <path
      d={`M${x} ${y - 4}L${x + 4} ${y}L${x} ${y + 4}L${x - 4} ${y}Z`}
      fill="currentColor"
      className={statusColour("critical")}
    />
  ) : (
    <circle cx={x} cy={y} r={2.5} fill="var(--accent)" />
  );
}

/** Beside its line, but clear of the last value. */
function thresholdLabelY(line: number, value: number): number {
  const apart = 15;
  if (Math.abs(line - value) >= apart) return line;
  return line >= value ? value + apart : value - apart;
}
