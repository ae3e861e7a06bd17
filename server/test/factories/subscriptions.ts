import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { createSubscriptionInput, type SubscriptionInput } from "../../subscriptions/schema.ts";
import { countAnomaly, countExecutions } from "../../subscriptions/service/counters.ts";
import { createSubscription } from "../../subscriptions/service/subscriptions.ts";
import { anomalies, executions } from "../../subscriptions/tables.ts";
import { type RecordedTask, recordFindings } from "../../tasks/service/findings.ts";
import { asEditor } from "./principals.ts";
import { aQuery } from "./queries.ts";

/**
 * A subscription created through the service by an Editor: of the given query, or of a new one with the given SQL, at
 * six in the morning, that notifies if there are rows.
 */
export async function aSubscription(
  subscription: Partial<SubscriptionInput> & { query?: { id: number }; sql?: string } = {},
  by?: SignedIn,
) {
  const { query, sql, ...write } = subscription;
  const queryId = write.queryId ?? (query ?? (await aQuery(sql === undefined ? {} : { sql }))).id;
  const input = createSubscriptionInput.parse({ cronExpression: "0 6 * * *", ...write, queryId });
  return createSubscription(by ?? (await asEditor()), input);
}

/** A stored and counted execution that has ended. Returns its id. */
export async function anExecution(
  execution: Partial<typeof executions.$inferInsert> & { subscriptionId: number },
): Promise<number> {
  return db.transaction(async (tx) => {
    const executedAt = execution.executedAt ?? new Date();
    const [row] = await tx
      .insert(executions)
      .values({
        status: "NoResults",
        trigger: "Scheduled",
        queryVersion: 1,
        rowCount: 0,
        finishedAt: executedAt,
        ...execution,
        executedAt,
      })
      .returning();
    if (!row) throw new Error("The insert returned no execution");
    await countExecutions(tx, [row]);
    return row.id;
  });
}

/** A stored and counted anomaly with its own execution. Returns its id. */
export async function anAnomaly(
  subscriptionId: number,
  anomaly: Partial<typeof anomalies.$inferInsert> = {},
): Promise<number> {
  const executionId = anomaly.executionId ?? (await anExecution({ subscriptionId, rowCount: 200 }));
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(anomalies)
      .values({
        subscriptionId,
        executionId,
        detectedAt: new Date(),
        severity: "High",
        method: "StandardDeviation",
        metric: "RowCount",
        detectedValue: 200,
        expectedLow: 80,
        expectedHigh: 120,
        explanation: "The row count 200 is above the usual 80 to 120",
        ...anomaly,
      })
      .returning();
    if (!row) throw new Error("The insert returned no anomaly");
    await countAnomaly(tx, row);
    return row.id;
  });
}

/** Records that an execution of a subscription found so many rows: its open task, which is opened if there is none. */
export async function aFinding(
  { id, queryId, projectId }: { id: number; queryId: number; projectId: number },
  rowCount = 5,
): Promise<RecordedTask> {
  const of = { subscriptionId: id, queryId, projectId };
  const [task] = await db.transaction((tx) =>
    recordFindings(tx, [{ of, found: { rowCount }, at: new Date() }]),
  );
  if (!task) throw new Error("The finding was not recorded");
  return task;
}
