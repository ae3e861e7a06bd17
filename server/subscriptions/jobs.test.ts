import { eq, sql as query } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db, sql } from "../db/client.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { runDue } from "../jobs/schedules.ts";
import { occurrences } from "../jobs/tables.ts";
import { listTasks } from "../tasks/service/tasks.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { recoverExecutions, runSubscription, subscriptionSchedule } from "./jobs.ts";
import { recoverAbandonedExecutions } from "./service/execute.ts";
import { getExecution, listExecutions } from "./service/executions.ts";
import { archiveSubscription, getSubscription, updateSubscription } from "./service/subscriptions.ts";
import { subscriptions } from "./tables.ts";

let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  ctx = await asAdmin();
  source = await aDataSource();
  await sql.unsafe("create table late_orders (id int)");
});

afterAll(closeSources);

async function anEngine() {
  const engine = await startEngine([runSubscription, recoverExecutions], { pollMs: 100 });
  onTestFinished(() => engine.stop());
  return engine;
}

const page = { page: 0, pageSize: 10 };
const executionsOf = async (id: number) => (await listExecutions(ctx, { id, ...page })).items;

/** A subscription to late orders. */
async function aWatch() {
  const of = await aQuery({ dataSource: source, sql: "select id from late_orders" }, ctx);
  return aSubscription({ query: of, createTasks: true, cronExpression: "*/5 * * * *" }, ctx);
}

/** It became due a moment ago. */
async function comesDue(id: number) {
  const due = new Date(Date.now() - 1000);
  await db.update(subscriptions).set({ nextRunAt: due }).where(eq(subscriptions.id, id));
  return due;
}

test("a subscription runs on schedule, opens a task, and resolves it once the data has recovered", async () => {
  const engine = await anEngine();
  const watch = await aWatch();
  await sql.unsafe("insert into late_orders values (1), (2)");
  const due = await comesDue(watch.id);
  await Promise.all([runDue(subscriptionSchedule), runDue(subscriptionSchedule)]);
  await engine.idle();

  expect(await executionsOf(watch.id)).toMatchObject([
    { trigger: "Scheduled", status: "NotificationSent", rowCount: 2 },
  ]);
  const after = await getSubscription(ctx, watch.id);
  expect(after.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
  expect(after.lastExecution).toMatchObject({ status: "NotificationSent" });
  expect((await listTasks(ctx, { ...page, subscriptionId: watch.id })).items).toMatchObject([
    { status: "Open", latestRowCount: 2 },
  ]);

  await sql.unsafe("truncate late_orders");
  await comesDue(watch.id);
  await runDue(subscriptionSchedule);
  await engine.idle();
  expect((await executionsOf(watch.id)).map(({ status }) => status)).toEqual([
    "NoResults",
    "NotificationSent",
  ]);
  expect((await listTasks(ctx, { ...page, subscriptionId: watch.id })).items).toMatchObject([
    { status: "Resolved" },
  ]);
  const made = await db.select().from(occurrences).where(eq(occurrences.objectId, watch.id));
  expect(made.map(({ scheduledFor }) => scheduledFor)).toContainEqual(due);
});

test("times missed while the service was down run once, late", async () => {
  const watch = await aWatch();
  const yesterday = new Date(Date.now() - 86_400_000);
  await db.update(subscriptions).set({ nextRunAt: yesterday }).where(eq(subscriptions.id, watch.id));
  const engine = await anEngine();
  await runDue(subscriptionSchedule);
  await runDue(subscriptionSchedule);
  await engine.idle();
  expect(await executionsOf(watch.id)).toHaveLength(1);
});

test.each([
  ["archived", (id: number) => archiveSubscription(ctx, id)],
  [
    "disabled",
    async (id: number) => {
      const { queryId, cronExpression } = await getSubscription(ctx, id);
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
      await updateSubscription(ctx, {
        ...{ id, queryId, cronExpression, timezone: "UTC", enabled: false, parameters: {} },
        ...{ timeoutSeconds: 60, createTasks: false, recipientIds: [] },
        condition: { kind: "RowsFound", threshold: null },
        anomalyDetection: {
          enabled: false,
          method: "Iqr",
          sensitivity: row?.anomalySensitivity ?? 1.5,
          metric: "RowCount",
        },
      });
    },
  ],
])("a subscription that is %s between its claim and its run is not executed", async (_, change) => {
  const watch = await aWatch();
  await comesDue(watch.id);
  await runDue(subscriptionSchedule);
  await change(watch.id);
  const engine = await anEngine();
  await engine.idle();
  const [counted] = await db.execute<{ count: number }>(
    query`select count(*)::int as count from executions where subscription_id = ${watch.id}`,
  );
  expect(counted?.count).toBe(0);
});

test("executions of a process that died are finished by the next one", async () => {
  const watch = await aWatch();
  const id = await anExecution({
    ...{ subscriptionId: watch.id, status: "Created", rowCount: null, finishedAt: null },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: new Date(Date.now() - 1000), attempts: 1 },
  });
  await recoverAbandonedExecutions();
  expect(await getExecution(ctx, id)).toMatchObject({ status: "NoResults", rowCount: 0 });
});
