"use client";
import { type PointerEvent, useState } from "react";
import { formatScore } from "@/components/data-quality/score.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { nearest, timePlaces } from "@/components/ui/time-scale.ts";
import { useSize } from "@/components/ui/use-size.ts";
import { healthyScore } from "@/server/data-quality/schema.ts";

type Point = { evaluatedAt: string; score: number; couldNotEvaluate: boolean };
const inner = { top: 8, right: 48, bottom: 8, left: 4 };

/**
 * The latest scores over time, with the line from which a table is healthy, and a gap where it could not be evaluated;
 * the figures stand in a table below.
 */
export function CourseChart({ points: all }: { points: readonly Point[] }) {
  const [frame, size] = useSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<number | null>(null);
  const { width, height } = size ?? { width: 0, height: 0 };
  const allPlaces = timePlaces(all.map(({ evaluatedAt }) => Date.parse(evaluatedAt)));
  const indexes = [...all.keys()].filter((index) => !all[index]?.couldNotEvaluate);
  const points = indexes.flatMap((index) => all[index] ?? []);
  const places = indexes.map((index) => allPlaces[index] ?? 0);
  const followsAnother = (index: number) => index > 0 && indexes[index] === (indexes[index - 1] ?? 0) + 1;
  const low = Math.max(0, Math.min(healthyScore, ...points.map(({ score }) => score)) - 5);
  const plot = Math.max(1, width - inner.left - inner.right);
  const x = (index: number) => inner.left + (places[index] ?? 0) * plot;
  const y = (score: number) =>
    inner.top + ((100 - score) / (100 - low)) * (height - inner.top - inner.bottom);
  const last = points.length - 1;
  const lastScore = points[last]?.score ?? 0;
  const shown = hovered === null ? undefined : points[hovered];
  const at = (event: PointerEvent<HTMLDivElement>) =>
    nearest(places, (event.clientX - event.currentTarget.getBoundingClientRect().left - inner.left) / plot);
  return (
    <div className="pt-2">
      <div
        ref={frame}
        className="relative h-20 w-full overflow-hidden"
        onPointerMove={(event) => setHovered(at(event))}
        onPointerLeave={() => setHovered(null)}
      >
        {width > 0 && points.length > 0 && (
          <svg aria-hidden width={width} height={height} className="absolute inset-0 block text-[11px]">
            <line
              x1={inner.left}
              x2={inner.left + plot}
              y1={y(healthyScore)}
              y2={y(healthyScore)}
              stroke="var(--ink-3)"
              strokeDasharray="4 3"
            />
            {Math.abs(y(healthyScore) - y(lastScore)) > 13 && (
              <text x={inner.left + plot + 8} y={y(healthyScore) + 4} fill="var(--ink-3)">
                {healthyScore}
              </text>
            )}
            <path
              d={points
                .map(({ score }, index) => `${followsAnother(index) ? "L" : "M"}${x(index)} ${y(score)}`)
                .join("")}
              fill="none"
              stroke="var(--accent)"
              strokeWidth={1.5}
              strokeLinejoin="round"
            />
            <circle
              cx={x(hovered ?? last)}
              cy={y(shown?.score ?? lastScore)}
              r={hovered === null ? 2.5 : 4}
              fill="var(--accent)"
            />
            <text x={inner.left + plot + 8} y={y(lastScore) + 4} fill="var(--ink)" className="tabular-nums">
              {formatScore(lastScore)}
            </text>
          </svg>
        )}
      </div>
      <details className="text-xs text-ink-3">
        <summary className="w-fit cursor-pointer rounded-sm hover:text-ink">
          {shown ? (
            <span className="tabular-nums">
              {formatScore(shown.score)}, <Moment at={shown.evaluatedAt} exact />
            </span>
          ) : (
            `The last ${all.length} evaluations`
          )}
        </summary>
        <table className="mt-1 tabular-nums">
          <thead className="sr-only">
            <tr>
              <th scope="col">Evaluated</th>
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {all.toReversed().map(({ evaluatedAt, score, couldNotEvaluate }) => (
              <tr key={evaluatedAt}>
                <td className="pr-6">
                  <Moment at={evaluatedAt} exact />
                </td>
                <td className="text-right text-ink-2">
                  {couldNotEvaluate ? "could not be evaluated" : formatScore(score)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
