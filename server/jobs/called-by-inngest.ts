import { clock, metrics } from "../telemetry/metrics.ts";
import { surroundings, within } from "../telemetry/surroundings.ts";
import { failSpan, traced } from "../telemetry/tracing.ts";
import { jobName } from "./job-name.ts";

/**
 * Goes along with a call of a job by Inngest, as the embedded engine does with a run of its own: it is counted, timed
 * and traced, and lines of the log say which job it is. Each step of a job is a call. Of functions that are not ours
 * nothing is told, because anybody may make up their names.
 */
export function accompanyJob(
  url: string,
  functionIds: ReadonlySet<string>,
  call: () => Promise<Response>,
): Promise<Response> {
  const functionId = new URL(url).searchParams.get("fnId") ?? "";
  if (!functionIds.has(functionId)) return call();
  const job = jobName(functionId);
  const took = clock();
  return within({ ...surroundings(), job }, () =>
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

/** As the SDK tells Inngest. null for a call that was refused, because nobody from Inngest made it. */
function outcomeOf({ status, headers }: Response): "completed" | "stepped" | "failed" | "retried" | null {
  if (status === 200) return "completed";
  if (status === 206) return "stepped";
  const noRetry = headers.get("x-inngest-no-retry");
  return noRetry === null ? null : noRetry === "true" ? "failed" : "retried";
}
