/** The exact figures of one evaluation, beside its point of the chart. */
import { formatExact } from "@/components/ui/format.ts";
import type { Point } from "./history-scale.ts";
import { formatScore } from "./score.tsx";
import { movedBy, scoreStatusOf } from "./score-status.ts";

const cardWidth = 232;

export function PointCard({
  point: { at, score, passedCount, failedCount, trigger, notEvaluatedBecause },
  previous,
  threshold,
  left,
  within,
}: {
  point: Point;
  /** The last one before it that was measured. */
  previous: Point | undefined;
  threshold: number;
  /** The point's place, and the width it must stay within. */
  left: number;
  within: number;
}) {
  const moved = previous ? movedBy(score, previous.score) : null;
  const fitsRight = left + 12 + cardWidth <= within;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-10 flex flex-col gap-0.5 rounded-md border bg-surface px-2 py-1.5 text-xs shadow-float"
      style={{ width: cardWidth, left: fitsRight ? left + 12 : Math.max(left - 12 - cardWidth, 0) }}
    >
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
      <span className="text-ink-3">{formatExact(new Date(at))}</span>
      <span className="text-ink-3">{trigger === "Manual" ? "started by hand" : "on schedule"}</span>
    </div>
  );
}
