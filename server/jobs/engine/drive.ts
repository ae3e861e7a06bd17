import { setTimeout as sleep } from "node:timers/promises";
import { afterRequests } from "../../requests-first.ts";
import { describeError, log } from "../../telemetry/log.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { failSpan, traced } from "../../telemetry/tracing.ts";
import { within } from "../../telemetry/work-context.ts";
import { storable } from "../../text.ts";
import { jobName } from "../job-name.ts";
import type { JobError } from "../tables.ts";
import type { Again, Operation, Sdk, SerializedError } from "./protocol.ts";
import { retryAfterMs } from "./retry.ts";
import {
  type ClaimedRun,
  completeRun,
  failRun,
  keepStep,
  releaseRun,
  retryRun,
  type StepResult,
} from "./runs.ts";

export type Driving = {
  sdk: Sdk;
  maxAttempts: number;
  backoffMs: (failedTries: number) => number;
  /** Checked between steps: whether the worker is stopping or has lost its lease. */
  shouldLetGo: () => boolean;
};

/** The run's worker no longer holds it: another one does or will, or it was cancelled. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * Executes a claimed run step by step, storing each result before the next step begins, until it ends, fails and is to
 * be tried again later, or the worker has to release it.
 */
export function driveRun(run: ClaimedRun, driving: Driving): Promise<void> {
  const job = jobName(run.functionId);
  const took = clock();
  return within({ job, run: run.id }, () =>
    traced(`job ${job}`, { "plumbline.job": job, "plumbline.job.run": run.id }, async (span) => {
      const outcome = await drive(run, driving);
      metrics.jobRuns.inc({ job, outcome });
      metrics.jobRunSeconds.observe({ job }, took());
      span?.setAttribute("plumbline.job.outcome", outcome);
      if (outcome === "failed" || outcome === "retried") failSpan(span, outcome);
    }),
  );
}

/** How a worker's stretch of work on a run ended. `lost`: it was cancelled, or another worker took it over. */
type Outcome = "completed" | "retried" | "failed" | "interrupted" | "lost";

async function drive(run: ClaimedRun, driving: Driving): Promise<Outcome> {
  const context = { job: run.functionId, run: run.id };
  try {
    return await advance(run, driving);
  } catch (err) {
    if (err instanceof LeaseLost) {
      log.warn(context, "A job is no longer this worker's: it was cancelled, or another took it over");
      return "lost";
    }
    log.error({ ...context, err }, "A job could not be run");
    const { type, message } = describeError(err);
    const error = { name: type, message: stored(message) };
    // If this fails too, the lease expires and counts as a try.
    return retryOrFail(run, driving, error, { retriable: true, retryAfter: null });
  }
}

async function advance(run: ClaimedRun, driving: Driving): Promise<Outcome> {
  const { sdk, maxAttempts, shouldLetGo } = driving;
  if (run.attempt >= maxAttempts)
    return fail(run, { name: "WorkerLost", message: "The process that ran this job was lost" });

  while (!shouldLetGo()) {
    await afterRequests();
    const answer = await sdk.call({ ...run, runId: run.id, maxAttempts }, async (step) => {
      await keep(run, resultOf(step));
      return !shouldLetGo();
    });
    if (answer.kind === "returned") {
      const isOurs = await persist(() => completeRun(run, answer.last && resultOf(answer.last)));
      log.debug({ job: run.functionId, run: run.id }, "A job completed");
      return isOurs ? "completed" : "lost";
    }
    if (answer.kind === "stopped") break;
    if (answer.kind === "threw") return retryOrFail(run, driving, answer.error, answer);

    const foreign = answer.operations.find((operation) => !stepOperations.has(operation.op));
    if (foreign) return fail(run, unsupported(foreign));
    for (const step of answer.operations) {
      const { op, error } = step;
      if (op === "StepError")
        return retryOrFail(run, driving, error ?? { name: "Error", message: "Unknown error" }, answer);
      await keep(run, resultOf(step));
    }
  }
  await persist(() => releaseRun(run));
  return "interrupted";
}

/**
 * A step has ended: it succeeded, may be retried, or failed permanently. Steps started in parallel (`Promise.all`)
 * would be reported as `StepPlanned`.
 */
const stepOperations = new Set(["StepRun", "StepError", "StepFailed"]);

function resultOf({ id: key, displayName, name, data, error }: Operation): StepResult {
  const step = { key, name: stored(displayName ?? name ?? key) };
  return error ? { ...step, error: brief(error) } : { ...step, data: data ?? null };
}

async function keep(run: ClaimedRun, step: StepResult): Promise<void> {
  if (!(await persist(() => keepStep(run, step)))) throw new LeaseLost();
  run.steps.set(step.key, "error" in step ? { error: step.error } : { data: step.data });
  run.attempt = 0;
}

async function retryOrFail(
  run: ClaimedRun,
  { maxAttempts, backoffMs }: Driving,
  error: SerializedError,
  { retriable, retryAfter }: Again,
): Promise<Outcome> {
  const failedTries = run.attempt + 1;
  if (!retriable || failedTries >= maxAttempts) return fail(run, error);
  const delayMs = retryAfterMs(retryAfter, new Date()) ?? backoffMs(failedTries);
  log.warn({ ...about(run, error), failedTries, delayMs }, "A job failed and will be retried");
  const isOurs = await persist(() => retryRun(run, failedTries, delayMs, brief(error).message));
  return isOurs ? "retried" : "lost";
}

async function fail(run: ClaimedRun, error: SerializedError): Promise<Outcome> {
  log.error(about(run, error), "A job failed");
  return (await persist(() => failRun(run, brief(error).message))) ? "failed" : "lost";
}

const about = (run: ClaimedRun, error: SerializedError) => ({
  job: run.functionId,
  run: run.id,
  err: revived(error),
});

/** The error, restored for the log. */
function revived({ name, message, stack, cause }: SerializedError): Error {
  const inner = typeof cause === "object" && cause !== null ? revived(cause as SerializedError) : cause;
  return Object.assign(new Error(message, { cause: inner }), { name, stack: stack ?? message });
}

/** What is stored of an error: no stack, and no values that were bound to a query. */
function brief(error: SerializedError): JobError {
  return { name: stored(error.name), message: stored(describeError(revived(error)).message) };
}

/** PostgreSQL cannot store NUL, and nobody reads ten thousand characters of an error. */
const stored = (text: string) => storable(text.replaceAll("\0", "\uFFFD"), 4000);

function unsupported({ op, displayName, id }: Operation): SerializedError {
  const message = `The embedded jobs engine does not support the step "${displayName ?? id}" (${op})`;
  return { name: "UnsupportedJobs", message };
}

/** A step's result must not be lost because the database was briefly unavailable. */
async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (const delayMs of [100, 300, 900, 2700]) {
    try {
      return await write();
    } catch (err) {
      log.warn({ err, delayMs }, "The jobs' database did not respond; retrying");
      await sleep(delayMs);
    }
  }
  return write();
}
