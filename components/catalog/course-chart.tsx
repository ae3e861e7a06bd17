"use client";
import { useState } from "react";
import { formatScore } from "@/components/data-quality/score.tsx";
import {
  Chart,
  LastValue,
  ThresholdLine,
  usePlot,
  ValueLine,
  verticalScale,
} from "@/components/ui/chart.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { timePlaces } from "@/components/ui/time-scale.ts";
import { healthyScore } from "@/server/data-quality/severities.ts";

type Point = { evaluatedAt: string; score: number; couldNotEvaluate: boolean };
const inner = { top: 8, right: 48, bottom: 8, left: 4 };

/**
 * The latest scores over time, with the healthy threshold and a gap for each failed evaluation; the numbers are in a
 * table below.
 */
export function CourseChart({ points: all }: { points: readonly Point[] }) {
  const [frame, plot] = usePlot(inner);
  const [hovered, setHovered] = useState<number | null>(null);
  const places = timePlaces(all.map(({ evaluatedAt }) => Date.parse(evaluatedAt))).map(
    (place) => plot.left + place * plot.breadth,
  );
  const scores = all.map(({ score, couldNotEvaluate }) => (couldNotEvaluate ? null : score));
  const measured = [...scores.keys()].filter((index) => scores[index] !== null);
  const known = scores.filter((score) => score !== null);
  const low = Math.max(0, Math.min(healthyScore, ...known) - 5);
  const x = (index: number) => places[index] ?? 0;
  const y = verticalScale(plot, low, 100);
  const lastScore = known.at(-1) ?? 0;
  const last = measured.at(-1);
  const shown = hovered === null ? undefined : all[hovered];
  const marked = hovered ?? last;
  return (
    <div className="pt-2">
      <Chart
        frame={frame}
        plot={plot}
        className="h-20"
        // Only measured points can be selected.
        places={measured.map(x)}
        onHover={(index) => setHovered(index === null ? null : (measured[index] ?? null))}
      >
        {marked !== undefined && (
          <>
            <ThresholdLine plot={plot} at={y(healthyScore)} />
            {Math.abs(y(healthyScore) - y(lastScore)) > 13 && (
              <text x={plot.right + 8} y={y(healthyScore) + 4} fill="var(--ink-3)">
                {healthyScore}
              </text>
            )}
            <ValueLine values={scores} x={x} y={y} />
            <circle
              cx={x(marked)}
              cy={y(scores[marked] ?? lastScore)}
              r={hovered === null ? 2.5 : 4}
              fill="var(--accent)"
            />
            <LastValue plot={plot} y={y(lastScore)}>
              {formatScore(lastScore)}
            </LastValue>
          </>
        )}
      </Chart>
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
