/** The exact figures of one run, beside its column of the chart. */
import { formatDuration, formatExact } from "@/components/ui/format.ts";
import type { Anomaly, Execution } from "@/server/subscriptions/schema.ts";
import { Outcome } from "./outcome.tsx";

const cardWidth = 248;

export function RunCard({
  run: { outcome, executedAt, executionTimeMs, trigger, errorMessage },
  value,
  anomaly,
  left,
  within,
}: {
  run: Execution;
  /** What is plotted of it, where that is not the rows. */
  value: string | null;
  anomaly: Anomaly | undefined;
  /** The column's place, and the width it must stay within. */
  left: number;
  within: number;
}) {
  const fitsRight = left + 12 + cardWidth <= within;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-10 flex flex-col gap-0.5 rounded-md border bg-surface px-2 py-1.5 text-xs shadow-float"
      style={{ width: cardWidth, left: fitsRight ? left + 12 : Math.max(left - 12 - cardWidth, 0) }}
    >
      <Outcome outcome={outcome} className="text-sm" />
      {value !== null && <span className="tabular-nums">{value}</span>}
      {errorMessage && <span className="line-clamp-3 break-words text-ink-2">{errorMessage}</span>}
      {anomaly && <span className="line-clamp-3 text-warning">{anomaly.explanation}</span>}
      <span className="text-ink-3">{formatExact(new Date(executedAt))}</span>
      <span className="text-ink-3">
        {trigger === "Manual" ? "by hand" : "on schedule"}
        {executionTimeMs !== null && `, took ${formatDuration(executionTimeMs)}`}
      </span>
    </div>
  );
}
