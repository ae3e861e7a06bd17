import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { aSubscription } from "../../test/factories/subscriptions.ts";
import type { SubscriptionInput } from "../schema.ts";
import { beginDue } from "./begin-executions.ts";
import { executeDueSubscription } from "./execute.ts";
import { storeQuiet } from "./store-quiet.ts";

/** Executions that are due at the same time begin, and are stored, in groups; each is as if it had been alone. */

const ids = new Map<string, number>();
const due = new Date("2026-05-04T06:00:00Z");
const minutesLater = (minutes: number) => new Date(due.getTime() + minutes * 60_000);

beforeAll(async () => {
  const ctx = await asAdmin();
  const dataSource = await aDataSource();
  await sql.unsafe("create table late (id int); insert into late values (1), (2)");
  const none = await aQuery({ name: "None", dataSource, sql: "select id from late where id > 2" }, ctx);
  const two = await aQuery({ name: "Two", dataSource, sql: "select id from late" }, ctx);
  const more: [string, Partial<SubscriptionInput> & { query: { id: number } }][] = [
    ["finds nothing", { query: none }],
    ["finds nothing either", { query: none }],
    ["has enough", { query: two, condition: { kind: "RowCountBelow", threshold: 2 } }],
    ["too few", { query: two, condition: { kind: "RowCountAbove", threshold: 5 } }],
    ["finds rows", { query: two, createTasks: true }],
    ["had a task", { query: none, createTasks: true }],
    ["was stalled", { query: none }],
    [
      "learns",
      { query: none, anomalyDetection: { enabled: true, method: "StandardDeviation", metric: "RowCount" } },
    ],
    ["is silenced", { query: none }],
    ["is disabled", { query: none }],
    ["is archived", { query: none }],
  ];
  for (const [name, write] of more) ids.set(name, (await aSubscription({ name, ...write }, ctx)).id);
  // None of them is as simple when it runs for the first time.
  expect(
    await Promise.all([...ids.values()].map((id) => beginDue({ subscriptionId: id, scheduledFor: due }))),
  ).toEqual(more.map(() => null));
  for (const id of ids.values()) await executeDueSubscription(id, due);
  await sql`
    insert into tasks (project_id, subscription_id, query_id, latest_row_count)
    select project_id, id, query_id, 3 from subscriptions where id = ${of("had a task")}`;
  await sql`
    insert into subscription_incidents (subscription_id, kind, reason, opened_at)
    values (${of("was stalled")}, 'Stalled', 'late', now())`;
  await sql`update subscriptions set silenced_until = '2100-01-01' where id = ${of("is silenced")}`;
  await sql`update subscriptions set enabled = false, next_run_at = null where id = ${of("is disabled")}`;
  await sql`update subscriptions set archived_at = now(), next_run_at = null where id = ${of("is archived")}`;
});
afterAll(closeSources);

const of = (name: string): number => ids.get(name) ?? 0;

/** Counted by independent SQL, beside what is kept. */
const wrongCounters = () => sql`
  with counted as (
    select subscription_id, count(*)::int as total,
      (count(*) filter (where status in ('NotificationSent', 'NoResults', 'NotificationSilenced')))::int as ok,
      max(id) as last
    from executions group by 1)
  select counted.*, state.* from counted
  left join subscription_state as state using (subscription_id)
  left join lateral (select total, ok from subscription_day as day where day.subscription_id = counted.subscription_id
    order by day desc limit 1) as day on true
  where (counted.total, counted.ok, counted.last) is distinct from (state.total, state.ok, state.last_execution_id)
    or (counted.total, counted.ok) is distinct from (day.total, day.ok)
    or state.last_status is distinct from (select status from executions where id = counted.last)`;

test("what is due together is executed once each, counted, and told as if it were alone", async () => {
  const outcomes = await Promise.all(
    [...ids].map(async ([name, id]) => [name, await executeDueSubscription(id, minutesLater(1))] as const),
  );
  expect(Object.fromEntries(outcomes)).toMatchObject({
    "is disabled": { skipped: "The subscription is disabled" },
    "is archived": { skipped: "The subscription is archived" },
    "finds nothing": { executionId: expect.any(Number) },
  });
  const stored = await sql<{ name: string; status: string; rows: number; silenced: boolean }[]>`
    select s.name, e.status, e.row_count as rows, e.silenced_until is not null as silenced, e.query_version,
      e.parameters = '{}' and e.finished_at >= e.executed_at and e.execution_time_ms >= 0 as is_complete
    from executions e join subscriptions s on s.id = e.subscription_id
    where e.scheduled_for = ${minutesLater(1).toISOString()}::timestamptz order by s.id`;
  const each = (status: string, rows: number, silenced = false) => ({
    ...{ status, rows, silenced, query_version: 1, is_complete: true },
  });
  expect([...stored]).toEqual([
    { name: "finds nothing", ...each("NoResults", 0) },
    { name: "finds nothing either", ...each("NoResults", 0) },
    { name: "has enough", ...each("NoResults", 2) },
    { name: "too few", ...each("BelowThreshold", 2) },
    { name: "finds rows", ...each("NotificationSent", 2) },
    { name: "had a task", ...each("NoResults", 0) },
    { name: "was stalled", ...each("NoResults", 0) },
    { name: "learns", ...each("NoResults", 0) },
    { name: "is silenced", ...each("NoResults", 0, true) },
  ]);
  expect([...(await wrongCounters())]).toEqual([]);
  const [after] = await sql`
    select (select array_agg(status::text order by id) from tasks where subscription_id = ${of("had a task")}) as resolved,
      (select count(*)::int from tasks where subscription_id = ${of("finds rows")} and status = 'Open') as opened,
      (select count(*)::int from subscription_incidents where closed_at is null) as incidents,
      (select count(*)::int from job_events where key like 'execution-finished/%') as events,
      (select count(*)::int from executions where status <> 'Created') as executions`;
  expect(after).toMatchObject({ resolved: ["Resolved"], opened: 1, incidents: 0 });
  expect(after?.events).toBe(after?.executions);
});

test("a time that was executed before is not executed again, and one subscription's times one after the other", async () => {
  const id = of("finds nothing");
  const [first, again, next] = await Promise.all([
    executeDueSubscription(id, minutesLater(2)),
    executeDueSubscription(id, minutesLater(2)),
    executeDueSubscription(id, minutesLater(3)),
  ]);
  expect(first).toEqual(again);
  expect(next).not.toEqual(first);
  expect(await executeDueSubscription(id, minutesLater(1))).toMatchObject({
    executionId: expect.any(Number),
  });
  const [count] = await sql`
    select count(*)::int as all, count(distinct scheduled_for)::int as times from executions where subscription_id = ${id}`;
  expect(count).toEqual({ all: 4, times: 4 });
  expect([...(await wrongCounters())]).toEqual([]);
});

test("those that can begin do so together, and leave out who is in use", async () => {
  const [one, other] = [of("finds nothing"), of("finds nothing either")];
  await sql.begin(async (tx) => {
    await tx`select from subscription_state where subscription_id = ${other} for update`;
    const began = await Promise.all(
      [one, other, of("is disabled")].map((subscriptionId) =>
        beginDue({ subscriptionId, scheduledFor: minutesLater(10) }),
      ),
    );
    expect(began).toMatchObject([
      {
        attempt: 1,
        begun: { execution: { subscriptionId: one, status: "Created" }, subscription: { id: one } },
      },
      null,
      null,
    ]);
  });
  const [row] = await sql`
    select trigger, attempts, lease_until > now() as is_leased from executions
    where subscription_id = ${one} and scheduled_for = ${minutesLater(10).toISOString()}::timestamptz`;
  expect(row).toEqual({ trigger: "Scheduled", attempts: 1, is_leased: true });
  expect([...(await wrongCounters())]).toEqual([]);
});

test("only those are stored together of which nobody has to be told", async () => {
  await sql`
    insert into tasks (project_id, subscription_id, query_id, latest_row_count)
    select project_id, id, query_id, 3 from subscriptions where id = ${of("had a task")}`;
  const ran = async (name: string, rowCount: number) => {
    const lease = await beginDue({ subscriptionId: of(name), scheduledFor: minutesLater(20) });
    if (!lease?.begun) throw new Error(`${name} did not begin`);
    return { lease, execution: lease.begun.execution, rowCount, metricValue: null, executionTimeMs: 5 };
  };
  const quiet = await ran("finds nothing", 0);
  const lost = await ran("finds nothing either", 0);
  const all = [
    ...[quiet, { ...lost, lease: { ...lost.lease, token: "00000000-0000-4000-8000-000000000000" } }],
    ...[await ran("too few", 2), await ran("has enough", 0), await ran("finds rows", 1)],
    ...[await ran("had a task", 0), await ran("learns", 0), await ran("is silenced", 0)],
  ];
  expect(await Promise.all(all.map(storeQuiet))).toEqual([
    ...["NoResults", null],
    ...["BelowThreshold", null, null],
    ...[null, null, "NoResults"],
  ]);
  // It has been stored, so it is nobody's anymore.
  expect(await storeQuiet(quiet)).toBeNull();
  const open = await sql<{ name: string }[]>`
    select s.name from executions e join subscriptions s on s.id = e.subscription_id
    where e.scheduled_for = ${minutesLater(20).toISOString()}::timestamptz and e.status = 'Created' order by s.id`;
  expect(open.map(({ name }) => name)).toEqual([
    ...["finds nothing either", "has enough", "finds rows", "had a task", "learns"],
  ]);
  expect([...(await wrongCounters())]).toEqual([]);
});
