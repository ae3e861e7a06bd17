"use client";
import { FormError } from "@/components/ui/field.tsx";
import { formatDuration } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Elapsed, UnderWay, useHeldFor } from "@/components/ui/under-way.tsx";
import type { Execution } from "@/server/subscriptions/schema.ts";
import type { ExecutionRun } from "./use-execution-run.ts";

/** Says that the subscription is running, or why it could not be started or followed. */
export function RunProgress({
  run,
  latest,
  timeoutSeconds,
}: {
  run: ExecutionRun;
  latest: Execution | undefined;
  timeoutSeconds: number;
}) {
  const isLong = useHeldFor(run.isRunning, 400);
  if (run.isRunning) {
    // Avoid a layout shift for a quick run; the button and the result are enough.
    if (!isLong) return null;
    return (
      <UnderWay>
        <Status kind="running">Running the query…</Status>
        {run.since !== null && <Elapsed key={run.since} since={run.since} />}
        <span className="text-ink-2">
          It can take up to {formatDuration(timeoutSeconds * 1000)} before it times out.
        </span>
        <span className="ml-auto text-xs text-ink-3">You can leave this page; the work continues.</span>
      </UnderWay>
    );
  }
  if (run.failure)
    return (
      <div className="pb-4">
        <FormError>The run could not be started or tracked: {run.failure} Earlier runs are kept.</FormError>
      </div>
    );
  if (latest?.status !== "Created") return null;
  return (
    <UnderWay>
      <Status kind="running">A run is in progress…</Status>
      <span className="text-ink-2">
        Begun {latest.trigger === "Scheduled" ? "by the schedule" : "manually"}{" "}
        <Moment at={latest.executedAt} />. Its result appears here.
      </span>
    </UnderWay>
  );
}
