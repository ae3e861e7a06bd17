"use client";
import { formatExact, formatRelative } from "@/components/ui/format.ts";
import { useNow } from "@/components/ui/moment.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { cronProblem, nextRuns } from "@/server/jobs/cron.ts";
import { wallTime } from "@/server/zoned-time.ts";
import { formatRun } from "./format-run.ts";
import { RunsSkeleton } from "./runs-skeleton.tsx";

/**
 * The next five runs of a schedule, each with a relative time. Where the schedule's clocks differ from the reader's, both
 * times are shown, which leaves no room for the relative one.
 */
export function NextRuns({ expression, timezone }: { expression: string; timezone: string }) {
  const now = useNow();
  const zone = useZone();
  if (cronProblem(expression) !== null) return null;
  if (now === null) return <RunsSkeleton />;
  const from = new Date(now);
  return (
    <ol aria-label="Next runs" className="flex flex-col">
      {nextRuns(expression, timezone, from, 5).map((run) => (
        <li key={run.getTime()} className="flex items-baseline justify-between gap-4 py-0.5">
          <time
            dateTime={run.toISOString()}
            title={`${formatExact(run, zone)}, ${formatRelative(run, from, zone)}`}
            className="tabular-nums"
          >
            {formatRun(run, timezone, zone)}
          </time>
          {wallTime(run, timezone) === wallTime(run, zone) && (
            <span className="text-xs whitespace-nowrap text-ink-3">{formatRelative(run, from, zone)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
