import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { eq, sql as query } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { createRecipient } from "../../notifications/service/recipients.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { archiveQuery } from "../../queries/service/archive.ts";
import { updateQuery } from "../../queries/service/save-query.ts";
import { hubChannel } from "../../realtime/notification.ts";
import { listTasks } from "../../tasks/service/tasks.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { limits } from "../limits.ts";
import type { SubscriptionInput } from "../schema.ts";
import { anomalies, executions, subscriptionState, subscriptions } from "../tables.ts";
import { executeDueSubscription, executeNow, recoverAbandonedExecutions, startExecution } from "./execute.ts";
import { getExecution } from "./executions.ts";
import { archiveSubscription, silenceSubscription } from "./subscriptions.ts";

let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
let recipientId: number;
const usual = { ...limits };

beforeAll(async () => {
  ctx = await asAdmin();
  source = await aDataSource();
  const { projectId } = source;
  const desk = { projectId, name: "Desk", type: "Email", destination: "desk@example.com" } as const;
  recipientId = (await createRecipient(ctx, desk)).id;
  await sql.unsafe("create table late_orders (id int, minutes numeric, note text)");
});

afterEach(async () => {
  Object.assign(limits, usual);
  await sql.unsafe("truncate late_orders");
});

afterAll(closeSources);

const found = "select id, minutes, note from late_orders order by id";
const rows = (count: number) =>
  sql.unsafe(`insert into late_orders select i, i * 1.50, 'n' || i from generate_series(1, ${count}) as i`);

/** For late orders unless overridden; notifies the desk. */
async function aWatch(write: Partial<SubscriptionInput> & { sql?: string } = {}) {
  const { sql: text = found, ...more } = write;
  const of = await aQuery({ name: "Late orders", dataSource: source, sql: text }, ctx);
  return aSubscription({ query: of, recipientIds: [recipientId], ...more }, ctx);
}

const toldOf = async (executionId: number) =>
  db
    .select({ subject: notifications.subject, content: notifications.content, delivery: deliveries })
    .from(notifications)
    .innerJoin(deliveries, eq(deliveries.notificationId, notifications.id))
    .where(query`${notifications.causeKind} = 'Execution' and ${notifications.causeId} = ${executionId}`);

const tasksOf = async (subscriptionId: number) =>
  (await listTasks(ctx, { page: 0, pageSize: 10, subscriptionId })).items;

describe("an execution", () => {
  test("says which rows are new and how many the runs before found", async () => {
    const watch = await aWatch();
    await executeNow(ctx, watch.id);
    await rows(2);
    await executeNow(ctx, watch.id);
    await sql.unsafe("insert into late_orders values (0, 0, 'first'), (9, 9, 'last')");
    const third = await executeNow(ctx, watch.id);
    const [told] = await toldOf(third.id);
    expect(told?.content.facts).toEqual(
      expect.arrayContaining([
        { label: "New since the run before", value: "2" },
        // 0, 2, and 4 of at most 4 rows, in eight heights.
        { label: "The last 3 runs", value: "▁▅█  0 to 4 rows" },
      ]),
    );
    // In order of their ids: the first and the last.
    expect(told?.content.table?.newRows).toEqual([0, 3]);
  });

  test("that finds rows notifies everyone once, with the first rows", async () => {
    await rows(25);
    const watch = await aWatch();
    const execution = await executeNow(ctx, watch.id);
    expect(execution).toMatchObject({
      subscriptionId: watch.id,
      status: "NotificationSent",
      trigger: "Manual",
      rowCount: 25,
      errorMessage: null,
      queryVersion: 1,
    });
    const told = await toldOf(execution.id);
    expect(told).toMatchObject([{ subject: "Late orders: 25 rows", delivery: { recipientId } }]);
    expect(told[0]?.content.table).toMatchObject({ columns: ["id", "minutes", "note"], rowCount: 25 });
    expect(told[0]?.content.table?.rows).toHaveLength(20);
    expect(told[0]?.content.table?.rows[1]).toEqual([2, "3.00", "n2"]);
  });

  test("that finds nothing notifies nobody", async () => {
    const execution = await executeNow(ctx, (await aWatch()).id);
    expect(execution).toMatchObject({ status: "NoResults", rowCount: 0 });
    expect(await toldOf(execution.id)).toEqual([]);
  });

  test("with the condition Always notifies without rows, too", async () => {
    const execution = await executeNow(ctx, (await aWatch({ condition: { kind: "Always" } })).id);
    expect(execution).toMatchObject({ status: "NotificationSent", rowCount: 0 });
    expect(await toldOf(execution.id)).toMatchObject([{ subject: "Late orders: 0 rows" }]);
  });

  test("whose row count does not exceed the threshold is below it", async () => {
    await rows(5);
    const watch = await aWatch({ condition: { kind: "RowCountAbove", threshold: 5 } });
    const execution = await executeNow(ctx, watch.id);
    expect(execution).toMatchObject({ status: "BelowThreshold", rowCount: 5 });
    expect(await toldOf(execution.id)).toEqual([]);
  });

  test("with RowCountBelow that finds enough rows does not notify, and succeeds", async () => {
    await rows(5);
    const watch = await aWatch({ condition: { kind: "RowCountBelow", threshold: 5 } });
    const execution = await executeNow(ctx, watch.id);
    expect(execution).toMatchObject({ status: "NoResults", rowCount: 5 });
    expect(await toldOf(execution.id)).toEqual([]);
    const [state] = await db
      .select()
      .from(subscriptionState)
      .where(eq(subscriptionState.subscriptionId, watch.id));
    expect(state).toMatchObject({ total: 1, ok: 1 });
  });

  test("during a silence does not notify, and says so", async () => {
    await rows(1);
    const watch = await aWatch();
    await silenceSubscription(ctx, { id: watch.id, until: new Date(Date.now() + 3_600_000) });
    const execution = await executeNow(ctx, watch.id);
    expect(execution.status).toBe("NotificationSilenced");
    expect(await toldOf(execution.id)).toEqual([]);
    await silenceSubscription(ctx, { id: watch.id });
    expect((await executeNow(ctx, watch.id)).status).toBe("NotificationSent");
  });

  test("notifies again once a silence has ended", async () => {
    await rows(1);
    const watch = await aWatch({ silencedUntil: new Date(Date.now() - 1000).toISOString() });
    expect((await executeNow(ctx, watch.id)).status).toBe("NotificationSent");
  });

  test("binds the subscription's parameters", async () => {
    await rows(10);
    const watch = await aWatch({
      sql: "select id from late_orders where minutes > {{minutes}}::numeric and note like {{note}}::text",
      parameters: { minutes: 6, note: "n%" },
    });
    // 1.5 × 5 = 7.5 is the first above 6
    expect(await executeNow(ctx, watch.id)).toMatchObject({ rowCount: 6 });
  });

  test("fails with the reason if the server rejects the statement", async () => {
    const watch = await aWatch({ sql: "select nothing from late_orders" });
    const execution = await executeNow(ctx, watch.id);
    expect(execution).toMatchObject({
      status: "Failed",
      rowCount: null,
      errorMessage: 'column "nothing" does not exist',
    });
    expect(await toldOf(execution.id)).toEqual([]);
  });

  test("is cancelled on the server and times out if the statement takes too long", async () => {
    const watch = await aWatch({ sql: "select 1 from pg_sleep(59) as too_long", timeoutSeconds: 1 });
    const execution = await executeNow(ctx, watch.id);
    expect(execution).toMatchObject({ status: "Timeout", rowCount: null });
    expect(execution.executionTimeMs).toBeGreaterThanOrEqual(1000);
    expect(
      await sql`select 1 from pg_stat_activity where state = 'active' and query like '%too_long%' and pid <> pg_backend_pid()`,
    ).toHaveLength(0);
  });

  test("times out on a data source that drops packets instead of waiting forever", async () => {
    const hole = createServer(() => {}).listen(0, "127.0.0.1");
    await once(hole, "listening");
    const { port } = hole.address() as AddressInfo;
    const silent = await aDataSource({
      projectId: source.projectId,
      connection: { host: "127.0.0.1", port },
    });
    const of = await aQuery({ dataSource: silent }, ctx);
    const watch = await aSubscription({ query: of, timeoutSeconds: 2 }, ctx);
    const execution = await executeNow(ctx, watch.id);
    expect(["Failed", "Timeout"]).toContain(execution.status);
    expect(execution.errorMessage).toBeTruthy();
    hole.close();
  }, 180_000);

  test("fails and names the parameter if its query now requires one", async () => {
    const of = await aQuery({ name: "Late orders", dataSource: source, sql: found }, ctx);
    const watch = await aSubscription({ query: of }, ctx);
    const steps = [{ dataSourceId: source.id, sql: "select 1 where {{since}}::date > '2000-01-01'" }];
    await updateQuery(ctx, { id: of.id, name: of.name, steps });
    expect(await executeNow(ctx, watch.id)).toMatchObject({
      status: "Failed",
      errorMessage: "parameters.since is required by the query",
      queryVersion: 2,
    });
  });

  test("counts all rows of a result that is too large to keep, and attaches the kept ones", async () => {
    Object.assign(limits, { maxRows: 1000 });
    const watch = await aWatch({ sql: "select generate_series(1, 1000000) as n" });
    const execution = await executeNow(ctx, watch.id);
    expect(execution).toMatchObject({ status: "NotificationSent", rowCount: 1_000_000 });
    const [told] = await toldOf(execution.id);
    expect(told?.subject).toBe("Late orders: 1,000,000 rows");
    expect(told?.content.note).toBe("The result is large: the first 1,000 of 1,000,000 rows are attached.");
  });

  test("is Created until it has ended, and counts from its start", async () => {
    const watch = await aWatch({ sql: "select 1 from pg_sleep(0.3)" });
    const { executionId } = await startExecution(ctx, watch.id);
    expect(await getExecution(ctx, executionId)).toMatchObject({ status: "Created", rowCount: null });
    const [state] = await db
      .select()
      .from(subscriptionState)
      .where(eq(subscriptionState.subscriptionId, watch.id));
    expect(state).toMatchObject({ total: 1, ok: 0, lastStatus: "Created", lastExecutionId: executionId });
    await executeNow(ctx, watch.id);
  });
});

test("a manual run notifies its user's browser when it ends, a scheduled one nobody", async () => {
  const heard: string[] = [];
  const { unlisten } = await sql.listen(hubChannel, (payload) => heard.push(payload));
  const watch = await aWatch();
  await executeDueSubscription(watch.id, new Date("2026-02-03T05:06:00Z"));
  const execution = await executeNow(ctx, watch.id);
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0));
  await unlisten();
  expect(heard.map((payload) => JSON.parse(payload))).toEqual([
    {
      users: [ctx.principal.userId],
      name: "JobStatusChanged",
      data: JSON.stringify({ kind: "Execution", id: execution.id, status: "NoResults" }),
    },
  ]);
});

describe("a task", () => {
  test("is opened by rows, updated by more, and resolves automatically when there are none", async () => {
    const watch = await aWatch({ createTasks: true });
    await rows(3);
    await executeNow(ctx, watch.id);
    expect(await tasksOf(watch.id)).toMatchObject([
      { status: "Open", queryName: "Late orders", latestRowCount: 3, executionCount: 1, priority: "Normal" },
    ]);
    await rows(2);
    await executeNow(ctx, watch.id);
    expect(await tasksOf(watch.id)).toMatchObject([{ latestRowCount: 5, executionCount: 2 }]);
    await sql.unsafe("truncate late_orders");
    await executeNow(ctx, watch.id);
    expect(await tasksOf(watch.id)).toMatchObject([
      {
        status: "Resolved",
        resolvedBy: null,
        resolutionNotes: "Auto-resolved: Query returned 0 results",
      },
    ]);
    await rows(1);
    await executeNow(ctx, watch.id);
    expect((await tasksOf(watch.id)).map(({ status }) => status)).toEqual(["Open", "Resolved"]);
  });

  test("is opened once by concurrent executions", async () => {
    await rows(3);
    const watch = await aWatch({ createTasks: true });
    await Promise.all(Array.from({ length: 6 }, () => executeNow(ctx, watch.id)));
    expect(await tasksOf(watch.id)).toMatchObject([{ status: "Open", executionCount: 6 }]);
  });

  test("is opened during a silence too, but neither below a threshold nor with tasks disabled", async () => {
    await rows(3);
    const silenced = await aWatch({ createTasks: true, silencedUntil: "2999-01-01T00:00:00Z" });
    const below = await aWatch({ createTasks: true, condition: { kind: "RowCountAbove", threshold: 3 } });
    const without = await aWatch();
    for (const { id } of [silenced, below, without]) await executeNow(ctx, id);
    expect(await tasksOf(silenced.id)).toHaveLength(1);
    expect(await tasksOf(below.id)).toEqual([]);
    expect(await tasksOf(without.id)).toEqual([]);
  });

  test("is left unchanged by an execution that failed", async () => {
    await rows(1);
    const watch = await aWatch({ createTasks: true });
    await executeNow(ctx, watch.id);
    await sql.unsafe("alter table late_orders rename to elsewhere");
    expect((await executeNow(ctx, watch.id)).status).toBe("Failed");
    await sql.unsafe("alter table elsewhere rename to late_orders");
    expect(await tasksOf(watch.id)).toMatchObject([{ status: "Open", executionCount: 1 }]);
  });
});

describe("anomaly detection", () => {
  const detection = { enabled: true, method: "StandardDeviation", sensitivity: 3 } as const;

  /** Thirty executions with 9, 10 and 11 rows in turn, an hour apart. */
  async function withHistory(subscriptionId: number, more: object = {}) {
    for (let i = 1; i <= 30; i++)
      await anExecution({
        subscriptionId,
        status: "NotificationSent",
        rowCount: 9 + (i % 3),
        executedAt: new Date(Date.now() - i * 3_600_000),
        ...more,
      });
  }

  test("stores an anomaly with its reason and includes it in the notification", async () => {
    const watch = await aWatch({ anomalyDetection: detection });
    await withHistory(watch.id);
    await rows(40);
    const execution = await executeNow(ctx, watch.id);
    const kept = await db.select().from(anomalies).where(eq(anomalies.subscriptionId, watch.id));
    expect(kept).toMatchObject([
      { executionId: execution.id, severity: "Critical", detectedValue: 40, metric: "RowCount" },
    ]);
    const told = await toldOf(execution.id);
    expect(told).toHaveLength(1);
    expect(told[0]?.content).toMatchObject({ tone: "Critical", title: "Late orders: 40 rows" });
    expect(JSON.stringify(told[0]?.content.facts)).toContain("is above the usual");
  });

  test("offers to acknowledge it, to silence the subscription, and to take the task", async () => {
    const watch = await aWatch({ anomalyDetection: detection, createTasks: true });
    await withHistory(watch.id);
    await rows(40);
    const [told] = await toldOf((await executeNow(ctx, watch.id)).id);
    const [anomaly] = await db.select().from(anomalies).where(eq(anomalies.subscriptionId, watch.id));
    const [task] = await tasksOf(watch.id);
    expect(told?.content.actions).toEqual([
      { label: "Acknowledge", path: `/act/acknowledge/${anomaly?.id}` },
      { label: "Silence 1 h", path: `/act/silence-subscription/${watch.id}?span=hour` },
      { label: "Silence until tomorrow", path: `/act/silence-subscription/${watch.id}?span=tomorrow` },
      { label: "Assign to me", path: `/act/take-task/${task?.id}` },
    ]);
    // A report needs nobody to do anything.
    const report = await aWatch({ condition: { kind: "Always" } });
    const [reported] = await toldOf((await executeNow(ctx, report.id)).id);
    expect(reported?.content.actions).toBeUndefined();
  });

  test("a silence that someone has set stays unless it is meant to be replaced", async () => {
    const watch = await aWatch();
    const [first, second] = [60_000, 120_000].map((ms) => new Date(Date.now() + ms));
    await silenceSubscription(ctx, { id: watch.id, until: first, unlessSilenced: true });
    const late = silenceSubscription(ctx, { id: watch.id, until: second, unlessSilenced: true });
    await expect(late).rejects.toThrow("Someone has silenced it already");
    const replaced = await silenceSubscription(ctx, { id: watch.id, until: second });
    expect(replaced.silencedUntil).toEqual(second);
  });

  test("reports an anomaly in an otherwise unreported result, except during a silence", async () => {
    const watch = await aWatch({ anomalyDetection: detection });
    await withHistory(watch.id);
    const execution = await executeNow(ctx, watch.id);
    expect(execution.status).toBe("NoResults");
    expect(await toldOf(execution.id)).toMatchObject([{ subject: "Late orders: unusual result" }]);

    await silenceSubscription(ctx, { id: watch.id, until: new Date(Date.now() + 60_000) });
    const silenced = await executeNow(ctx, watch.id);
    expect(await toldOf(silenced.id)).toEqual([]);
  });

  test("with what it has learned, stores what was expected beside what came", async () => {
    const learned = { enabled: true, method: "Learned", sensitivity: 4 } as const;
    const watch = await aWatch({ anomalyDetection: learned });
    await withHistory(watch.id);
    await rows(10);
    await executeNow(ctx, watch.id);
    expect(await db.select().from(anomalies).where(eq(anomalies.subscriptionId, watch.id))).toEqual([]);
    await rows(90);
    await executeNow(ctx, watch.id);
    const [kept] = await db.select().from(anomalies).where(eq(anomalies.subscriptionId, watch.id));
    expect(kept).toMatchObject({ detectedValue: 100 });
    // All earlier runs had 9, 10, or 11 rows.
    expect(kept?.expectedLow).toBeLessThanOrEqual(9);
    expect(kept?.expectedHigh).toBeGreaterThanOrEqual(11);
    expect(kept?.expectedHigh).toBeLessThan(100);
    expect(kept?.explanation).toContain("above the usual");
  });

  test("uses the first number if that is the metric", async () => {
    const watch = await aWatch({
      sql: "select 'total' as what, sum(minutes) as minutes from late_orders",
      anomalyDetection: { ...detection, metric: "FirstNumericColumn" },
    });
    for (let i = 1; i <= 30; i++)
      await anExecution({
        ...{ subscriptionId: watch.id, rowCount: 1, metricValue: 100 + (i % 2) },
        executedAt: new Date(Date.now() - i * 60_000),
      });
    await rows(2);
    await executeNow(ctx, watch.id);
    const kept = await db.select().from(anomalies).where(eq(anomalies.subscriptionId, watch.id));
    // 1.50 + 3.00
    expect(kept).toMatchObject([{ detectedValue: 4.5, metric: "FirstNumericColumn" }]);
  });

  test("reports nothing with 29 executions, with older ones only, or when off", async () => {
    const few = await aWatch({ anomalyDetection: detection });
    for (let i = 1; i <= 29; i++)
      await anExecution({
        ...{ subscriptionId: few.id, rowCount: 10 },
        executedAt: new Date(Date.now() - i * 60_000),
      });
    const old = await aWatch({ anomalyDetection: detection });
    await withHistory(old.id, { executedAt: new Date(Date.now() - 31 * 86_400_000) });
    const off = await aWatch();
    await withHistory(off.id);
    await rows(1000);
    for (const { id } of [few, old, off]) await executeNow(ctx, id);
    expect(await db.select().from(anomalies).where(query`detected_value = 1000`)).toEqual([]);
  });
});

describe("a scheduled execution", () => {
  const at = new Date("2026-02-03T04:05:00Z");

  test("runs once, even if requested several times", async () => {
    const watch = await aWatch();
    const answers = await Promise.all([1, 2, 3].map(() => executeDueSubscription(watch.id, at)));
    expect(
      new Set(answers.map((answer) => ("executionId" in answer ? answer.executionId : answer))).size,
    ).toBe(1);
    const stored = await db.select().from(executions).where(eq(executions.subscriptionId, watch.id));
    expect(stored).toMatchObject([{ trigger: "Scheduled", scheduledFor: at, status: "NoResults" }]);
  });

  test("does not run if the subscription was disabled or archived", async () => {
    const disabled = await aWatch({ enabled: false });
    expect(await executeDueSubscription(disabled.id, at)).toEqual({
      skipped: "The subscription is disabled",
    });
    const archived = await aWatch();
    await archiveSubscription(ctx, archived.id);
    expect(await executeDueSubscription(archived.id, at)).toEqual({
      skipped: "The subscription is archived",
    });
  });
});

describe("an execution whose process died", () => {
  /** As left behind by a dead process. */
  async function abandoned(subscriptionId: number, more: Partial<typeof executions.$inferInsert> = {}) {
    const id = await anExecution({
      ...{ subscriptionId, status: "Created", rowCount: null, finishedAt: null, attempts: 1 },
      ...{ leaseToken: crypto.randomUUID(), leaseUntil: new Date(Date.now() - 1000) },
      ...more,
    });
    return id;
  }

  test("is taken over, and counts, opens, and notifies once", async () => {
    await rows(2);
    const watch = await aWatch({ createTasks: true });
    const id = await abandoned(watch.id);
    await Promise.all([recoverAbandonedExecutions(), recoverAbandonedExecutions()]);
    expect(await getExecution(ctx, id)).toMatchObject({ status: "NotificationSent", rowCount: 2 });
    expect(await toldOf(id)).toHaveLength(1);
    expect(await tasksOf(watch.id)).toMatchObject([{ executionCount: 1 }]);
    const [state] = await db
      .select()
      .from(subscriptionState)
      .where(eq(subscriptionState.subscriptionId, watch.id));
    expect(state).toMatchObject({ total: 1, ok: 1, lastStatus: "NotificationSent" });
  });

  test("is stored as failed after repeated interruptions", async () => {
    const id = await abandoned((await aWatch()).id, { attempts: limits.maxAttempts });
    await recoverAbandonedExecutions();
    expect(await getExecution(ctx, id)).toMatchObject({
      status: "Failed",
      errorMessage: "The execution was interrupted 3 times",
    });
  });
});

test("archiving a query with its running subscriptions leaves an execution that ended", async () => {
  const of = await aQuery({ name: "Slow", dataSource: source, sql: "select 1 from pg_sleep(1)" }, ctx);
  const watch = await aSubscription({ query: of, recipientIds: [recipientId] }, ctx);
  const { executionId } = await startExecution(ctx, watch.id);
  const isRunning = () => sql`
    select from pg_stat_activity
    where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`;
  while ((await isRunning()).length === 0);
  await archiveQuery(ctx, { id: of.id, cascade: true });
  let row: typeof executions.$inferSelect | undefined;
  do {
    [row] = await db.select().from(executions).where(eq(executions.id, executionId));
  } while (row?.status === "Created");
  expect(row).toMatchObject({ status: "NotificationSent", rowCount: 1 });
  expect(await toldOf(executionId)).toEqual([]);
  const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.id, watch.id));
  expect(subscription).toMatchObject({ nextRunAt: null });
});
