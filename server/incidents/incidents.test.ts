import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { getSchema } from "../data-sources/service/read-schema.ts";
import { db } from "../db/client.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { anAnomaly, anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { tableAlerts, watchedTables, watches } from "../watch/tables.ts";
import { listIncidentsInput } from "./schema.ts";
import {
  acknowledgeIncident,
  assignIncident,
  commentOnIncident,
  resolveIncident,
  silenceIncident,
} from "./service/act-on-incident.ts";
import { incidentFigures } from "./service/figures.ts";
import { getIncident, listIncidents } from "./service/load-incidents.ts";
import { limits, noticeIncidents } from "./service/notice.ts";

let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  ctx = await asEditor();
});
// Each test has a project of its own, and filters by it.
beforeEach(async () => {
  source = await aDataSource();
});

const minute = 60_000;
const hour = 60 * minute;
const now = Math.floor(Date.now() / 1000) * 1000;
const ago = (ms: number) => new Date(now - ms);

const listed = async (more: object = {}) =>
  (await listIncidents(ctx, listIncidentsInput.parse({ projectId: source.projectId, ...more }))).items;
async function only() {
  const [first, ...others] = await listed();
  expect(others).toEqual([]);
  if (!first) throw new Error("There is no incident");
  return getIncident(ctx, first.id);
}

const aWatched = (tableName: string, more: Parameters<typeof aContract>[0] = {}) =>
  aContract({ name: tableName, dataSourceId: source.id, tableName, ...more }, ctx);
async function scored(contractId: number, evaluatedAt: Date, score: number, because: string | null = null) {
  await db.insert(evaluations).values({
    ...{
      contractId,
      dataSourceId: source.id,
      schemaName: "public",
      tableName: "orders",
      trigger: "Scheduled",
    },
    ...{ status: "Completed", overallScore: score, evaluatedAt, startedAt: evaluatedAt },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: evaluatedAt, notEvaluatedBecause: because },
  });
}
async function aWatch(name: string, statement = "select 1 as one") {
  return aSubscription({ query: await aQuery({ name, dataSource: source, sql: statement }, ctx) }, ctx);
}
const ran = (subscriptionId: number, executedAt: Date, rowCount = 0) =>
  anExecution({
    ...{ subscriptionId, executedAt, rowCount },
    status: rowCount > 0 ? "NotificationSent" : "NoResults",
  });

describe("an incident", () => {
  test("opens with a score below the threshold, and is resolved when the score is back", async () => {
    const orders = await aWatched("orders");
    await scored(orders.id, ago(3 * hour), 100);
    expect(await listed()).toEqual([]);
    await scored(orders.id, ago(2 * hour), 62);
    const open = await only();
    expect(open).toMatchObject({
      title: "orders: score 62, below 80",
      state: "Open",
      severity: "High",
      openedAt: ago(2 * hour),
      resolvedAt: null,
      currentCount: 1,
      problemCount: 1,
      dataSources: [{ id: source.id, name: source.name }],
      tables: [{ dataSourceId: source.id, schemaName: "public", tableName: "orders" }],
      problems: [
        {
          ...{
            subject: "Contract",
            subjectId: orders.id,
            kind: "BelowThreshold",
            endedAt: null,
            seenCount: 1,
          },
          path: `/data-quality/contracts/${orders.id}`,
        },
      ],
    });
    // Seen again: the same problem, with its latest reason.
    await scored(orders.id, ago(hour), 41.5);
    expect(await only()).toMatchObject({
      ...{ id: open.id, title: "orders: score 41.5, below 80", openedAt: ago(2 * hour) },
      problems: [{ seenCount: 2, lastSeenAt: ago(hour), beganAt: ago(2 * hour) }],
    });
    await scored(orders.id, ago(minute), 80);
    const over = await only();
    expect(over).toMatchObject({ id: open.id, state: "Resolved", resolvedBy: null, currentCount: 0 });
    expect(over.problems).toMatchObject([{ ended: "recovered" }]);
    expect(over.timeline.map(({ kind, text }) => [kind, text])).toEqual([
      ["Opened", "orders: Score 62, below 80"],
      ["Ended", "orders recovered"],
      ["Resolved", "All its problems are over"],
    ]);
  });

  test("that comes back is another one", async () => {
    const orders = await aWatched("orders");
    await scored(orders.id, ago(3 * hour), 10);
    const first = await only();
    await scored(orders.id, ago(2 * hour), 100);
    await noticeIncidents();
    await scored(orders.id, ago(hour), 10);
    const all = await listed();
    expect(all.map(({ state }) => state)).toEqual(["Open", "Resolved"]);
    expect(all[1]?.id).toBe(first.id);
  });

  test("gathers what fails of one table, contracts and subscriptions whose SQL names it", async () => {
    await getSchema(ctx, source.id);
    const contract = await aWatched("users");
    await scored(contract.id, ago(5 * hour), 10);
    const watch = await aWatch("Users without email", "select * from users where email is null");
    await ran(watch.id, ago(hour), 22);
    const other = await aWatch("Clear projects", "select * from clear_projects where 'users' = 'x'");
    await ran(other.id, ago(2 * hour), 3);
    const [worst, rest, ...none] = await listed();
    expect(none).toEqual([]);
    expect(worst).toMatchObject({ title: "2 checks of public.users found problems", severity: "High" });
    expect(rest).toMatchObject({ title: "Clear projects: 3 rows found", severity: "Medium" });
    const { problems, timeline } = await getIncident(ctx, worst?.id ?? 0);
    expect(problems.map(({ name, reason }) => [name, reason])).toEqual([
      ["users", "Score 10, below 80"],
      ["Users without email", "22 rows found"],
    ]);
    expect(timeline.map(({ kind }) => kind)).toEqual(["Opened", "Joined"]);
  });

  test("gathers tables that a foreign key links", async () => {
    await getSchema(ctx, source.id);
    // rules.contract_id references contracts.
    const [parent, child] = [await aWatched("contracts"), await aWatched("rules")];
    await scored(parent.id, ago(5 * hour), 10);
    await scored(child.id, ago(hour), 20);
    expect(await only()).toMatchObject({ currentCount: 2 });
  });

  test("is one for a data source that cannot be reached", async () => {
    const [a, b] = [await aWatched("orders"), await aWatched("items")];
    await scored(a.id, ago(5 * hour), 0, "connection refused");
    await scored(b.id, ago(hour), 0, "connection refused");
    expect(await only()).toMatchObject({
      title: `2 checks of 2 tables in ${source.name} could not run`,
      severity: "Critical",
    });
    await scored(a.id, ago(minute), 100);
    expect(await only()).toMatchObject({
      title: "items: could not be evaluated: connection refused",
      state: "Open",
      currentCount: 1,
      problemCount: 2,
    });
  });

  test("ends with what is no longer checked, and says so", async () => {
    const [off, archived] = [await aWatch("Off"), await aWatched("orders")];
    await ran(off.id, ago(2 * hour), 4);
    await scored(archived.id, ago(2 * hour), 4);
    expect((await only()).currentCount).toBe(2);
    await db.update(subscriptions).set({ enabled: false }).where(eq(subscriptions.id, off.id));
    await db.update(contracts).set({ archivedAt: new Date() }).where(eq(contracts.id, archived.id));
    const over = await only();
    expect(over.state).toBe("Resolved");
    expect(over.problems.map(({ ended }) => ended).sort()).toEqual(["archived", "switched off"]);
  });

  test("is about an unusual result until that is acknowledged, with the anomaly's severity", async () => {
    const watch = await aWatch("Orders");
    const anomaly = await anAnomaly(watch.id, { severity: "Critical" });
    expect(await only()).toMatchObject({ severity: "Critical", problems: [{ kind: "Unusual" }] });
    await db.execute(sql`update anomalies set acknowledged_at = now() where id = ${anomaly}`);
    expect((await only()).state).toBe("Resolved");
  });

  test("of a problem that gets worse says so, once", async () => {
    const watch = await aWatch("Orders");
    await ran(watch.id, ago(3 * hour), 4);
    await noticeIncidents();
    await anExecution({
      ...{ subscriptionId: watch.id, status: "Failed", executedAt: ago(hour), rowCount: null },
      errorMessage: "no such table",
    });
    await noticeIncidents();
    await noticeIncidents();
    const { title, severity, timeline } = await only();
    expect([title, severity]).toEqual(["Orders: could not run: no such table", "High"]);
    expect(timeline.map(({ kind }) => kind)).toEqual(["Opened", "Changed"]);
  });

  test("is noticed once by many at a time, also by more than there are connections", async () => {
    const orders = await aWatched("orders");
    await scored(orders.id, ago(hour), 10);
    const many = Number(process.env.DATABASE_POOL ?? 10) + 2;
    await Promise.all(Array.from({ length: many }, () => noticeIncidents()));
    expect((await only()).problemCount).toBe(1);
  });
});

describe("people", () => {
  const anIncident = async () => {
    const orders = await aWatched("orders");
    await scored(orders.id, ago(hour), 10);
    return { orders, ...(await only()) };
  };

  test("acknowledge it once, which makes it theirs", async () => {
    const { id } = await anIncident();
    const admin = await asAdmin();
    const both = await Promise.allSettled([acknowledgeIncident(ctx, id), acknowledgeIncident(admin, id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const { state, acknowledgedBy, assignee, timeline } = await only();
    expect(state).toBe("Acknowledged");
    expect(assignee).toEqual(acknowledgedBy);
    expect(timeline.map(({ kind }) => kind)).toEqual(["Opened", "Acknowledged"]);
  });

  test("resolve it, and it stays so until the problem has ended and come back", async () => {
    const { id, orders } = await anIncident();
    expect(await resolveIncident(ctx, { id, note: "The loader was down" })).toMatchObject({
      state: "Resolved",
      resolvedBy: { id: ctx.principal.userId },
    });
    await scored(orders.id, ago(30 * minute), 20);
    expect(await listed({ current: true })).toEqual([]);
    await expect(acknowledgeIncident(ctx, id)).rejects.toThrow("Incident is resolved");
    await scored(orders.id, ago(20 * minute), 100);
    await noticeIncidents();
    await scored(orders.id, ago(10 * minute), 20);
    expect(await listed({ current: true })).toHaveLength(1);
  });

  test("assign it, comment on it, and find it again", async () => {
    const { id } = await anIncident();
    const { userId } = ctx.principal;
    expect((await assignIncident(ctx, { id, userId })).assignee?.id).toBe(userId);
    await expect(assignIncident(ctx, { id, userId: 2_000_000_000 })).rejects.toThrow("User not found");
    const { timeline } = await commentOnIncident(ctx, { id, text: "Looking" });
    expect(timeline.at(-1)).toMatchObject({ kind: "Commented", text: "Looking", user: { id: userId } });
    expect(await listed({ assigneeId: userId })).toHaveLength(1);
    expect(await listed({ search: "ORDERS score" })).toHaveLength(1);
    expect(await listed({ search: "invoices" })).toEqual([]);
    expect(await listed({ dataSourceId: source.id + 1 })).toEqual([]);
    expect(await listed({ severity: "Low" })).toEqual([]);
  });

  test("silence it together with its checks, none of them for shorter than before", async () => {
    const { id, orders } = await anIncident();
    const items = await aWatched("items");
    const later = new Date(Date.now() + 48 * hour);
    await db.update(contracts).set({ silencedUntil: later }).where(eq(contracts.id, items.id));
    await scored(items.id, ago(hour), 10);
    await noticeIncidents();
    const until = new Date(Date.now() + hour);
    const silenced = await silenceIncident(ctx, { id, until, reason: "Reloading" });
    expect(silenced).toMatchObject({ silencedUntil: until, silenceReason: "Reloading", currentCount: 2 });
    const untilOf = async (contractId: number) =>
      (await db.select().from(contracts).where(eq(contracts.id, contractId)))[0]?.silencedUntil;
    expect(await untilOf(orders.id)).toEqual(until);
    expect(await untilOf(items.id)).toEqual(later);
    // A silenced check still has its problem.
    expect((await only()).state).toBe("Open");
    await expect(silenceIncident(ctx, { id, until: ago(hour) })).rejects.toThrow("not valid");
  });
});

test("figures say how long it took to notice and to resolve", async () => {
  const [a, b] = [await aWatched("orders"), await aWatched("items")];
  await scored(a.id, ago(2 * hour), 10);
  const { id } = await only();
  await acknowledgeIncident(ctx, id);
  await scored(a.id, ago(minute), 100);
  await scored(b.id, ago(minute / 2), 0, "refused");
  await noticeIncidents();
  const figures = await incidentFigures(ctx, { projectId: source.projectId, days: 30 });
  expect(figures).toMatchObject({ current: 1, opened: 2, resolved: 1 });
  expect(figures.bySeverity).toEqual({ Critical: 1, High: 0, Medium: 0, Low: 0 });
  // Acknowledged and resolved about two hours after it began.
  expect(Math.abs((figures.secondsToNotice ?? 0) - 7200)).toBeLessThan(60);
  expect(Math.abs((figures.secondsToResolve ?? 0) - 7200)).toBeLessThan(60);
});

test("a load that stops leaves one incident of all its tables, until it is over", async () => {
  await db.insert(watches).values({
    ...{ id: source.id, cronExpression: "* * * * *", timezone: "UTC", nightHour: 2, budgetSeconds: 900 },
    nextNightAt: ago(-hour),
  });
  // More than one statement takes.
  await db.execute(sql`
    with made as (
      insert into ${watchedTables} (data_source_id, schema_name, table_name, columns)
      select ${source.id}, 'loaded', 't' || n, '[]' from generate_series(1, 2300) as n returning id
    )
    insert into ${tableAlerts} (table_id, kind, sentence, opened_at, last_seen_at)
    select id, 'Late', 'No change for 3 hours, usually within 1 hour', ${ago(hour).toISOString()}, now() from made`);
  await noticeIncidents();
  const { id, title, currentCount, timeline } = await only();
  expect([title, currentCount]).toEqual([`2,300 tables of ${source.name} have problems`, 2300]);
  expect(new Set(timeline.map(({ kind }) => kind))).toEqual(new Set(["Opened", "Joined"]));
  // A page asks for the first of them, and lists name some of the tables.
  const whole = await getIncident(ctx, id);
  expect([whole.problems.length, whole.tables.length, whole.tableCount]).toEqual([2300, 2300, 2300]);
  const first50 = await getIncident(ctx, id, 50);
  expect(first50).toEqual({
    ...whole,
    problems: whole.problems.slice(0, 50),
    tables: whole.tables.slice(0, 50),
    timeline: expect.anything(),
  });
  expect(first50).toMatchObject({ subjects: ["Table"], problemCount: 2300, tableCount: 2300 });
  expect(first50.timeline.map(({ kind, more }) => [kind, more])).toEqual([
    ...[
      ["Opened", 0],
      ["Joined", 0],
      ["Joined", 0],
      ["Joined", 0],
      ["Joined", 0],
    ],
    ["Joined", 2294],
  ]);
  const [inList] = await listed();
  expect(inList).toMatchObject({ id, tableCount: 2300, tables: whole.tables.slice(0, 100) });
  expect(inList?.tables).toHaveLength(100);
  // One of them becomes another problem, and another is no longer one.
  const [first, second] = await db
    .select({ id: watchedTables.id, tableName: watchedTables.tableName })
    .from(watchedTables)
    .where(eq(watchedTables.dataSourceId, source.id))
    .orderBy(watchedTables.id);
  const alertOf = (tableId = 0) => eq(tableAlerts.tableId, tableId);
  await db
    .update(tableAlerts)
    .set({ endedAt: ago(0) })
    .where(alertOf(second?.id));
  await db
    .update(tableAlerts)
    .set({ kind: "Gone", sentence: "The table is gone", openedAt: ago(minute) })
    .where(alertOf(first?.id));
  await noticeIncidents();
  const changed = await only();
  expect([changed.severity, changed.currentCount]).toEqual(["High", 2299]);
  expect(changed.problems.filter(({ severity }) => severity === "High")).toMatchObject([
    { name: `loaded.${first?.tableName}`, kind: "Changed", reason: "The table is gone", seenCount: 2 },
  ]);
  expect(
    changed.timeline
      .slice(-2)
      .map(({ text }) => text)
      .sort(),
  ).toEqual([`loaded.${first?.tableName}: The table is gone`, `loaded.${second?.tableName} recovered`]);
  await db.update(tableAlerts).set({ endedAt: ago(0) });
  await noticeIncidents();
  expect(await getIncident(ctx, id)).toMatchObject({ state: "Resolved", currentCount: 0 });
  await db.delete(watches).where(eq(watches.id, source.id));
});

describe("very many problems", () => {
  /** So many more subscriptions of the query, each with an execution that found a row, every ten minutes of the past. */
  async function many(queryId: number, count: number) {
    await db.execute(sql`
      with copied as (
        insert into subscriptions (query_id, project_id, cron_expression, timeout_seconds, condition_kind, create_tasks,
          anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric)
        select query_id, project_id, cron_expression, timeout_seconds, condition_kind, create_tasks,
          anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric
        from (select * from subscriptions where query_id = ${queryId} limit 1) as one, generate_series(1, ${count}::int)
        returning id
      ),
      ran as (
        insert into executions (subscription_id, status, trigger, executed_at, finished_at, row_count, query_version)
        select id, 'NotificationSent', 'Scheduled', at, at, 1, 1
        from copied, lateral (select now() - (id % 3) * interval '1 hour' as at) as began
        returning id, subscription_id, status, executed_at
      )
      insert into subscription_state (subscription_id, total, ok, last_execution_id, last_status, last_at)
      select subscription_id, 1, 1, id, status, executed_at from ran`);
  }
  const countIn = async (table: string) =>
    (
      await db.execute<{ count: number }>(sql`
        select count(*)::int as count from ${sql.identifier(table)} where ${sql.raw(
          table === "incidents"
            ? `project_id = ${source.projectId}`
            : `incident_id in (select id from incidents where project_id = ${source.projectId})`,
        )}`)
    )[0]?.count;

  test("are noticed in several transactions, and end so, too", async () => {
    const watch = await aWatch("Orders");
    await many(watch.queryId, 2_100);
    await noticeIncidents();
    // What began at the same moment in the same data source is one incident.
    expect(await countIn("incidents")).toBe(3);
    expect(await countIn("incident_problems")).toBe(2_100);
    const all = await listed();
    expect(all.map(({ currentCount }) => currentCount).reduce((sum, each) => sum + each, 0)).toBe(2_100);
    expect(all.map(({ title }) => title)).toContain(`700 checks of ${source.name} found problems`);
    await db.update(subscriptions).set({ enabled: false }).where(eq(subscriptions.queryId, watch.queryId));
    await noticeIncidents();
    expect((await listed()).map(({ state, currentCount }) => [state, currentCount])).toEqual(
      Array.from({ length: 3 }, () => ["Resolved", 0]),
    );
  });

  test("do not keep a page waiting while another process notices them, nor more than one connection", async () => {
    const watch = await aWatch("Orders");
    await ran(watch.id, ago(hour), 4);
    const [locked, may] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('incidents', 0))`);
      locked.resolve();
      await may.promise;
    });
    await locked.promise;
    const pages = await Promise.all(Array.from({ length: 30 }, () => listed()));
    expect(pages.flat()).toEqual([]);
    const [waiting] = await db.execute<{ count: number }>(sql`
      select count(*)::int from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`);
    expect(waiting?.count).toBe(1);
    may.resolve();
    await other;
    expect((await only()).problemCount).toBe(1);
  });

  test("of more subscriptions than a page compares are noticed by the job of the minute alone", async () => {
    const watch = await aWatch("Orders");
    await db.execute(sql`analyze subscriptions`);
    const usual = limits.compared;
    limits.compared = 1;
    try {
      await ran(watch.id, ago(hour), 4);
      expect(await listed()).toEqual([]);
      await noticeIncidents();
      expect((await only()).problemCount).toBe(1);
    } finally {
      limits.compared = usual;
    }
  });
});
