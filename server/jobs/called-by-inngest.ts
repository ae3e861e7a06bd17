import { clock, metrics } from "../telemetry/metrics.ts";
import { failSpan, traced } from "../telemetry/tracing.ts";
import { within, workContext } from "../telemetry/work-context.ts";
import { jobName } from "./job-name.ts";

/**
 * Instruments a job call from Inngest as the embedded engine does for its own runs: counts, times, and traces it, and
 * adds the job's name to log lines. Each step of a job is a call. Calls of unknown functions get none of this, since
 * anyone may make up their names.
 */
export function instrumentJob(
  url: string,
  functionIds: ReadonlySet<string>,
  call: () => Promise<Response>,
): Promise<Response> {
  const functionId = new URL(url).searchParams.get("fnId") ?? "";
  if (!functionIds.has(functionId)) return call();
  const job = jobName(functionId);
  const took = clock();
  return within({ ...workContext(), job }, () =>
    traced(`job ${job}`, { "plumbline.job": job }, async (span) => {
      const response = await call();
      const outcome = outcomeOf(response);
      if (outcome) {
        metrics.jobRuns.inc({ job, outcome });
        metrics.jobRunSeconds.observe({ job }, took());
        span?.setAttribute("plumbline.job.outcome", outcome);
        if (outcome === "failed" || outcome === "retried") failSpan(span, outcome);
      }
      return response;
    }),
  );
}

/** The outcome, from what the SDK tells Inngest. null for a rejected call, which did not come from Inngest. */
function outcomeOf({ status, headers }: Response): "completed" | "stepped" | "failed" | "retried" | null {
  if (status === 200) return "completed";
  if (status === 206) return "stepped";
  const noRetry = headers.get("x-inngest-no-retry");
  return noRetry === null ? null : noRetry === "true" ? "failed" : "retried";
}
