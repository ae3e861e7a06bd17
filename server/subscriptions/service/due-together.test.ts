import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { anActor } from "../../test/factories/actors.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import type { KeptRows } from "../kept-rows.ts";
import type { ExecutionStatus } from "../kinds.ts";
import type { SubscriptionInput } from "../schema.ts";
import { beginDue } from "./begin-executions.ts";
import { executeDueSubscription } from "./execute.ts";
import { type Ran, storeQuiet } from "./store-quiet.ts";

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
  const few = { kind: "RowCountAbove" as const, threshold: 5 };
  const detects = { enabled: true, method: "StandardDeviation" as const };
  const more: [string, Partial<SubscriptionInput> & { query: { id: number } }][] = [
    ["finds nothing", { query: none }],
    ["finds nothing either", { query: none }],
    ["has enough", { query: two, condition: { kind: "RowCountBelow", threshold: 2 } }],
    ["too few", { query: two, condition: few }],
    ["finds rows", { query: two, createTasks: true }],
    ["had a task", { query: none, createTasks: true }],
    ["was stalled", { query: none }],
    ["learns", { query: two, condition: few, anomalyDetection: { ...detects, metric: "RowCount" } }],
    ["sees an anomaly", { query: two, condition: few, anomalyDetection: { ...detects, metric: "RowCount" } }],
    [
      "learns a number",
      { query: two, condition: few, anomalyDetection: { ...detects, metric: "FirstNumericColumn" } },
    ],
    [
      "knows too little",
      { query: two, condition: few, anomalyDetection: { ...detects, metric: "RowCount" } },
    ],
    ["is an actor's", { query: none }],
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
  const actor = await anActor({ dataSourceId: dataSource.id }, ctx);
  await sql`update subscriptions set ai_actor_id = ${actor.id} where id = ${of("is an actor's")}`;
  for (const name of ["learns", "learns a number"]) await past(name, 1);
  await past("sees an anomaly", 101);
  await sql`update subscriptions set silenced_until = '2100-01-01' where id = ${of("is silenced")}`;
  await sql`update subscriptions set enabled = false, next_run_at = null where id = ${of("is disabled")}`;
  await sql`update subscriptions set archived_at = now(), next_run_at = null where id = ${of("is archived")}`;
});
afterAll(closeSources);

const of = (name: string): number => ids.get(name) ?? 0;

/**
 * One execution on each of thirty days before: of this many rows, one more, and two more, in turns; its first number is one less.
 */
const past = async (name: string, rows: number) => {
  for (let day = 1; day <= 30; day++)
    await anExecution({
      ...{ subscriptionId: of(name), executedAt: new Date(Date.now() - day * 86_400_000 + 3_600_000) },
      ...{ rowCount: rows + (day % 3), metricValue: rows + (day % 3) - 1 },
    });
};

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
    { name: "learns", ...each("BelowThreshold", 2) },
    { name: "sees an anomaly", ...each("BelowThreshold", 2) },
    { name: "learns a number", ...each("BelowThreshold", 2) },
    { name: "knows too little", ...each("BelowThreshold", 2) },
    { name: "is an actor's", ...each("NoResults", 0) },
    { name: "is silenced", ...each("NoResults", 0, true) },
  ]);
  expect([...(await wrongCounters())]).toEqual([]);
  const [after] = await sql`
    select (select array_agg(status::text order by id) from tasks where subscription_id = ${of("had a task")}) as resolved,
      (select count(*)::int from tasks where subscription_id = ${of("finds rows")} and status = 'Open') as opened,
      (select count(*)::int from subscription_incidents where closed_at is null) as incidents,
      (select count(*)::int from job_events where name like '%execution.finished' and data ->> 'aiActorId' is null) as in_vain`;
  expect(after).toEqual({ resolved: ["Resolved"], opened: 1, incidents: 0, in_vain: 0 });
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

/** Begins an execution and returns how it ran, which is not stored yet. */
async function ran(name: string, at: number, rowCount: number, more: Partial<Ran> = {}): Promise<Ran> {
  const lease = await beginDue({ subscriptionId: of(name), scheduledFor: minutesLater(at) });
  if (!lease?.begun) throw new Error(`${name} did not begin`);
  return { lease, ...lease.begun, rowCount, measured: null, executionTimeMs: 5, kept: null, ...more };
}

const isStored = async ({ lease }: Ran) =>
  (await sql`select from executions where id = ${lease.id} and status <> 'Created'`).length === 1;

test("only those are stored together of which nobody has to be told", async () => {
  await sql`
    insert into tasks (project_id, subscription_id, query_id, latest_row_count)
    select project_id, id, query_id, 3 from subscriptions where id = ${of("had a task")}`;
  const quiet = await ran("finds nothing", 20, 0);
  const lost = await ran("finds nothing either", 20, 0);
  const outcomes: [Ran, ExecutionStatus | null][] = [
    [quiet, "NoResults"],
    [{ ...lost, lease: { ...lost.lease, token: "00000000-0000-4000-8000-000000000000" } }, null],
    [await ran("too few", 20, 2), "BelowThreshold"],
    [await ran("has enough", 20, 0), null],
    [await ran("finds rows", 20, 1), null],
    [await ran("had a task", 20, 0), null],
    [await ran("is silenced", 20, 0), "NoResults"],
    [await ran("is an actor's", 20, 0), "NoResults"],
    [await ran("learns", 20, 2), "BelowThreshold"],
    [await ran("sees an anomaly", 20, 2), null],
    [await ran("learns a number", 20, 2, { measured: { column: "i\u0000d", value: 1 } }), "BelowThreshold"],
    [await ran("knows too little", 20, 2), "BelowThreshold"],
  ];
  expect(await Promise.all(outcomes.map(([each]) => storeQuiet(each)))).toEqual(
    outcomes.map(([, status]) => status),
  );
  // It has been stored, so it is nobody's anymore.
  expect(await storeQuiet(quiet)).toBeNull();
  for (const [each, status] of outcomes) expect(await isStored(each)).toBe(status !== null);
  expect([...(await wrongCounters())]).toEqual([]);
});

test("what is judged together is judged as it is alone", async () => {
  const judged = await sql<{ name: string; metric: string; column: string | null; isUsual: boolean }[]>`
    select s.name, e.judged_metric as metric, e.metric_column as column, abs(e.usual_low - usual.low) < 1e-9
      and abs(e.usual_high - usual.high) < 1e-9 as "isUsual"
    from executions e join subscriptions s on s.id = e.subscription_id cross join lateral (
      select avg(value) - 2.5 * stddev_samp(value) as low, avg(value) + 2.5 * stddev_samp(value) as high
      from (select case e.judged_metric when 'RowCount' then row_count else metric_value end as value
        from executions before where before.subscription_id = s.id and before.executed_at < e.executed_at) as before
    ) as usual
    where e.scheduled_for in (${minutesLater(1).toISOString()}::timestamptz, ${minutesLater(20).toISOString()}::timestamptz)
      and e.status <> 'Created' and e.judged_metric is not null
    order by e.scheduled_for, s.id`;
  const rows = (name: string) => ({ name, metric: "RowCount", column: null, isUsual: true });
  const number = (column: string) => ({
    ...{ name: "learns a number", metric: "FirstNumericColumn", column, isUsual: true },
  });
  expect([...judged]).toEqual([
    ...[rows("learns"), rows("sees an anomaly"), number("id")],
    ...[rows("learns"), number("id")],
  ]);
  const anomalies = await sql`
    select s.name, a.detected_value::int as value from anomalies a join subscriptions s on s.id = a.subscription_id`;
  expect([...anomalies]).toEqual([{ name: "sees an anomaly", value: 2 }]);
});

test("what was judged by settings that have changed since, or would be by very many executions, is judged alone", async () => {
  const changed = await ran("learns", 30, 2);
  await sql`update subscriptions set anomaly_sensitivity = 3 where id = ${of("learns")}`;
  const long = await ran("learns a number", 30, 2, { measured: { column: "id", value: 1 } });
  await sql`
    insert into executions (subscription_id, status, trigger, executed_at, metric_value, query_version)
    select ${of("learns a number")}, 'NoResults', 'Manual', now() - n * interval '1 minute', 1, 1
    from generate_series(1, 1001 - (
      select count(*) from executions where subscription_id = ${of("learns a number")} and metric_value is not null
    )) as n`;
  expect([await storeQuiet(changed), await storeQuiet(long)]).toEqual([null, null]);
  await sql`
    delete from executions where id = (
      select max(id) from executions where subscription_id = ${of("learns a number")} and trigger = 'Manual')`;
  expect(await storeQuiet(long)).toBe("BelowThreshold");
});

test("rows are kept of what is stored together, and what cannot be kept holds up only its own execution", async () => {
  const sample = (cell: string): KeptRows => ({
    sample: { columns: [{ name: "id", type: "text" }], rows: [[cell]], maskedColumns: [] },
    hashes: Buffer.from("0123456789abcdef", "hex"),
  });
  const [kept, broken] = [
    await ran("too few", 40, 2, { kept: sample("a 'quoted' \\ cell") }),
    await ran("knows too little", 40, 2, { kept: sample("a\u0000b") }),
  ];
  expect(await Promise.all([kept, broken].map(storeQuiet))).toEqual(["BelowThreshold", null]);
  expect([
    ...(await sql`select execution_id, sample, hashes from execution_rows
    where execution_id in (${kept.lease.id}, ${broken.lease.id})`),
  ]).toEqual([{ execution_id: kept.lease.id, ...sample("a 'quoted' \\ cell") }]);
  expect(await isStored(broken)).toBe(false);
});

test("the execution of an actor's subscription wakes it", async () => {
  const events = await sql`
    select count(*)::int as count from job_events
    where key in (select 'owned-execution-finished/' || e.id from executions e where e.subscription_id = ${of("is an actor's")}
      and e.status <> 'Created' and e.scheduled_for > ${due.toISOString()}::timestamptz)`;
  expect([...events]).toEqual([{ count: 2 }]);
});
