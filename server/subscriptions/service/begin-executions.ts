import { and, eq, isNull, sql } from "drizzle-orm";
import { groupDb, type Transaction } from "../../db/client.ts";
import { gathered, isOneOf } from "../../db/gathered.ts";
import type { Lease } from "../../jobs/leases.ts";
import { findVersionsToRun } from "../../queries/service/first-runs.ts";
import { executions, subscriptionState, subscriptions } from "../tables.ts";
import { countExecutions } from "./counters.ts";
import { executionLeases } from "./leases.ts";

/** What a worker needs to know of an execution, and of its subscription as it was when the execution began. */
export type Begun = {
  execution: Pick<
    typeof executions.$inferSelect,
    "id" | "subscriptionId" | "status" | "trigger" | "requestedById" | "executedAt" | "queryVersion"
  >;
  subscription: typeof subscriptions.$inferSelect;
};

type Due = { subscriptionId: number; scheduledFor: Date };

/**
 * Begins scheduled executions of many subscriptions together, each with its parameters and version recorded. null for
 * those that are not as simple: the time has an execution already, the subscription has never run, is in use, disabled, or
 * archived, or its query may not be run as it is.
 */
export const beginDue = gathered(async (all: readonly Due[]): Promise<(Lease<Begun> | null)[]> => {
  const bySubscription = new Map<number, Due>();
  // A subscription's executions are counted one by one.
  for (const due of all)
    if (!bySubscription.has(due.subscriptionId)) bySubscription.set(due.subscriptionId, due);
  const begun = await groupDb.transaction((tx) => beginAll(tx, [...bySubscription.values()]));
  return all.map((due) =>
    bySubscription.get(due.subscriptionId) === due ? (begun.get(due.subscriptionId) ?? null) : null,
  );
});

async function beginAll(tx: Transaction, all: readonly Due[]): Promise<Map<number, Lease<Begun>>> {
  const ready = await lockReady(
    tx,
    all.map(({ subscriptionId }) => subscriptionId),
  );
  const given = all.flatMap(({ subscriptionId, scheduledFor }) => {
    const found = ready.get(subscriptionId);
    return found ? [{ ...found, scheduledFor, token: executionLeases.first().leaseToken }] : [];
  });
  if (given.length === 0) return new Map();
  const rows = given.map(({ subscription: { id, parameters }, queryVersion, scheduledFor, token }) => ({
    ...{ subscription_id: id, parameters, query_version: queryVersion },
    ...{ scheduled_for: scheduledFor, lease_token: token },
  }));
  const { leaseUntil, attempts } = executionLeases.first();
  const inserted = await tx.execute<{ id: number; subscriptionId: number; ms: number }>(sql`
    insert into ${executions} (subscription_id, query_version, parameters, trigger, scheduled_for, executed_at,
      lease_token, lease_until, attempts)
    select subscription_id, query_version, parameters, 'Scheduled', scheduled_for, clock_timestamp(), lease_token,
      ${leaseUntil}, ${attempts}::integer
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      subscription_id integer, query_version integer, parameters jsonb, scheduled_for timestamptz, lease_token uuid)
    order by subscription_id
    on conflict do nothing
    returning id, subscription_id as "subscriptionId", floor(extract(epoch from executed_at) * 1000)::float8 as ms`);
  const of = new Map(given.map((each) => [each.subscription.id, each]));
  const begun = inserted.flatMap(({ id, subscriptionId, ms }) => {
    const found = of.get(subscriptionId);
    if (!found) return [];
    const { subscription, queryVersion, token } = found;
    const execution = {
      ...{ id, subscriptionId, queryVersion, executedAt: new Date(ms), requestedById: null },
      ...{ status: "Created" as const, trigger: "Scheduled" as const },
    };
    return [{ id, token, attempt: 1, begun: { execution, subscription } }];
  });
  await countExecutions(
    tx,
    begun.map((lease) => lease.begun.execution),
  );
  return new Map(begun.map((lease) => [lease.begun.execution.subscriptionId, lease]));
}

/**
 * The subscriptions that can run right now, with the versions of their queries. They cannot be archived, and nobody else can
 * count them, until the transaction ends. Those that others have locked are left out rather than waited for.
 */
async function lockReady(tx: Transaction, ids: readonly number[]) {
  const found = await tx
    .select()
    .from(subscriptions)
    .where(
      and(isOneOf(subscriptions.id, ids), isNull(subscriptions.archivedAt), eq(subscriptions.enabled, true)),
    )
    .orderBy(subscriptions.id)
    .for("share", { skipLocked: true });
  const versions = await findVersionsToRun(
    tx,
    found.map(({ queryId }) => queryId),
  );
  const counters = await tx
    .select({ id: subscriptionState.subscriptionId })
    .from(subscriptionState)
    .where(isOneOf(subscriptionState.subscriptionId, ids))
    .orderBy(subscriptionState.subscriptionId)
    .for("update", { skipLocked: true });
  const free = new Set(counters.map(({ id }) => id));
  return new Map(
    found.flatMap((subscription) => {
      const queryVersion = versions.get(subscription.queryId);
      const isReady = queryVersion !== undefined && free.has(subscription.id);
      return isReady ? [[subscription.id, { subscription, queryVersion }] as const] : [];
    }),
  );
}
