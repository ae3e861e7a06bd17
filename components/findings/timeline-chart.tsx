"use client";
import { useState } from "react";
import { Chart, Gridlines, TimeLabels, usePlot, verticalScale } from "@/components/ui/chart.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { statusColor } from "@/components/ui/status.tsx";
import type { ShownEvidence } from "@/server/findings/schema.ts";
import { periodTime, periodWords, timelineWords, unitWords } from "./timeline-words.ts";

type Timeline = NonNullable<ShownEvidence["timeline"]>;

const height = 128;
const inner = { top: 10, right: 8, bottom: 20, left: 48 };

/** Rows by hour, day, week, or month, with those in doubt or those that are missing marked; the figures are in a table below. */
export function TimelineChart({ timeline }: { timeline: Timeline }) {
  const [frame, plot] = usePlot(inner);
  const [hovered, setHovered] = useState<number | null>(null);
  const { periods, column, unit } = timeline;
  const first = periods[0];
  const last = periods.at(-1);
  if (!first || !last) return null;
  const most = Math.max(1, ...periods.map(({ rows, usual = 0 }) => Math.max(rows, usual)));
  const slot = plot.breadth / periods.length;
  const width = Math.max(1, Math.min(slot * 0.8, 24));
  const x = (index: number) => plot.left + (index + 0.5) * slot;
  const y = verticalScale(plot, 0, most);
  const shown = hovered === null ? undefined : periods[hovered];
  const span = periodTime(last.start) - periodTime(first.start);
  return (
    <figure className="flex max-w-2xl flex-col gap-1">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 text-xs text-ink-2">
        <span className="font-semibold">
          Rows per {unitWords[unit]} by <span className="font-mono">{column}</span>
        </span>
        <span className="text-ink-3 tabular-nums">{shown && periodWords(shown)}</span>
      </figcaption>
      <Chart
        frame={frame}
        plot={plot}
        height={height}
        places={periods.map((_, index) => x(index))}
        onHover={setHovered}
        label={timelineWords(timeline)}
      >
        <Gridlines plot={plot} values={[0, most]} y={y} write={formatNumber} />
        {periods.map(({ start, rows, doubtedRows, usual, isInDoubt }, index) => (
          <g key={start} className={statusColor("warning")}>
            {isInDoubt && (
              <rect
                x={plot.left + index * slot}
                width={slot}
                y={plot.top}
                height={plot.bottom - plot.top}
                fill="currentColor"
                opacity={0.16}
              />
            )}
            {isInDoubt && usual !== undefined && (
              <rect
                x={x(index) - width / 2}
                width={width}
                y={y(usual)}
                height={y(0) - y(usual)}
                fill="none"
                stroke="currentColor"
                strokeDasharray="3 2"
              />
            )}
            <rect
              x={x(index) - width / 2}
              width={width}
              y={y(rows)}
              height={y(0) - y(rows)}
              fill="var(--accent)"
              opacity={hovered === index ? 1 : 0.75}
            />
            {doubtedRows !== undefined && doubtedRows > 0 && (
              <rect
                x={x(index) - width / 2}
                width={width}
                y={Math.min(y(doubtedRows), y(0) - 2)}
                height={Math.max(2, y(0) - y(doubtedRows))}
                fill="currentColor"
              />
            )}
            {/* A hole has no bar: a mark says where it begins, also to those who do not see its color. */}
            {isInDoubt && rows === 0 && !isHole(periods[index - 1]) && (
              <path
                d={`M${x(index) - 3} ${y(0) - 9}l6 6m0 -6l-6 6`}
                stroke="currentColor"
                strokeWidth={1.5}
              />
            )}
          </g>
        ))}
        <TimeLabels
          plot={plot}
          span={span}
          zone="UTC"
          labels={[
            { x: plot.left, time: periodTime(first.start), anchor: "start" as const },
            { x: plot.right, time: periodTime(last.start), anchor: "end" as const },
          ].slice(0, periods.length)}
        />
      </Chart>
      <TimelineTable timeline={timeline} />
    </figure>
  );
}

const isHole = (period: Timeline["periods"][number] | undefined) =>
  period?.isInDoubt === true && period.rows === 0;

/** The same figures for those who cannot see the picture, or want them exactly. */
function TimelineTable({ timeline: { periods, unit } }: { timeline: Timeline }) {
  const hasDoubted = periods.some(({ doubtedRows }) => doubtedRows !== undefined);
  const hasUsual = periods.some(({ usual }) => usual !== undefined);
  const cell = "py-0.5 pl-6 text-right";
  return (
    <details className="text-xs text-ink-3">
      <summary className="w-fit cursor-pointer rounded-sm hover:text-ink">As a table</summary>
      <table className="mt-1 tabular-nums">
        <thead>
          <tr>
            <th scope="col" className="py-0.5 text-left font-medium first-letter:uppercase">
              {unitWords[unit]}
            </th>
            <th scope="col" className={`${cell} font-medium`}>
              Rows
            </th>
            {hasDoubted && (
              <th scope="col" className={`${cell} font-medium`}>
                In doubt
              </th>
            )}
            {hasUsual && (
              <th scope="col" className={`${cell} font-medium`}>
                Usual
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {periods.map(({ start, rows, doubtedRows, usual, isInDoubt }) => (
            <tr key={start} className={isInDoubt ? "text-warning" : "text-ink-2"}>
              <th scope="row" className="py-0.5 text-left font-mono font-normal">
                {start}
                {isInDoubt && " (in doubt)"}
              </th>
              <td className={cell}>{formatNumber(rows)}</td>
              {hasDoubted && <td className={cell}>{formatNumber(doubtedRows ?? 0)}</td>}
              {hasUsual && <td className={cell}>{usual === undefined ? "–" : formatNumber(usual)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
