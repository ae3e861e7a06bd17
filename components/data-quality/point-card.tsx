/** The exact values of one evaluation, next to its point in the chart. */
import { ChartCard } from "@/components/ui/chart.tsx";
import { formatExact } from "@/components/ui/format.ts";
import { useZone } from "@/components/ui/zone.tsx";
import type { Point } from "./history-scale.ts";
import { formatScore } from "./score.tsx";
import { movedBy, scoreStatusOf } from "./score-status.ts";

const cardWidth = 232;

export function PointCard({
  point: { at, score, passedCount, failedCount, trigger, notEvaluatedBecause, version },
  previous,
  threshold,
  left,
  within,
}: {
  point: Point;
  /** The previous measured evaluation. */
  previous: Point | undefined;
  threshold: number;
  /** The point's position, and the width to stay within. */
  left: number;
  within: number;
}) {
  const zone = useZone();
  const moved = previous ? movedBy(score, previous.score) : null;
  return (
    <ChartCard left={left} within={within} width={cardWidth}>
      {notEvaluatedBecause === null ? (
        <>
          <span className="flex items-baseline justify-between gap-2">
            <span className="text-sm font-semibold tabular-nums">{formatScore(score)}</span>
            <span className="text-ink-2">{scoreStatusOf(score, threshold).word}</span>
          </span>
          <span className="text-ink-2 tabular-nums">
            {passedCount} passed, {failedCount} failed
            {moved !== null && moved > 0 && previous
              ? ` · ${score > previous.score ? "▲" : "▼"} ${formatScore(moved)}`
              : ""}
          </span>
        </>
      ) : (
        <>
          <span className="text-sm font-semibold">Could not be evaluated</span>
          <span className="line-clamp-3 text-ink-2">{notEvaluatedBecause}</span>
        </>
      )}
      <span className="text-ink-3">{formatExact(new Date(at), zone)}</span>
      <span className="text-ink-3">
        {trigger === "Manual" ? "started manually" : "on schedule"}
        {version !== null && `, judged version ${version}`}
      </span>
    </ChartCard>
  );
}
