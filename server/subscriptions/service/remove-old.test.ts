import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { getDetail } from "../../control-tower/service/detail.ts";
import { listHealth } from "../../control-tower/service/health.ts";
import { calculateStatistics } from "../../control-tower/service/statistics.ts";
import { db, sql } from "../../db/client.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { anAnomaly, anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { sequentiallyRead } from "../../test/sequential-scans.ts";
import { executions } from "../tables.ts";
import { rebuildCounters } from "./counters.ts";
import { removeOldCounts, removeOldExecutions } from "./remove-old.ts";

let ctx: SignedIn;
beforeEach(async () => {
  ctx = await asAdmin();
  await sql`truncate executions, execution_rows, anomalies, subscription_state, subscription_day`;
});

const dayMs = 86_400_000;
const daysAgo = (days: number, ms = 0) => new Date(Date.now() - days * dayMs - ms);
const idsLeft = async () => (await sql`select id from executions order by id`).map(({ id }) => id as number);

/** Executions spread over the given days, none near the turn of an hour; every 17th has an anomaly. */
async function fill(subscriptionIds: number[], count: number, days: number) {
  await sql`
    insert into executions (subscription_id, status, trigger, executed_at, finished_at, row_count, query_version)
    select (${subscriptionIds}::int[])[1 + i * 7919 % ${subscriptionIds.length}],
      (array['NoResults', 'NotificationSent', 'Failed', 'Timeout', 'BelowThreshold'])[1 + i * 31 % 5]::execution_status,
      'Scheduled', at, at, i % 100, 1
    from (
      select i, now() - (i * 104729::bigint % (${days} * 24)) * interval '1 hour' - (60 + i % 3000) * interval '1 second' as at
      from generate_series(1, ${count}::int) as i) as each`;
  await sql`
    insert into anomalies (subscription_id, execution_id, detected_at, severity, method, metric, detected_value, explanation)
    select subscription_id, id, executed_at, 'High', 'StandardDeviation', 'RowCount', 200, 'Above the usual'
    from executions where id % 17 = 0`;
  await db.transaction(rebuildCounters);
}

/** Control Tower's figures for each possible window. */
async function said(subscriptionIds: number[]) {
  const windows = await Promise.all(
    [1, 7, 30, 90, 181, 365].map(async (timeRangeDays) => ({
      statistics: await calculateStatistics(ctx, { timeRangeDays }),
      health: await listHealth(ctx, { timeRangeDays, page: 0, pageSize: 500, sortBy: "Name" }),
    })),
  );
  const details = await Promise.all(subscriptionIds.map((id) => getDetail(ctx, { id, timeRangeDays: 90 })));
  return { windows, details };
}

test("old executions are removed without changing health, statistics, or a subscription's details", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, async () => (await aSubscription()).id));
  const [rare = 0, ...busy] = ids;
  await fill(busy, 6000, 900);
  // Fewer than the details show, all very old, and one that never ended.
  for (const n of Array.from({ length: 25 }, (_, n) => n))
    await anExecution({ subscriptionId: rare, executedAt: daysAgo(800 + n) });
  await anExecution({ subscriptionId: rare, executedAt: daysAgo(899), status: "Created" });
  await sql`
    update subscriptions set created_at = now() - interval '1000 days' where id = any(${ids})`;

  const [expected] = await sql<{ gone: number[]; left: number[]; orphans: number[] }[]>`
    with each as (
      select id, executed_at < now() - interval '400 days' and status <> 'Created' and 20 < row_number() over (
        partition by subscription_id order by executed_at desc, id desc) as is_gone from executions)
    select array_agg(id order by id) filter (where is_gone) as gone,
      array_agg(id order by id) filter (where not is_gone) as left from each`;
  const before = await said(ids);
  expect(before.windows.map(({ statistics }) => statistics.overallSuccessRate)).not.toContain(100);
  expect(expected?.gone.length).toBeGreaterThan(2500);

  expect(await removeOldExecutions(400)).toBe(expected?.gone.length);
  expect(await idsLeft()).toEqual(expected?.left);
  expect(
    await sql`select from anomalies where not exists (select from executions where id = execution_id)`,
  ).toHaveLength(0);
  expect((await sql`select from anomalies`).length).toBeGreaterThan(100);
  expect(await said(ids)).toEqual(before);

  const [counts] = await sql<{ days: number; expected: number }[]>`
    select count(*)::int as days, (count(*) filter (where day >= oldest))::int as expected
    from subscription_day join (
      select subscription_id, max(day) as oldest from subscription_day
      where day <= (now() at time zone 'UTC')::date - 400 group by 1) as kept using (subscription_id)`;
  expect(await removeOldCounts()).toBe((counts?.days ?? 0) - (counts?.expected ?? 0));
  expect((counts?.days ?? 0) - (counts?.expected ?? 0)).toBeGreaterThan(1000);
  expect(await said(ids)).toEqual(before);
  expect(await removeOldExecutions(400)).toBe(0);
  expect(await removeOldCounts()).toBe(0);
});

test("the limit is exact, and the newest twenty are kept whatever their age", async () => {
  const { id: subscriptionId } = await aSubscription();
  const { id: other } = await aSubscription();
  await anExecution({ subscriptionId, executedAt: daysAgo(100, 1) });
  const young = await anExecution({ subscriptionId, executedAt: daysAgo(100, -10_000) });
  const newest = [];
  for (let n = 0; n < 20; n++) newest.push(await anExecution({ subscriptionId, executedAt: daysAgo(n) }));
  const oldNewest = [];
  for (let n = 0; n < 20; n++)
    oldNewest.push(await anExecution({ subscriptionId: other, executedAt: daysAgo(200 + n) }));
  const atOnce = await anExecution({ subscriptionId: other, executedAt: daysAgo(300) });
  await anAnomaly(other, { executionId: atOnce, detectedAt: daysAgo(300) });

  expect(await removeOldExecutions(null)).toBe(0);
  expect(await removeOldExecutions(100)).toBe(2);
  expect(await idsLeft()).toEqual([young, ...newest, ...oldNewest]);
});

test("thousands are removed in batches, skipping locked rows, while new ones arrive", async () => {
  const { id: subscriptionId } = await aSubscription();
  await sql`
    insert into executions (subscription_id, status, trigger, executed_at, finished_at, query_version)
    select ${subscriptionId}, 'NoResults', 'Scheduled', now() - interval '500 days', now(), 1
    from generate_series(1, 2520)`;
  await db.transaction(rebuildCounters);
  const come = Array.from({ length: 30 }, (_, n) => n);
  await sql.begin(async (held) => {
    await held`select from executions order by id limit 1 for update`;
    const [removed] = await Promise.all([
      removeOldExecutions(400),
      ...come.map((n) => anExecution({ subscriptionId, executedAt: new Date(Date.now() + n) })),
    ]);
    // Up to twenty old ones are left, if they were still the newest at the time.
    expect(removed).toBeGreaterThanOrEqual(2499);
  });
  expect(await removeOldExecutions(400)).toBeLessThanOrEqual(21);
  expect(await idsLeft()).toHaveLength(30);
  const [state] = await sql`
    select total, ok, last_at = (select max(executed_at) from executions) as is_last from subscription_state`;
  expect(state).toMatchObject({ total: 2550, ok: 2550, is_last: true });
});

test("no table is scanned in full", { timeout: 180_000 }, async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await aSubscription()).id));
  await fill(ids, 30_000, 500);
  await sql`vacuum analyze executions, anomalies, subscription_day`;
  const tables = ["executions", "anomalies", "subscription_day", "subscription_state", "subscriptions"];
  const work = async () => {
    expect(await removeOldExecutions(400)).toBeGreaterThan(4000);
    expect(await removeOldCounts()).toBeGreaterThan(1000);
  };
  expect(await sequentiallyRead(tables, work)).toEqual([]);
  expect(await db.$count(executions, eq(executions.status, "Created"))).toBe(0);
});
