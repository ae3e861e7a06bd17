"use client";
import { FormError } from "@/components/ui/field.tsx";
import { formatDuration } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Elapsed, UnderWay, useStill } from "@/components/ui/under-way.tsx";
import type { Execution } from "@/server/subscriptions/schema.ts";
import type { ExecutionRun } from "./use-execution-run.ts";

/** That the subscription runs, or why it could not be begun or followed. */
export function RunProgress({
  run,
  latest,
  timeoutSeconds,
}: {
  run: ExecutionRun;
  latest: Execution | undefined;
  timeoutSeconds: number;
}) {
  const isLong = useStill(run.isRunning, 400);
  if (run.isRunning) {
    // What is over at once does not push the page about; the button and the result say enough.
    if (!isLong) return null;
    return (
      <UnderWay>
        <Status kind="running">Running the query…</Status>
        {run.since !== null && <Elapsed key={run.since} since={run.since} />}
        <span className="text-ink-2">
          It may take {formatDuration(timeoutSeconds * 1000)} before it times out.
        </span>
        <span className="ml-auto text-xs text-ink-3">You may leave this page; it goes on.</span>
      </UnderWay>
    );
  }
  if (run.failure)
    return (
      <div className="pb-4">
        <FormError>The run could not be begun or followed: {run.failure} Earlier runs are kept.</FormError>
      </div>
    );
  if (latest?.status !== "Created") return null;
  return (
    <UnderWay>
      <Status kind="running">A run is under way…</Status>
      <span className="text-ink-2">
        Begun {latest.trigger === "Scheduled" ? "by the schedule" : "by hand"}{" "}
        <Moment at={latest.executedAt} />. Its result appears here by itself.
      </span>
    </UnderWay>
  );
}
