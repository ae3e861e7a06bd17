import { performance } from "node:perf_hooks";
import { eq, type SQL } from "drizzle-orm";
import type { Priority } from "../../data-sources/slots.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { db } from "../../db/client.ts";
import { storedAtOnce } from "../../db/stored-at-once.ts";
import { type Problem, problemIn } from "../../errors.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { getRunnableQueryOfJob, type RunnableQuery, runSteps } from "../../queries/service/run.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { failSpan, traced } from "../../telemetry/tracing.ts";
import { firstNumber } from "../first-number.ts";
import type { KeptRows } from "../kept-rows.ts";
import type { ExecutionStatus } from "../kinds.ts";
import { limits } from "../limits.ts";
import { executions, subscriptions } from "../tables.ts";
import type { Begun } from "./begin-executions.ts";
import { rowsToKeep, withRowsIfPossible } from "./keep-rows.ts";
import { executionLeases } from "./leases.ts";
import { type Executed, type Outcome, storeExecutions } from "./store-executions.ts";
import { type Ran, storeQuiet } from "./store-quiet.ts";

/**
 * One execution of a subscription, start to finish: runs its query's steps with its parameters, applies its condition,
 * looks for an anomaly, opens or resolves its task, and notifies recipients.
 *
 * Everything that follows from a result is stored with it, in one transaction and under the lease: an interrupted
 * execution is run again, but counts, opens, and notifies once. Changes during the run (an edit, a silence, archiving)
 * apply when the result is stored.
 */
export function runExecution(lease: Lease<Begun>): Promise<void> {
  const took = clock();
  return traced("execution", { "plumbline.execution.id": lease.id }, async (span) => {
    const execution = await load(lease, executionLeases.isHeldBy(lease));
    const outcome =
      lease.attempt > limits.maxAttempts ? interrupted() : await runQuery(execution, execution.query);
    const rows = "result" in outcome ? rowsToKeep(execution, outcome.result) : null;
    const quiet = quietlyRan(lease, execution, outcome, rows);
    const status =
      (quiet && (await storeQuiet(quiet))) ??
      (await withRowsIfPossible(lease.id, rows, (kept) => store({ ...execution, lease, outcome, kept })));
    metrics.executions.inc({ trigger: execution.execution.trigger, status });
    metrics.executionSeconds.observe(took());
    span?.setAttribute("plumbline.execution.status", status);
    if (status === "Failed" || status === "Timeout") failSpan(span, status);
  });
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** The current subscription and query; the version that runs is recorded. */
async function load({ begun }: Lease<Begun>, isHeld: SQL): Promise<Begun & { query: RunnableQuery | null }> {
  const loaded = begun ?? (await loadHeld(isHeld));
  const query = await getRunnableQueryOfJob(loaded.subscription.queryId);
  const { parameters } = loaded.subscription;
  const isRecorded = begun && query?.versionNumber === begun.execution.queryVersion;
  if (query && !isRecorded)
    await db.update(executions).set({ queryVersion: query.versionNumber, parameters }).where(isHeld);
  return { ...loaded, query };
}

async function loadHeld(isHeld: SQL): Promise<Begun> {
  const [loaded] = await db
    .select({ execution: executions, subscription: subscriptions })
    .from(executions)
    .innerJoin(subscriptions, eq(subscriptions.id, executions.subscriptionId))
    .where(isHeld);
  if (!loaded) throw new LeaseLost("The execution was taken over before it was loaded");
  return loaded;
}

async function runQuery({ execution, subscription }: Loaded, query: Loaded["query"]): Promise<Outcome> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  if (!query) return { status: "Failed", message: "The query is archived", executionTimeMs: 0 };
  const priority: Priority = execution.trigger === "Manual" ? "person" : "schedule";
  try {
    const result = await runSteps(
      query.steps,
      subscription.parameters,
      {
        timeoutMs: subscription.timeoutSeconds * 1000,
        maxRows: limits.maxRows,
        maxBytes: limits.maxBytes,
        countAll: true,
      },
      { priority },
    );
    return { result, executionTimeMs: result.executionTimeMs };
  } catch (error) {
    const problem = problemIn(asProblem(error));
    // Anything else is the service's own fault: the execution is released and retried.
    if (!problem) throw error;
    return { ...failureOf(problem), executionTimeMs: took() };
  }
}

function failureOf({ code, detail, more: { errors } }: Problem) {
  const [first] = errors ?? [];
  return {
    status: code === "source_timeout" ? ("Timeout" as const) : ("Failed" as const),
    message: first ? `${first.path} ${first.message}` : detail,
  };
}

function interrupted(): Outcome {
  const message = `The execution was interrupted ${limits.maxAttempts} times`;
  return { status: "Failed", message, executionTimeMs: 0 };
}

/** What is stored of an execution of which probably nobody has to be told; null for others. */
function quietlyRan(
  lease: Lease,
  { execution, subscription }: Loaded,
  outcome: Outcome,
  kept: KeptRows | null,
): Ran | null {
  if (!("result" in outcome) || execution.requestedById !== null) return null;
  const { result, executionTimeMs } = outcome;
  const measured = firstNumber(result);
  return { lease, execution, subscription, rowCount: result.rowCount, measured, executionTimeMs, kept };
}

/** More rows than these are stored, compressed, and sent alone: others would wait for them. */
const mostRowsTogether = 1000;

/** Scheduled ones that end at the same time share their statements. Throws LeaseLost. */
async function store(run: Executed): Promise<ExecutionStatus> {
  const { execution, outcome } = run;
  const isLarge = "result" in outcome && outcome.result.rows.length > mostRowsTogether;
  const stored = await storeAtOnce(run, { alone: execution.trigger !== "Scheduled" || isLarge });
  if (!stored) throw new LeaseLost("The execution was taken over before it was stored");
  return stored;
}

const storeAtOnce = storedAtOnce(storeExecutions);
