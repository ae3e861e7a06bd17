"use client";
import { formatRun } from "@/components/cron/format-run.ts";
import { FormError } from "@/components/ui/field.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Elapsed, UnderWay, useHeldFor } from "@/components/ui/under-way.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { EvaluationRun } from "./use-evaluation-run.ts";

/** The progress of an evaluation, or why it could not be started or followed. */
export function RunProgress({
  run,
  awaited,
  timezone,
}: {
  run: EvaluationRun;
  /** A scheduled run that is due and has no result yet. */
  awaited: Date | null;
  timezone: string;
}) {
  const zone = useZone();
  const isLong = useHeldFor(run.isRunning, 400);
  if (run.failure && !run.isRunning)
    return (
      <div className="pb-4">
        <FormError>
          The evaluation could not be started or tracked: {run.failure} Earlier results are kept.
        </FormError>
      </div>
    );
  if (!run.isRunning)
    return awaited === null ? null : (
      <UnderWay>
        <Status kind="running">The run of {formatRun(awaited, timezone, zone)} is due…</Status>
        <span className="text-ink-2">Its result appears here.</span>
      </UnderWay>
    );
  // Avoid a layout shift for a quick run; the button and the result are enough.
  if (!isLong) return null;
  const { done, total } = run.progress ?? { done: 0, total: 0 };
  const running = run.progress?.running ?? [];
  return (
    <UnderWay>
      <Status kind="running">
        {total === 0 ? "Beginning…" : `Measuring rule ${Math.min(done + 1, total)} of ${total}…`}
      </Status>
      {run.since !== null && <Elapsed key={run.since} since={run.since} />}
      {running.length > 0 && (
        <span className="min-w-0 max-w-full truncate text-ink-2" title={running.join(", ")}>
          {running.join(", ")}
        </span>
      )}
      {run.trigger === "Scheduled" && <span className="text-ink-2">Started by the schedule.</span>}
      <span className="ml-auto text-xs text-ink-3">You can leave this page; the work continues.</span>
      <div
        role="progressbar"
        aria-label="Rules measured"
        aria-valuemin={0}
        aria-valuemax={Math.max(total, 1)}
        aria-valuenow={done}
        className="h-1 w-full overflow-hidden rounded-sm bg-hover"
      >
        <div
          className="h-full rounded-sm bg-accent transition-[width] duration-300"
          style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }}
        />
      </div>
    </UnderWay>
  );
}
