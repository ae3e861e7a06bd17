import { beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db, sql } from "../../db/client.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { anAnomaly, anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { sequentiallyRead } from "../../test/sequential-scans.ts";
import { subscriptionIncidents } from "../tables.ts";
import { listIncidents } from "./incident-history.ts";
import { listRecentValues } from "./recent-values.ts";
import { archiveSubscription } from "./subscriptions.ts";

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asAdmin();
});

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute));

test("the last thirty runs, oldest first, with gaps and anomalies; of the number that is judged", async () => {
  const rows = (await aSubscription()).id;
  for (let minute = 1; minute <= 32; minute++)
    await anExecution({
      subscriptionId: rows,
      executedAt: at(minute),
      rowCount: minute === 31 ? null : minute,
    });
  await anExecution({ subscriptionId: rows, executedAt: at(40), rowCount: null, status: "Created" });
  const anomalyDetection = { enabled: true, metric: "FirstNumericColumn" } as const;
  const delays = (await aSubscription({ anomalyDetection })).id;
  await anExecution({ subscriptionId: delays, executedAt: at(1), rowCount: 1, metricValue: 8.5 });
  const odd = await anExecution({ subscriptionId: delays, executedAt: at(2), rowCount: 1, metricValue: 31 });
  await anAnomaly(delays, { executionId: odd, metric: "FirstNumericColumn" });
  const other = await anExecution({ subscriptionId: delays, executedAt: at(3), rowCount: 1, metricValue: 9 });
  await anAnomaly(delays, { executionId: other, metric: "RowCount" });
  const none = (await aSubscription()).id;
  const archived = (await aSubscription()).id;
  await archiveSubscription(ctx, archived);

  const { items } = await listRecentValues(ctx, [rows, delays, none, archived, 2_000_000_000]);
  const of = new Map(items.map(({ subscriptionId, ...values }) => [subscriptionId, values]));
  expect([...of.keys()].toSorted((a, b) => a - b)).toEqual([rows, delays, none]);
  // Runs 3 to 32 are the last thirty that have ended; the 31st failed.
  const numbers = Array.from({ length: 30 }, (_, n) => (n + 3 === 31 ? null : n + 3));
  expect(of.get(rows)).toEqual({ metric: "RowCount", values: numbers, anomalies: numbers.map(() => false) });
  expect(of.get(delays)).toEqual({
    ...{ metric: "FirstNumericColumn", values: [8.5, 31, 9], anomalies: [false, true, false] },
  });
  expect(of.get(none)).toEqual({ metric: "RowCount", values: [], anomalies: [] });
  expect(await listRecentValues(ctx, [])).toEqual({ items: [] });
  // Nobody reads numbers of a project that is not theirs.
  const elsewhere = await asAdmin({ projectIds: [] });
  expect(await listRecentValues(elsewhere, [rows, delays])).toEqual({ items: [] });
});

test("reads only the runs that it shows", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await aSubscription()).id));
  await sql`
    insert into executions (subscription_id, status, trigger, executed_at, finished_at, row_count, query_version)
    select (${ids}::int[])[1 + i % 5], 'NoResults', 'Scheduled', now() - i * interval '1 minute', now(), i % 7, 1
    from generate_series(1, 20000) as i`;
  await sql`vacuum analyze executions, anomalies`;
  const work = async () => {
    const { items } = await listRecentValues(ctx, ids);
    expect(items.map(({ values }) => values.length)).toEqual([30, 30, 30, 30, 30]);
  };
  expect(await sequentiallyRead(["executions"], work)).toEqual([]);
});

test("incidents of a subscription, newest first", async () => {
  const { id } = await aSubscription();
  const { id: other } = await aSubscription();
  await db.insert(subscriptionIncidents).values([
    { subscriptionId: id, kind: "Failing", reason: "no table", openedAt: at(1), closedAt: at(5) },
    { subscriptionId: id, kind: "Stalled", reason: "late", openedAt: at(9) },
    { subscriptionId: other, kind: "Failing", reason: "other", openedAt: at(9) },
  ]);
  expect((await listIncidents(ctx, id)).items).toEqual([
    { kind: "Stalled", reason: "late", openedAt: at(9), closedAt: null },
    { kind: "Failing", reason: "no table", openedAt: at(1), closedAt: at(5) },
  ]);
});
