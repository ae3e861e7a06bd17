import { isDeepStrictEqual } from "node:util";
import { and, not, sql } from "drizzle-orm";
import { db, groupDb, type Transaction } from "../../db/client.ts";
import { gathered, isOneOf } from "../../db/gathered.ts";
import { isEmbedded, sendEvents } from "../../jobs/client.ts";
import type { Lease } from "../../jobs/leases.ts";
import { hasOpenTask } from "../../tasks/service/findings.ts";
import { endOf } from "../events.ts";
import { judge } from "../judge.ts";
import type { KeptRows } from "../kept-rows.ts";
import type { ExecutionStatus } from "../kinds.ts";
import { subscriptionState, subscriptions } from "../tables.ts";
import type { Begun } from "./begin-executions.ts";
import { completeExecutions } from "./complete-executions.ts";
import { countStatuses } from "./counters.ts";
import { detectionOf, type JudgedMetric, judgeMetricTogether } from "./detect-anomaly.ts";
import { hasOpenIncident } from "./incidents.ts";
import { keepRows, RowsNotKept } from "./keep-rows.ts";

/** A scheduled execution that ran, with what it measured and the rows that are kept of it. */
export type Ran = Begun & {
  lease: Lease;
  rowCount: number;
  measured: { column: string; value: number } | null;
  executionTimeMs: number;
  kept: KeptRows | null;
};

/**
 * Stores executions of which nobody has to be told: those that do not meet their condition and are no anomaly, of
 * subscriptions that have neither an open task nor an open incident. Those that finish at the same time are stored
 * together. Returns null for an execution that is not such a one, or whose lease is lost, whose rows cannot be kept, whose
 * subscription is in use at the moment, or whose detection of anomalies has changed since it began; nothing is stored of it
 * then. store-executions.ts stores those, and says what all this means.
 *
 * Waits for nobody while it holds the locks of several: what others have locked is left out.
 */
export async function storeQuiet(ran: Ran): Promise<ExecutionStatus | null> {
  const { execution, subscription, rowCount, measured } = ran;
  const { conditionKind: kind, conditionThreshold: threshold } = subscription;
  // Most likely someone is told, and it would be judged twice.
  if (judge({ kind, threshold }, rowCount, false).isMet) return null;
  const metricValue = measured?.value ?? null;
  const found = await judgeMetricTogether(subscription, { ...execution, rowCount, metricValue });
  if (!found || found.judged?.anomaly) return null;
  try {
    return await storeTogether({ ...ran, judged: found.judged });
  } catch (error) {
    if (error instanceof RowsNotKept) return null;
    throw error;
  }
}

type Judged = Ran & { judged: JudgedMetric | null };

const storeTogether = gathered(async (all: readonly Judged[]): Promise<(ExecutionStatus | null)[]> => {
  const bySubscription = new Map<number, Judged>();
  // A subscription's executions are stored one by one.
  for (const ran of all)
    if (!bySubscription.has(ran.execution.subscriptionId))
      bySubscription.set(ran.execution.subscriptionId, ran);
  // An Inngest server is told within the transaction, and what all jobs ask should not wait for it.
  const connection = isEmbedded() ? groupDb : db;
  const stored = await connection.transaction((tx) => storeAll(tx, [...bySubscription.values()]));
  return all.map(({ lease }) => stored.get(lease.id) ?? null);
});

async function storeAll(tx: Transaction, all: readonly Judged[]): Promise<Map<number, ExecutionStatus>> {
  const quiet = await lockQuiet(
    tx,
    all.map(({ execution }) => execution.subscriptionId),
  );
  const given = all.flatMap((ran) => {
    const subscription = quiet.get(ran.execution.subscriptionId);
    if (!subscription || !isDeepStrictEqual(detectionOf(subscription), detectionOf(ran.subscription)))
      return [];
    const { isMet, status } = judge(subscription.condition, ran.rowCount, subscription.isSilenced);
    if (isMet || (ran.rowCount === 0 && subscription.hasTask)) return [];
    return [{ ...ran, subscription, status }];
  });
  if (given.length === 0) return new Map();
  const held = await completeExecutions(
    given.map(({ judged: metric, subscription, ...run }) => ({
      ...{ ...run, subscription, metric, failure: null },
      quietUntil: subscription.isSilenced ? subscription.silencedUntil : null,
    })),
  );
  const stored = given.filter(({ lease }) => held.has(lease.token));
  await keepRows(
    tx,
    stored.flatMap(({ lease, kept }) => (kept ? [{ executionId: lease.id, kept }] : [])),
  );
  await countStatuses(
    tx,
    stored.map(({ execution, status }) => ({ before: execution, status })),
  );
  await sendEvents(
    tx,
    stored.flatMap(({ lease, subscription }) => endOf(lease.id, subscription)),
  );
  return new Map(stored.map(({ lease, status }) => [lease.id, status]));
}

/** As lockSubscriptions does, and only those of whose executions nobody may have to be told. */
async function lockQuiet(tx: Transaction, ids: readonly number[]) {
  const locked = await tx
    .select({ id: subscriptionState.subscriptionId })
    .from(subscriptionState)
    .where(isOneOf(subscriptionState.subscriptionId, ids))
    .orderBy(subscriptionState.subscriptionId)
    .for("update", { skipLocked: true });
  const found = await tx
    .select({
      id: subscriptions.id,
      kind: subscriptions.conditionKind,
      threshold: subscriptions.conditionThreshold,
      silencedUntil: subscriptions.silencedUntil,
      anomalyEnabled: subscriptions.anomalyEnabled,
      anomalyMethod: subscriptions.anomalyMethod,
      anomalySensitivity: subscriptions.anomalySensitivity,
      anomalyMetric: subscriptions.anomalyMetric,
      timezone: subscriptions.timezone,
      aiActorId: subscriptions.aiActorId,
      isSilenced: sql<boolean>`coalesce(${subscriptions.silencedUntil} > clock_timestamp(), false)`,
      hasTask: sql<boolean>`${hasOpenTask(subscriptions.id)}`,
    })
    .from(subscriptions)
    .where(
      and(
        isOneOf(
          subscriptions.id,
          locked.map(({ id }) => id),
        ),
        not(hasOpenIncident(subscriptions.id)),
      ),
    );
  return new Map(
    found.map(({ kind, threshold, ...rest }) => [rest.id, { ...rest, condition: { kind, threshold } }]),
  );
}
