import { and, eq, isNull, not, sql } from "drizzle-orm";
import { db, groupDb, type Transaction } from "../../db/client.ts";
import { anyOf, gathered, isOneOf } from "../../db/gathered.ts";
import { isEmbedded, sendEvents } from "../../jobs/client.ts";
import type { Lease } from "../../jobs/leases.ts";
import { hasOpenTask } from "../../tasks/service/findings.ts";
import { executionFinished } from "../events.ts";
import { judge } from "../judge.ts";
import type { ExecutionStatus } from "../kinds.ts";
import { executions, subscriptionState, subscriptions } from "../tables.ts";
import type { Begun } from "./begin-executions.ts";
import { countStatuses } from "./counters.ts";
import { hasOpenIncident } from "./incidents.ts";

/** A scheduled execution that ran, and of which no rows are kept. */
export type Ran = {
  lease: Lease;
  execution: Begun["execution"];
  rowCount: number;
  metricValue: number | null;
  executionTimeMs: number;
};

/**
 * Stores executions of which nobody has to be told: those that do not meet their condition, of subscriptions that look for
 * no anomalies, are no actor's, and have neither an open task nor an open incident. Those that finish at the same time are
 * stored together. Returns null for an execution that is not such a one, whose lease is lost, or whose subscription is in
 * use at the moment; nothing is stored of it then. run-execution.ts stores those, and says what all this means.
 *
 * Waits for nobody while it holds the locks of several: what others have locked is left out.
 */
export const storeQuiet = gathered(async (all: readonly Ran[]): Promise<(ExecutionStatus | null)[]> => {
  const bySubscription = new Map<number, Ran>();
  // A subscription's executions are stored one by one.
  for (const ran of all)
    if (!bySubscription.has(ran.execution.subscriptionId))
      bySubscription.set(ran.execution.subscriptionId, ran);
  // An Inngest server is told within the transaction, and what all jobs ask should not wait for it.
  const connection = isEmbedded() ? groupDb : db;
  const stored = await connection.transaction((tx) => storeAll(tx, [...bySubscription.values()]));
  return all.map(({ lease }) => stored.get(lease.id) ?? null);
});

async function storeAll(tx: Transaction, all: readonly Ran[]): Promise<Map<number, ExecutionStatus>> {
  const quiet = await lockQuiet(
    tx,
    all.map(({ execution }) => execution.subscriptionId),
  );
  const given = all.flatMap((ran) => {
    const subscription = quiet.get(ran.execution.subscriptionId);
    const judged = subscription && judge(subscription.condition, ran.rowCount, subscription.isSilenced);
    if (!judged || judged.isMet || (ran.rowCount === 0 && subscription.hasTask)) return [];
    const silencedUntil = subscription.isSilenced ? subscription.silencedUntil : null;
    return [{ ...ran, status: judged.status, silencedUntil }];
  });
  if (given.length === 0) return new Map();
  const rows = given.map(({ lease, rowCount, metricValue, executionTimeMs, status, silencedUntil }) => ({
    ...{ id: lease.id, lease_token: lease.token, status, row_count: rowCount, metric_value: metricValue },
    ...{ silenced_until: silencedUntil, execution_time_ms: executionTimeMs },
  }));
  const held = await tx.execute<{ id: number }>(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (
        id integer, lease_token uuid, status execution_status, row_count integer, metric_value float8,
        silenced_until timestamptz, execution_time_ms integer)
    )
    update ${executions} set status = given.status, row_count = given.row_count, metric_value = given.metric_value,
      silenced_until = given.silenced_until, execution_time_ms = given.execution_time_ms,
      finished_at = clock_timestamp()
    from given
    where ${executions.id} = given.id and ${executions.id} = ${anyOf("given", "id")}
      and ${executions.leaseToken} = given.lease_token and ${executions.status} = 'Created'
    returning ${executions.id} as id`);
  const ids = new Set(held.map(({ id }) => id));
  const stored = given.filter(({ lease }) => ids.has(lease.id));
  await countStatuses(
    tx,
    stored.map(({ execution, status }) => ({ before: execution, status })),
  );
  await sendEvents(
    tx,
    stored.map(({ lease, execution: { subscriptionId }, status }) =>
      executionFinished.create(
        { executionId: lease.id, subscriptionId, status, aiActorId: null },
        { id: `execution-finished/${lease.id}` },
      ),
    ),
  );
  return new Map(stored.map(({ lease, status }) => [lease.id, status]));
}

/** As lockSubscription does for one, and only those of whose executions nobody may have to be told. */
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
        eq(subscriptions.anomalyEnabled, false),
        isNull(subscriptions.aiActorId),
        not(hasOpenIncident(subscriptions.id)),
      ),
    );
  return new Map(
    found.map(({ id, kind, threshold, ...rest }) => [id, { ...rest, condition: { kind, threshold } }]),
  );
}
