import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db, sql } from "../db/client.ts";
import { attemptDelivery } from "../notifications/service/deliver.ts";
import { retryDelivery } from "../notifications/service/ledger.ts";
import { updateRecipient } from "../notifications/service/recipients.ts";
import { deliveries } from "../notifications/tables.ts";
import type { SubscriptionInput } from "../subscriptions/schema.ts";
import { acknowledgeAnomaly, listAnomalies } from "../subscriptions/service/anomalies.ts";
import { executeNow } from "../subscriptions/service/execute.ts";
import { listExecutions } from "../subscriptions/service/executions.ts";
import { getSubscription, silenceSubscription } from "../subscriptions/service/subscriptions.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { anHttpReceiver } from "../test/http-receiver.ts";
import { detailInWords, healthInWords } from "./in-words.ts";
import { healthInput, healthPageSchema, subscriptionDetailSchema } from "./schema.ts";
import { getDetail } from "./service/detail.ts";
import { listHealth } from "./service/health.ts";

/** How a run is shown, the same everywhere, with deliveries that really arrive or fail. */
let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  [ctx, receiver] = await Promise.all([asAdmin(), anHttpReceiver()]);
  source = await aDataSource();
  await sql.unsafe("create table parcels (id int)");
});
beforeEach(async () => {
  receiver.answer = (response) => response.end("ok");
  await sql.unsafe("truncate parcels; insert into parcels select generate_series(1, 22)");
});
afterAll(async () => {
  await closeSources();
  await receiver.stop();
});

const aHook = (path: string) =>
  aRecipient({
    ...{ projectId: source.projectId, name: path, type: "Webhook", destination: `${receiver.url}/${path}` },
  });

const answers = (codes: Record<string, number>) => {
  receiver.answer = (response, { path }) => {
    response.statusCode = codes[path.slice(1)] ?? 200;
    response.end();
  };
};

async function aWatch(write: Partial<SubscriptionInput> = {}) {
  const of = await aQuery({ name: "Lost parcels", dataSource: source, sql: "select id from parcels" }, ctx);
  return aSubscription({ query: of, ...write }, ctx);
}

async function deliver(): Promise<void> {
  const due = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.status, "Queued"))
    .orderBy(deliveries.id);
  for (const { id } of due) await attemptDelivery(id);
}

/** The outcome of the last run, after checking that every procedure shows the same. */
async function shownOf(subscriptionId: number) {
  const page = { page: 0, pageSize: 500 };
  const [subscription, executions, detail, health] = await Promise.all([
    getSubscription(ctx, subscriptionId),
    listExecutions(ctx, { id: subscriptionId, ...page }),
    getDetail(ctx, { id: subscriptionId, timeRangeDays: 30 }),
    listHealth(ctx, healthInput.parse({ projectId: source.projectId, pageSize: 500 })),
  ]);
  const row = health.items.find((each) => each.subscriptionId === subscriptionId);
  const outcome = subscription.lastExecution?.outcome;
  expect(executions.items[0]?.outcome).toEqual(outcome);
  expect(detail.executions[0]?.outcome).toEqual(outcome);
  expect(row?.lastExecution?.outcome).toEqual(outcome);
  return { outcome, row, words: detailInWords(subscriptionDetailSchema.parse(detail)) };
}

test("a run whose deliveries all failed says so, while its status and rate follow the specification", async () => {
  const [one, other] = [await aHook("gone"), await aHook("away")];
  const watch = await aWatch({ recipientIds: [one.id, other.id] });
  expect(await executeNow(ctx, watch.id)).toMatchObject({
    status: "NotificationSent",
    outcome: {
      found: { rowCount: 22, verdict: "Found" },
      told: { state: "Sending", recipients: 2, sent: 0 },
    },
  });
  // 404 is final; 503 is retried.
  answers({ gone: 404, away: 503 });
  await deliver();
  const { outcome, row, words } = await shownOf(watch.id);
  expect(outcome?.told).toMatchObject({ state: "DeliveryFailed", recipients: 2, sent: 0, failed: 2 });
  expect(row).toMatchObject({
    status: "Green",
    successRate: 100,
    lastExecution: { status: "NotificationSent" },
  });
  expect(words).toContain("found 22 rows; delivery failed");
  expect(words).not.toContain("NotificationSent");

  answers({});
  const [failed] = await db.select().from(deliveries).where(eq(deliveries.recipientId, one.id));
  await retryDelivery(ctx, failed?.id ?? 0);
  await db.update(deliveries).set({ nextAttemptAt: new Date() }).where(eq(deliveries.status, "Queued"));
  await deliver();
  expect((await shownOf(watch.id)).outcome?.told).toMatchObject({ state: "Told", sent: 2, failed: 0 });
});

test("delivery to an unavailable receiver is retried, and doesn't count as sent", async () => {
  const [fine, away] = [await aHook("fine"), await aHook("away")];
  const watch = await aWatch({ recipientIds: [fine.id, away.id] });
  await executeNow(ctx, watch.id);
  answers({ away: 503 });
  await deliver();
  const { outcome, words } = await shownOf(watch.id);
  expect(outcome?.told).toMatchObject({ state: "Retrying", recipients: 2, sent: 1, failed: 1 });
  expect(words).toContain("found 22 rows; told 1 of 2, delivery failed, retrying");
});

test("without enabled recipients, nobody counts as notified", async () => {
  const off = await aHook("off");
  await updateRecipient(ctx, {
    ...{ id: off.id, name: "off", type: "Webhook", destination: `${receiver.url}/off`, enabled: false },
  });
  for (const recipientIds of [[], [off.id]]) {
    const watch = await aWatch({ recipientIds });
    expect((await executeNow(ctx, watch.id)).status).toBe("NotificationSent");
    const { outcome, words } = await shownOf(watch.id);
    expect(outcome?.told).toMatchObject({ state: "NobodyToTell", recipients: 0 });
    expect(words).toContain("found 22 rows; nobody to tell");
  }
});

test("a silence shows its end, even after it has expired", async () => {
  const watch = await aWatch({ recipientIds: [(await aHook("quiet")).id] });
  const until = new Date(Date.now() + 3_600_000);
  await silenceSubscription(ctx, { id: watch.id, until });
  await executeNow(ctx, watch.id);
  await silenceSubscription(ctx, { id: watch.id });
  const { outcome } = await shownOf(watch.id);
  expect(outcome?.told).toMatchObject({ state: "Silenced", silencedUntil: until });
});

test("nothing found, a failure, and no run are three different outcomes", async () => {
  await sql.unsafe("truncate parcels");
  const empty = await aWatch();
  await executeNow(ctx, empty.id);
  expect((await shownOf(empty.id)).outcome).toMatchObject({
    ...{ run: "Ran", found: { rowCount: 0, verdict: "Nothing" }, told: { state: "NothingToTell" } },
  });

  const broken = await aWatch();
  await anExecution({
    subscriptionId: broken.id,
    status: "Failed",
    rowCount: null,
    errorMessage: "No such table",
  });
  const failed = await shownOf(broken.id);
  expect(failed.outcome).toMatchObject({ run: "CouldNotRun", found: null });
  expect(failed.words).toContain("could not run; No such table");

  const young = await aWatch();
  const { outcome, row } = await shownOf(young.id);
  expect(outcome).toBeUndefined();
  expect(row).toMatchObject({ status: "Green", totalExecutions: 0, lastExecution: null });
  const page = await listHealth(ctx, healthInput.parse({ projectId: source.projectId, pageSize: 500 }));
  const words = healthInWords(healthPageSchema.parse(page));
  expect(words).toContain(`${young.id}: Lost parcels: Green, not run yet`);
});

test("usual and unusual follow anomaly detection, whose parameters are stored with the run", async () => {
  const watch = await aWatch({
    anomalyDetection: { enabled: true, metric: "FirstNumericColumn", method: "Iqr" },
  });
  // Quartiles 10 and 10: only 10 is usual.
  for (let i = 1; i <= 30; i++)
    await anExecution({
      subscriptionId: watch.id,
      metricValue: 10,
      executedAt: new Date(Date.now() - i * 60_000),
    });
  await sql.unsafe("truncate parcels; insert into parcels values (10), (11)");
  const usual = await executeNow(ctx, watch.id);
  expect(usual).toMatchObject({
    ...{ metricColumn: "id", metricValue: 10, usual: { metric: "FirstNumericColumn", low: 10, high: 10 } },
    outcome: { found: { rowCount: 2, isUsual: true } },
  });
  await sql.unsafe("truncate parcels; insert into parcels values (40)");
  const unusual = await executeNow(ctx, watch.id);
  expect(unusual).toMatchObject({
    ...{ metricColumn: "id", metricValue: 40, usual: { low: 10, high: 10 } },
    outcome: { found: { rowCount: 1, isUsual: false, isAcknowledged: false } },
  });
  const { items } = await listAnomalies(ctx, { subscriptionId: watch.id, page: 0, pageSize: 1 });
  expect(items).toMatchObject([{ metric: "FirstNumericColumn", detectedValue: 40 }]);
  await acknowledgeAnomaly(ctx, items[0]?.id ?? 0);
  expect((await shownOf(watch.id)).outcome?.found).toMatchObject({ isUsual: false, isAcknowledged: true });
});
