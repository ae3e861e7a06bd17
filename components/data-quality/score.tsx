/** How scores are shown: two decimals, a thin bar, and a status with an icon and a word. */
import { cn } from "@/components/ui/class-names.ts";
import { formatFixed } from "@/components/ui/format.ts";
import { Status } from "@/components/ui/status.tsx";
import { Trend } from "@/components/ui/trend.tsx";
import type { Trend as TrendWord } from "@/server/data-quality/score-schema.ts";
import { movedBy, type ScoreStatus, trendDirection } from "./score-status.ts";

export function formatScore(score: number): string {
  return formatFixed(score, 2);
}

/** Describes a sparkline of scores. */
export function courseText(course: readonly (number | null)[]): string {
  const scores = course.map((score) => (score === null ? "none" : formatScore(score)));
  return `Scores of the last ${course.length} evaluations, oldest first: ${scores.join(", ")}`;
}

/** Points of the score, signed if lost; a value that would round to zero is shown as small but nonzero. */
export function formatPoints(points: number): string {
  const size = Math.abs(points);
  if (size > 0 && size < 0.005) return "<0.01";
  return `${points < 0 ? "−" : ""}${formatFixed(size, 2)}`;
}

/** The number above a thin bar out of 100, with a mark at the threshold. */
export function ScoreBar({ score, threshold }: { score: number; threshold?: number }) {
  return (
    <span className="inline-flex w-16 flex-col gap-0.5">
      <span className="text-right tabular-nums">{formatScore(score)}</span>
      <span aria-hidden className="relative block h-[3px] rounded-sm bg-line">
        <span className="absolute inset-y-0 left-0 rounded-sm bg-ink-3" style={{ width: `${score}%` }} />
        {threshold !== undefined && (
          <span className="absolute -top-px h-[5px] w-px bg-ink" style={{ left: `${threshold}%` }} />
        )}
      </span>
    </span>
  );
}

export function ScoreStatusWord({
  status: { kind, word },
  title,
}: {
  status: ScoreStatus;
  title?: string | undefined;
}) {
  return (
    <span title={title}>
      <Status kind={kind}>{word}</Status>
    </span>
  );
}

/**
 * "▼ 4.05 Degrading", comparing two measured scores. Says so if there is no earlier one. No trend while the data
 * source is unreachable.
 */
export function ScoreTrend({
  trend,
  score,
  previousScore,
  outage,
  className,
}: {
  trend: TrendWord | null;
  score: number | null;
  previousScore: number | null;
  outage: object | null;
  className?: string;
}) {
  if (trend === null || score === null || outage !== null) return null;
  const moved = movedBy(score, previousScore);
  if (moved === null) return <span className={cn("text-ink-3", className)}>First evaluation</span>;
  return (
    <Trend direction={trendDirection[trend]} amount={formatScore(moved)} {...(className && { className })}>
      {trend}
    </Trend>
  );
}
