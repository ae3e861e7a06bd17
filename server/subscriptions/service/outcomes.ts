import { eq, inArray } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { deliveryTallies } from "../../notifications/service/delivery-tallies.ts";
import { outcomeOf } from "../outcome.ts";
import { anomalies, executions, subscriptionState, subscriptions } from "../tables.ts";

/**
 * The columns of an outcome, selected from executions joined with their subscription and left-joined with their
 * anomaly.
 */
const ended = {
  id: executions.id,
  subscriptionId: executions.subscriptionId,
  status: executions.status,
  executedAt: executions.executedAt,
  rowCount: executions.rowCount,
  usualLow: executions.usualLow,
  silencedUntil: executions.silencedUntil,
  conditionKind: subscriptions.conditionKind,
  anomalyId: anomalies.id,
  acknowledgedAt: anomalies.acknowledgedAt,
};

const withParts = () =>
  db
    .select(ended)
    .from(executions)
    .innerJoin(subscriptions, eq(subscriptions.id, executions.subscriptionId))
    .leftJoin(anomalies, eq(anomalies.executionId, executions.id))
    .$dynamic();

type Ended = Awaited<ReturnType<typeof withParts>>[number];

/** The outcomes of these executions by execution, in two queries. */
export async function outcomesOf(executionIds: readonly number[]) {
  if (executionIds.length === 0) return new Map<number, ReturnType<typeof outcomeOf>>();
  const [parts, tallies] = await Promise.all([
    withParts().where(inArray(executions.id, [...executionIds])),
    deliveryTallies("Execution", executionIds),
  ]);
  return new Map(parts.map((part) => [part.id, outcomeFrom(part, tallies)]));
}

/** The last execution of each subscription that has run, with its outcome, by subscription; in two queries. */
export async function loadLastExecutions(subscriptionIds: readonly number[]) {
  if (subscriptionIds.length === 0) return new Map<number, LastExecution>();
  const parts = await withParts()
    .innerJoin(subscriptionState, eq(subscriptionState.lastExecutionId, executions.id))
    .where(inArray(subscriptionState.subscriptionId, [...subscriptionIds]));
  const tallies = await deliveryTallies(
    "Execution",
    parts.map(({ id }) => id),
  );
  return new Map(
    parts.map((part): [number, LastExecution] => {
      const { id, status, executedAt } = part;
      return [part.subscriptionId, { id, status, executedAt, outcome: outcomeFrom(part, tallies) }];
    }),
  );
}

type LastExecution = Pick<Ended, "id" | "status" | "executedAt"> & { outcome: ReturnType<typeof outcomeOf> };

const outcomeFrom = (part: Ended, tallies: Awaited<ReturnType<typeof deliveryTallies>>) =>
  outcomeOf(
    part,
    part.conditionKind,
    part.anomalyId === null ? undefined : { isAcknowledged: part.acknowledgedAt !== null },
    tallies.get(part.id),
  );
