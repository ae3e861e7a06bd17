import type { Transaction } from "../../db/client.ts";
import { sideBySide } from "../../db/in-one-go.ts";
import { sendEvents } from "../../jobs/client.ts";
import type { Lease } from "../../jobs/leases.ts";
import { loadMaintenance } from "../../maintenance/service.ts";
import { enqueueNotifications, type NotificationRequest } from "../../notifications/service/enqueue.ts";
import type { QueryResult, RunnableQuery } from "../../queries/service/run.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { tablesReadBy } from "../../queries/service/tables-read.ts";
import { sendInProject } from "../../realtime/service.ts";
import { type RecordedTask, recordFindings, recordNoFindings } from "../../tasks/service/findings.ts";
import { endOf } from "../events.ts";
import { firstNumber } from "../first-number.ts";
import { type Judgment, judge } from "../judge.ts";
import type { KeptRows } from "../kept-rows.ts";
import type { ExecutionStatus } from "../kinds.ts";
import { anomalyNotification, resultNotification } from "../notification.ts";
import type { Begun } from "./begin-executions.ts";
import { completeExecutions } from "./complete-executions.ts";
import { countStatuses } from "./counters.ts";
import { type JudgedMetric, judgeMetrics, recordAnomaly } from "./detect-anomaly.ts";
import { watchOutcomes } from "./incidents.ts";
import { keepRows } from "./keep-rows.ts";
import { type JudgedSubscription, lockSubscriptions } from "./lock-subscriptions.ts";
import { newRowsOf, recentRowCounts } from "./news-of-run.ts";

/** The result of running the query: rows, or why there are none. Times are in milliseconds. */
export type Outcome = { executionTimeMs: number } & (
  | { result: QueryResult }
  | { status: Extract<ExecutionStatus, "Failed" | "Timeout">; message: string }
);

/** An execution that has ended, with the rows that are kept of it. */
export type Executed = {
  lease: Lease;
  execution: Begun["execution"];
  query: RunnableQuery | null;
  outcome: Outcome;
  kept: KeptRows | null;
};

/**
 * Stores executions, of each subscription at most one, and all that run-execution.ts says to follow from them; each statement is
 * for all of them. Returns null for those whose lease is lost, and of which nothing is stored. Subscriptions that others have
 * locked are waited for, or skipped like these. Throws RowsNotKept.
 */
export async function storeExecutions(
  tx: Transaction,
  runs: readonly Executed[],
  ifLocked: "wait" | "skip",
): Promise<readonly (ExecutionStatus | null)[]> {
  const firsts = new Map(runs.map((run) => [run.execution.subscriptionId, run] as const).toReversed());
  const judged = await judgeAll(tx, [...firsts.values()], ifLocked);
  if (judged.length === 0) return runs.map(() => null);
  const held = await completeExecutions(
    judged.map(({ outcome, ...run }) => ({
      ...run,
      executionTimeMs: outcome.executionTimeMs,
      failure: "message" in outcome ? outcome.message : null,
    })),
  );
  const stored = judged.filter(({ lease }) => held.has(lease.token));
  await keepRows(
    tx,
    stored.flatMap(({ lease, kept }) => (kept ? { executionId: lease.id, kept } : [])),
  );
  await tellOfResults(tx, stored);
  await watchOutcomes(
    tx,
    stored.map(({ subscription, execution, query, status, outcome }) => ({
      ...{ subscription, execution, status, dataSourceIds: sourcesOf(query) },
      failure: "message" in outcome ? outcome.message : null,
    })),
  );
  for (const { lease, subscription, execution, status } of stored)
    if (execution.requestedById !== null)
      await sendInProject(tx, subscription.projectId, [execution.requestedById], {
        name: "JobStatusChanged",
        data: { kind: "Execution", id: lease.id, status },
      });
  await sendEvents(
    tx,
    stored.flatMap(({ lease, subscription }) => endOf(lease.id, subscription)),
  );
  const statuses = new Map(stored.map((run) => [run.lease.token, run.status]));
  return runs.map(({ lease }) => statuses.get(lease.token) ?? null);
}

/** What an execution means to its subscription as it is now. */
type Judged = Executed & {
  subscription: JudgedSubscription;
  rowCount: number | null;
  measured: { column: string; value: number } | null;
  metric: JudgedMetric | null;
  /** Until when nobody is notified of it; null if someone is. */
  quietUntil: Date | null;
  /** null without a result. */
  judgment: Judgment | null;
  status: ExecutionStatus;
};

/** Of the subscriptions that could be locked. */
async function judgeAll(
  tx: Transaction,
  runs: readonly Executed[],
  ifLocked: "wait" | "skip",
): Promise<readonly Judged[]> {
  const ids = runs.map(({ execution }) => execution.subscriptionId);
  const locked = await lockSubscriptions(tx, ids, ifLocked);
  const found = runs.flatMap((run) => {
    const subscription = locked.get(run.execution.subscriptionId);
    if (!subscription) return [];
    const { outcome, execution } = run;
    const rowCount = "result" in outcome ? outcome.result.rowCount : null;
    const measured = "result" in outcome ? firstNumber(outcome.result) : null;
    const judgedExecution = { ...execution, rowCount, metricValue: measured?.value ?? null };
    return { ...run, subscription, rowCount, measured, judgedExecution };
  });
  const metrics = await judgeMetrics(
    tx,
    found.map(({ subscription, judgedExecution: execution }) => ({ subscription, execution })),
  );
  const news = found.map((run, place) => ({ ...run, metric: metrics[place] ?? null }));
  const quietUntil = await silencesOf(tx, news);
  return news.map((run) => {
    const { subscription, rowCount, outcome } = run;
    const until = quietUntil(run);
    const judgment = rowCount === null ? null : judge(subscription.condition, rowCount, until !== null);
    const status = judgment?.status ?? ("status" in outcome ? outcome.status : "Failed");
    return { ...run, quietUntil: until, judgment, status };
  });
}

type News = Executed & Pick<Judged, "subscription" | "rowCount" | "metric">;

/**
 * Until when nobody is notified: the end of the subscription's silence, or of the maintenance of what it
 * reads, whichever is later; null if someone is. Without news, nobody would be, so maintenance is not looked up.
 */
async function silencesOf(tx: Transaction, runs: readonly News[]): Promise<(run: News) => Date | null> {
  const hasNews = ({ rowCount, subscription, metric }: News) =>
    rowCount !== null && (judge(subscription.condition, rowCount, false).isMet || !!metric?.anomaly);
  const asked = runs.filter(hasNews);
  const untils = new Map<News, Date | null>();
  if (asked.length > 0) {
    const projectIds = asked.map(({ subscription }) => subscription.projectId);
    const maintenanceOf = await loadMaintenance(tx, projectIds, new Date());
    for (const run of asked) {
      const { projectId, queryId } = run.subscription;
      const tables = async () => (await tablesReadBy(tx, queryId)).tables;
      untils.set(run, await maintenanceOf({ projectId, dataSourceIds: sourcesOf(run.query), tables }));
    }
  }
  return (run) => {
    const { isSilenced, silencedUntil } = run.subscription;
    const silence = isSilenced ? silencedUntil : null;
    const maintenance = untils.get(run) ?? null;
    return silence === null || (maintenance !== null && maintenance > silence) ? maintenance : silence;
  };
}

const sourcesOf = (query: RunnableQuery | null): number[] => [
  ...new Set(query?.steps.flatMap(({ dataSourceId }) => dataSourceId ?? [])),
];

/** Counts them, opens or resolves tasks, records anomalies, and notifies recipients. */
async function tellOfResults(tx: Transaction, stored: readonly Judged[]): Promise<void> {
  const isResult = ({ status }: Judged) => status === "NotificationSent";
  const isTold = (run: Judged) => isResult(run) || (!!run.metric?.anomaly && run.quietUntil === null);
  const toldIds = stored.filter(isTold).map(({ subscription }) => subscription.id);
  const [tasks, anomalyIds, titles, recent, newRows] = await sideBySide(
    updateTasks(tx, stored),
    recordAnomalies(tx, stored),
    findSubscriptionTitles(toldIds, tx),
    recentRowCounts(tx, toldIds),
    newRowsOf(
      tx,
      stored.filter(isResult).map(({ lease, kept }) => ({ id: lease.id, kept })),
    ),
    countStatuses(
      tx,
      stored.map(({ execution, status }) => ({ before: execution, status })),
    ),
  );
  const requests = stored.filter(isTold).map((run): NotificationRequest | null => {
    const { subscription, execution, outcome, metric } = run;
    const anomaly = metric?.anomaly ?? null;
    const task = tasks.get(subscription.id);
    const looksAtColumn = subscription.anomalyEnabled && subscription.anomalyMetric === "FirstNumericColumn";
    const about = { subscription, execution, title: titles.get(subscription.id) ?? "" };
    const news = {
      recent: recent.get(subscription.id) ?? [],
      usual: looksAtColumn ? null : (metric?.usual ?? null),
      anomalyId: anomalyIds.get(execution.id) ?? null,
      freeTaskId: task?.assigneeId === null ? task.taskId : null,
    };
    if ("result" in outcome && isResult(run))
      return resultNotification(about, outcome.result, anomaly, {
        ...news,
        newRows: newRows.get(execution.id) ?? null,
      });
    return anomaly && anomalyNotification(about, anomaly, news);
  });
  await enqueueNotifications(
    tx,
    requests.filter((request) => request !== null),
  );
}

/**
 * Rows that meet the condition open the task, no rows resolve it, and anything else leaves it unchanged. Returns, by
 * subscription, the tasks that they were recorded in.
 */
async function updateTasks(
  tx: Transaction,
  stored: readonly Judged[],
): Promise<ReadonlyMap<number, RecordedTask>> {
  const findings = stored.flatMap(({ subscription, execution, rowCount, judgment }) => {
    const { id: subscriptionId, queryId, projectId, createTasks, archivedAt } = subscription;
    if (!rowCount || !createTasks || !judgment?.isMet || archivedAt !== null) return [];
    return { of: { subscriptionId, queryId, projectId }, found: { rowCount }, at: execution.executedAt };
  });
  const nothing = stored
    .filter(({ rowCount }) => rowCount === 0)
    .map(({ subscription, execution }) => ({ subscriptionId: subscription.id, at: execution.executedAt }));
  const [tasks] = await sideBySide(recordFindings(tx, findings), recordNoFindings(tx, nothing));
  return new Map(
    findings.flatMap(({ of }, place) => {
      const task = tasks[place];
      return task ? [[of.subscriptionId, task] as const] : [];
    }),
  );
}

/** Returns their ids, by execution. */
async function recordAnomalies(
  tx: Transaction,
  stored: readonly Judged[],
): Promise<ReadonlyMap<number, number>> {
  const recorded = await sideBySide(
    ...stored.map(async ({ subscription, execution, metric }) => {
      if (!metric?.anomaly) return null;
      const { anomaly } = metric;
      return [
        execution.id,
        await recordAnomaly(tx, subscription, execution, { ...metric, anomaly }),
      ] as const;
    }),
  );
  return new Map(recorded.flatMap((each) => (each && each[1] !== null ? [[each[0], each[1]] as const] : [])));
}
