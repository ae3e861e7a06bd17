"use client";
import { useState } from "react";
import {
  Chart,
  Cursor,
  FailureMark,
  TimeLabels,
  usePlot,
  ValueLine,
  verticalScale,
} from "@/components/ui/chart.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { StatusIcon, statusColor } from "@/components/ui/status.tsx";
import { timePlaces } from "@/components/ui/time-scale.ts";
import { useZone } from "@/components/ui/zone.tsx";
import { rangeInWords } from "@/server/normal/in-words.ts";
import type { WatchSeries } from "@/server/watch/schema.ts";
import { figureOf, seriesWords } from "./series-words.ts";

const inner = { top: 8, right: 8, bottom: 18, left: 8 };

/** One number of a table over time, with what was usual as a band, and the unusual values marked. */
export function SeriesChart({ series }: { series: WatchSeries }) {
  const { points, measure } = series;
  const [frame, plot] = usePlot(inner);
  const [hovered, setHovered] = useState<number | null>(null);
  const zone = useZone();
  const last = points.length - 1;
  const shown = points[hovered ?? last];
  if (!shown) return null;
  const times = points.map(({ at }) => Date.parse(at));
  const places = timePlaces(times).map((place) => plot.left + 4 + place * (plot.breadth - 8));
  const x = (index: number) => places[index] ?? plot.left;
  // By the values, with the latest range: what was usual while little was known may be far wider.
  const latest = points[last] ?? shown;
  const bounds = [...points.map(({ value }) => value), latest.low, latest.high].filter(
    (each) => each !== null,
  );
  const [least, greatest] = [Math.min(...bounds), Math.max(...bounds)];
  const room = greatest === least ? Math.max(1, Math.abs(least) * 0.1) : (greatest - least) * 0.1;
  const [low, high] = [least >= 0 ? Math.max(0, least - room) : least - room, greatest + room];
  const y = verticalScale(plot, low, high);
  const figure = (value: number) => figureOf(measure, value);
  const usual = (point: (typeof points)[number]) =>
    point.low === null && point.high === null
      ? null
      : rangeInWords(
          { low: point.low ?? Number.NEGATIVE_INFINITY, high: point.high ?? Number.POSITIVE_INFINITY },
          figure,
        );
  const unusual = points.filter(({ isUnusual }) => isUnusual).length;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex flex-wrap items-baseline gap-x-3 text-xs font-semibold text-ink-2">
        {seriesWords(series)}
        <span className="inline-flex flex-wrap items-center gap-x-1 font-normal text-ink-3 tabular-nums">
          <StatusIcon kind={shown.isUnusual ? "warning" : "ok"} className="size-3 self-center" />
          <span>
            {figure(shown.value)}, <Moment at={shown.at} exact />
            {usual(shown) !== null && `, usually ${usual(shown)}`}
          </span>
        </span>
      </p>
      <Chart
        frame={frame}
        plot={plot}
        height={112}
        places={places}
        onHover={setHovered}
        label={`${seriesWords(series)}: ${points.length} values, ${unusual} of them unusual`}
      >
        <path d={bandPath(points, x, y, { low, high })} fill="var(--accent-soft)" />
        <line x1={plot.left} x2={plot.right} y1={plot.bottom} y2={plot.bottom} stroke="var(--line)" />
        <ValueLine values={points.map(({ value }) => value)} x={x} y={y} />
        {points.map(({ at, value, isUnusual }, index) =>
          isUnusual ? (
            <FailureMark key={at} x={x(index)} y={y(value)} size={3.5} className={statusColor("warning")} />
          ) : null,
        )}
        {hovered !== null && <Cursor plot={plot} x={x(hovered)} />}
        <TimeLabels
          plot={plot}
          span={(times[last] ?? 0) - (times[0] ?? 0)}
          zone={zone}
          labels={[
            { x: plot.left, time: times[0] ?? 0, anchor: "start" as const },
            { x: plot.right, time: times[last] ?? 0, anchor: "end" as const },
          ].slice(0, points.length)}
        />
      </Chart>
      <details className="text-xs text-ink-3">
        <summary className="w-fit cursor-pointer rounded-sm hover:text-ink">The numbers</summary>
        <div className="overflow-x-auto">
          <table className="mt-1 tabular-nums">
            <thead>
              <tr className="text-left">
                <th scope="col" className="pr-6 font-normal">
                  Measured
                </th>
                <th scope="col" className="pr-6 text-right font-normal">
                  Value
                </th>
                <th scope="col" className="font-normal">
                  Usual
                </th>
              </tr>
            </thead>
            <tbody>
              {points
                .toReversed()
                .slice(0, 60)
                .map((point) => (
                  <tr key={point.at}>
                    <td className="pr-6">
                      <Moment at={point.at} exact />
                    </td>
                    <td className="pr-6 text-right text-ink-2">
                      {figure(point.value)}
                      {point.isUnusual && " (unusual)"}
                    </td>
                    <td>{usual(point) ?? "not known yet"}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

/** An area for each stretch of points with a range. */
function bandPath(
  points: WatchSeries["points"],
  x: (index: number) => number,
  y: (value: number) => number,
  scale: { low: number; high: number },
): string {
  const stretches: number[][] = [];
  for (const [index, { low, high }] of points.entries()) {
    if (low === null && high === null) continue;
    const current = stretches.at(-1);
    if (current && current.at(-1) === index - 1) current.push(index);
    else stretches.push([index]);
  }
  const within = (value: number) => Math.min(scale.high, Math.max(scale.low, value));
  const top = (index: number) => y(within(points[index]?.high ?? scale.high));
  const bottom = (index: number) => y(within(points[index]?.low ?? scale.low));
  return stretches
    .map((stretch) => {
      const over = stretch.map((index) => `${x(index).toFixed(1)} ${top(index).toFixed(1)}`);
      const under = stretch.toReversed().map((index) => `${x(index).toFixed(1)} ${bottom(index).toFixed(1)}`);
      return `M${[...over, ...under].join("L")}Z`;
    })
    .join("");
}
