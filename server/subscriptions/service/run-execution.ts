import { performance } from "node:perf_hooks";
import { eq, type SQL, sql } from "drizzle-orm";
import type { Priority } from "../../data-sources/slots.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { db, type Transaction } from "../../db/client.ts";
import { sideBySide } from "../../db/in-one-go.ts";
import { jobTransaction } from "../../db/job-transaction.ts";
import { type Problem, problemIn } from "../../errors.ts";
import { sendEvents } from "../../jobs/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { maintenanceUntil } from "../../maintenance/service.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import {
  getRunnableQueryOfJob,
  type QueryResult,
  type RunnableQuery,
  runSteps,
} from "../../queries/service/run.ts";
import { titleOfSubscription } from "../../queries/service/subscription-titles.ts";
import { tablesReadBy } from "../../queries/service/tables-read.ts";
import { sendInProject } from "../../realtime/service.ts";
import { type RecordedTask, recordFinding, recordNoFinding } from "../../tasks/service/findings.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { failSpan, traced } from "../../telemetry/tracing.ts";
import { endOf } from "../events.ts";
import { firstNumber } from "../first-number.ts";
import { judge } from "../judge.ts";
import type { KeptRows } from "../kept-rows.ts";
import type { ExecutionStatus } from "../kinds.ts";
import { limits } from "../limits.ts";
import { anomalyNotification, resultNotification } from "../notification.ts";
import { storable } from "../storable.ts";
import { executions, subscriptions } from "../tables.ts";
import type { Begun } from "./begin-executions.ts";
import { countStatuses } from "./counters.ts";
import { judgedColumn, judgeMetric, recordAnomaly, whatWasUsual } from "./detect-anomaly.ts";
import { watchOutcome } from "./incidents.ts";
import { keepRows, rowsToKeep, withRowsIfPossible } from "./keep-rows.ts";
import { executionLeases } from "./leases.ts";
import { type JudgedSubscription, lockSubscription } from "./lock-subscription.ts";
import { newRowsOf, recentRowCounts } from "./news-of-run.ts";
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
    const isHeld = executionLeases.isHeldBy(lease);
    const execution = await load(lease, isHeld);
    const outcome =
      lease.attempt > limits.maxAttempts ? interrupted() : await runQuery(execution, execution.query);
    const rows = "result" in outcome ? rowsToKeep(execution, outcome.result) : null;
    const quiet = quietlyRan(lease, execution, outcome, rows);
    const status =
      (quiet && (await storeQuiet(quiet))) ??
      (await withRowsIfPossible(lease.id, rows, (kept) => store(lease, isHeld, execution, outcome, kept)));
    metrics.executions.inc({ trigger: execution.execution.trigger, status });
    metrics.executionSeconds.observe(took());
    span?.setAttribute("plumbline.execution.status", status);
    if (status === "Failed" || status === "Timeout") failSpan(span, status);
  });
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** The result of running the query: rows, or why there are none. Times are in milliseconds. */
type Outcome = { executionTimeMs: number } & (
  | { result: QueryResult }
  | { status: Extract<ExecutionStatus, "Failed" | "Timeout">; message: string }
);

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

async function store(
  lease: Lease,
  isHeld: SQL,
  { execution, query }: Loaded,
  outcome: Outcome,
  kept: KeptRows | null,
): Promise<ExecutionStatus> {
  return jobTransaction(async (tx) => {
    const subscription = await lockSubscription(tx, execution.subscriptionId);
    const rowCount = "result" in outcome ? outcome.result.rowCount : null;
    const measured = "result" in outcome ? firstNumber(outcome.result) : null;
    const metricValue = measured?.value ?? null;
    const judgedMetric = await judgeMetric(tx, subscription, { ...execution, rowCount, metricValue });
    const quietUntil = await silencedUntil(tx, subscription, query, {
      hasNews:
        rowCount !== null &&
        (judge(subscription.condition, rowCount, false).isMet || !!judgedMetric?.anomaly),
    });
    const isSilenced = quietUntil !== null;
    const judged = rowCount === null ? null : judge(subscription.condition, rowCount, isSilenced);
    const status = judged?.status ?? ("status" in outcome ? outcome.status : "Failed");
    const looksAtColumn = subscription.anomalyEnabled && subscription.anomalyMetric === "FirstNumericColumn";

    const stored = await tx
      .update(executions)
      .set({
        status,
        rowCount,
        metricValue,
        metricColumn: judgedColumn(subscription, measured),
        ...whatWasUsual(judgedMetric),
        silencedUntil: quietUntil,
        executionTimeMs: outcome.executionTimeMs,
        errorMessage: "message" in outcome ? storable(outcome.message) : null,
        finishedAt: sql`clock_timestamp()`,
      })
      .where(isHeld)
      .returning();
    if (stored.length === 0) throw new LeaseLost("The execution was taken over before it was stored");
    if (kept) await keepRows(tx, [{ executionId: lease.id, kept }]);

    const about = { subscription, execution, status, rowCount };
    const anomaly = judgedMetric?.anomaly ?? null;
    const isTold = status === "NotificationSent" || (anomaly !== null && !isSilenced);
    const [task, anomalyId, title, recent, newRows] = await sideBySide(
      rowCount !== null &&
        updateTask(tx, subscription, execution.executedAt, rowCount, judged?.isMet ?? false),
      judgedMetric && anomaly && recordAnomaly(tx, subscription, execution, { ...judgedMetric, anomaly }),
      isTold ? titleOfSubscription(tx, subscription.id) : "",
      isTold ? recentRowCounts(tx, execution) : [],
      status === "NotificationSent" ? newRowsOf(tx, execution, kept) : null,
      countStatuses(tx, [{ before: execution, status }]),
    );
    const offered = { anomalyId, freeTaskId: task && task.assigneeId === null ? task.taskId : null };

    if ("result" in outcome && status === "NotificationSent")
      await enqueueNotification(
        tx,
        resultNotification({ ...about, title }, outcome.result, anomaly, {
          ...{ recent, newRows },
          usual: looksAtColumn ? null : (judgedMetric?.usual ?? null),
          ...offered,
        }),
      );
    else if (anomaly && !isSilenced)
      await enqueueNotification(
        tx,
        anomalyNotification({ ...about, title }, anomaly, {
          recent,
          usual: looksAtColumn ? null : (judgedMetric?.usual ?? null),
          ...offered,
        }),
      );
    await watchOutcome(
      tx,
      { ...about, dataSourceIds: sourcesOf(query) },
      "message" in outcome ? outcome.message : null,
    );

    if (execution.requestedById !== null)
      await sendInProject(tx, subscription.projectId, [execution.requestedById], {
        name: "JobStatusChanged",
        data: { kind: "Execution", id: lease.id, status },
      });
    await sendEvents(tx, endOf(lease.id, subscription));
    return status;
  });
}

/**
 * Until when nobody is notified: the end of the subscription's silence, or of the maintenance of what it
 * reads, whichever is later; null if someone is. Without news, nobody would be, so maintenance is not looked up.
 */
async function silencedUntil(
  tx: Transaction,
  subscription: JudgedSubscription,
  query: Loaded["query"],
  { hasNews }: { hasNews: boolean },
): Promise<Date | null> {
  const silence = subscription.isSilenced ? subscription.silencedUntil : null;
  if (!hasNews) return silence;
  const { projectId } = subscription;
  const tables = async () => (await tablesReadBy(tx, subscription.queryId)).tables;
  const maintenance = await maintenanceUntil(tx, { projectId, dataSourceIds: sourcesOf(query), tables });
  return silence === null || (maintenance !== null && maintenance > silence) ? maintenance : silence;
}

const sourcesOf = (query: Loaded["query"]): number[] => [
  ...new Set(query?.steps.flatMap(({ dataSourceId }) => dataSourceId ?? [])),
];

/**
 * Rows that meet the condition open the task, no rows resolve it, and anything else leaves it unchanged. Returns the
 * task that they were recorded in.
 */
async function updateTask(
  tx: Transaction,
  { id: subscriptionId, queryId, projectId, createTasks, archivedAt }: JudgedSubscription,
  at: Date,
  rowCount: number,
  isMet: boolean,
): Promise<RecordedTask | null> {
  if (rowCount === 0) await recordNoFinding(tx, subscriptionId, at);
  else if (createTasks && isMet && archivedAt === null)
    return recordFinding(tx, { subscriptionId, queryId, projectId }, { rowCount }, at);
  return null;
}
