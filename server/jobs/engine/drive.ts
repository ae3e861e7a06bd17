import { setTimeout as sleep } from "node:timers/promises";
import { describeError, log } from "../../log.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { within } from "../../telemetry/surroundings.ts";
import { failSpan, traced } from "../../telemetry/tracing.ts";
import { jobName } from "../job-name.ts";
import type { JobError } from "../tables.ts";
import type { Again, Operation, Sdk, SerializedError } from "./protocol.ts";
import { retryAfterMs } from "./retry.ts";
import { type ClaimedRun, completeRun, failRun, handBack, keepStep, putToSleep, retryRun } from "./runs.ts";
import { sleepOf } from "./sleep.ts";

export type Driving = {
  sdk: Sdk;
  maxAttempts: number;
  backoffMs: (failedTries: number) => number;
  /** Asked between steps: whether the worker is stopping, or has lost its lease. */
  shouldLetGo: () => boolean;
};

/** The run's worker no longer holds it: another one does, or will; or it was cancelled. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * Takes a claimed run as far as it goes: from step to step, keeping each result before the next begins, to
 * its end, to a failure that is tried again later, or to where the worker has to let go.
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
type Outcome = "completed" | "retried" | "failed" | "asleep" | "interrupted" | "lost";

async function drive(run: ClaimedRun, driving: Driving): Promise<Outcome> {
  const context = { job: run.functionId, run: run.id };
  try {
    return await advance(run, driving);
  } catch (err) {
    if (err instanceof LeaseLost) {
      log.warn(context, "A job is no longer this worker's: it was cancelled, or another took it over");
      return "lost";
    }
    log.error({ ...context, err }, "A job could not be driven");
    const { type, message } = describeError(err);
    const error = { name: type, message: storable(message) };
    // Where this fails too, the lease ends by itself and counts as a try.
    return tryAgainOrFail(run, driving, error, { retriable: true, retryAfter: null });
  }
}

async function advance(run: ClaimedRun, driving: Driving): Promise<Outcome> {
  const { sdk, maxAttempts, shouldLetGo } = driving;
  if (run.attempt >= maxAttempts)
    return fail(run, { name: "WorkerLost", message: "The process that ran this job was lost" });

  while (!shouldLetGo()) {
    const answer = await sdk.call({ ...run, runId: run.id, maxAttempts });
    if (answer.kind === "returned") {
      const isOurs = await persist(() => completeRun(run));
      log.debug({ job: run.functionId, run: run.id }, "A job is done");
      return isOurs ? "completed" : "lost";
    }
    if (answer.kind === "threw") return tryAgainOrFail(run, driving, answer.error, answer);

    const foreign = answer.operations.find((operation) => !stepOperations.has(operation.op));
    if (foreign) return fail(run, unsupported(foreign));
    const sleep = answer.operations.find((operation) => operation.op === "Sleep");
    if (sleep) return fallAsleep(run, sleep, answer.operations.length > 1);
    const planned = answer.operations.filter((operation) => operation.op === "StepPlanned");
    const next: Next =
      planned.length > 0
        ? await runPlanned(run, driving, planned)
        : await keepAll(run, answer.operations, answer, 0);
    if (next === "let-go") break;
    if (next !== "go-on") return tryAgainOrFail(run, driving, next.error, next);
  }
  await persist(() => handBack(run));
  return "interrupted";
}

/** How a call left the run: its steps are kept and it goes on, or a step failed. */
type Next = "go-on" | "let-go" | ({ error: SerializedError } & Again);

const stepOperations = new Set(["StepRun", "StepError", "StepFailed", "StepPlanned", "Sleep"]);

/** Nobody holds a run that sleeps: it is kept as one that is due later, on which the sleep is over. */
async function fallAsleep(run: ClaimedRun, operation: Operation, isBesideOthers: boolean): Promise<Outcome> {
  const { id: key, name, displayName } = operation;
  const sleep = sleepOf(name ?? "");
  // One row tells when a run goes on, and it cannot tell two times.
  if (!sleep || isBesideOthers) return fail(run, unsupported(operation));
  const step = { key, name: storable(displayName ?? key), data: null };
  if (!(await persist(() => putToSleep(run, step, sleep)))) throw new LeaseLost();
  return "asleep";
}

/** Keeps what the steps of one answer came to; `attempt` is how many tries have failed since. */
async function keepAll(
  run: ClaimedRun,
  operations: Operation[],
  again: Again,
  attempt: number,
): Promise<Next> {
  for (const { id: key, op, displayName, name, data, error } of operations) {
    const step = { key, name: storable(displayName ?? name ?? key) };
    if (op === "StepError") return { error: error ?? { name: "Error", message: "Unknown error" }, ...again };
    await keep(run, error ? { ...step, error: brief(error) } : { ...step, data: data ?? null }, attempt);
  }
  return "go-on";
}

/**
 * Steps that were planned together (`Promise.all`) run one after the other, each in a call of its own. All are
 * tried before a failure is, so none waits for another's retries.
 */
async function runPlanned(run: ClaimedRun, driving: Driving, planned: Operation[]): Promise<Next> {
  let failed: Next = "go-on";
  for (const [index, { id }] of planned.entries()) {
    if (driving.shouldLetGo()) return "let-go";
    const call = { ...run, runId: run.id, maxAttempts: driving.maxAttempts, step: id };
    const answer = await driving.sdk.call(call);
    if (answer.kind === "returned") return "go-on";
    const isLast = index === planned.length - 1;
    const next: Next =
      answer.kind === "threw"
        ? answer
        : await keepAll(run, answer.operations, answer, isLast && failed === "go-on" ? 0 : run.attempt);
    if (next !== "go-on" && failed === "go-on") failed = next;
  }
  return failed;
}

async function keep(run: ClaimedRun, step: Parameters<typeof keepStep>[1], attempt: number): Promise<void> {
  if (!(await persist(() => keepStep(run, step, attempt)))) throw new LeaseLost();
  run.steps.set(step.key, "error" in step ? { error: step.error } : { data: step.data });
  run.attempt = attempt;
}

async function tryAgainOrFail(
  run: ClaimedRun,
  { maxAttempts, backoffMs }: Driving,
  error: SerializedError,
  { retriable, retryAfter }: Again,
): Promise<Outcome> {
  const failedTries = run.attempt + 1;
  if (!retriable || failedTries >= maxAttempts) return fail(run, error);
  const delayMs = retryAfterMs(retryAfter, new Date()) ?? backoffMs(failedTries);
  log.warn({ ...about(run, error), failedTries, delayMs }, "A job failed and will be tried again");
  const isOurs = await persist(() => retryRun(run, failedTries, delayMs, brief(error).message));
  return isOurs ? "retried" : "lost";
}

async function fail(run: ClaimedRun, error: SerializedError): Promise<Outcome> {
  log.error(about(run, error), "A job failed");
  return (await persist(() => failRun(run, brief(error)))) ? "failed" : "lost";
}

const about = (run: ClaimedRun, error: SerializedError) => ({
  job: run.functionId,
  run: run.id,
  err: revived(error),
});

/** The error again, for the log. */
function revived({ name, message, stack, cause }: SerializedError): Error {
  const inner = typeof cause === "object" && cause !== null ? revived(cause as SerializedError) : cause;
  return Object.assign(new Error(message, { cause: inner }), { name, stack: stack ?? message });
}

/** What is stored of an error: no stack, and no values that were bound to a query. */
function brief(error: SerializedError): JobError {
  return { name: storable(error.name), message: storable(describeError(revived(error)).message) };
}

/** PostgreSQL stores no NUL; and nobody reads ten thousand characters of an error. */
const storable = (text: string) => text.replaceAll("\0", "\uFFFD").slice(0, 4000).toWellFormed();

function unsupported({ op, displayName, id }: Operation): SerializedError {
  const message = `The embedded jobs engine does not support the step "${displayName ?? id}" (${op})`;
  return { name: "UnsupportedJobs", message };
}

/** A step's result must not be lost because the database was away for a moment. */
async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (const delayMs of [100, 300, 900, 2700]) {
    try {
      return await write();
    } catch (err) {
      log.warn({ err, delayMs }, "The jobs' database did not answer; trying again");
      await sleep(delayMs);
    }
  }
  return write();
}
