import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { plans } from "../actors/tables.ts";
import type { SignedIn } from "../auth/principal.ts";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { db } from "../db/client.ts";
import { listIncidentsInput } from "../incidents/schema.ts";
import { acknowledgeIncident, resolveIncident } from "../incidents/service/act-on-incident.ts";
import { listIncidents } from "../incidents/service/load-incidents.ts";
import { deliveries } from "../notifications/tables.ts";
import { settings } from "../settings/tables.ts";
import { subscriptionIncidents, subscriptions } from "../subscriptions/tables.ts";
import { tasks } from "../tasks/tables.ts";
import { anActor, aPlan } from "../test/factories/actors.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aFinding } from "../test/factories/findings.ts";
import { aNotification, aRecipient } from "../test/factories/notifications.ts";
import { asAdmin, asEditor, asViewer } from "../test/factories/principals.ts";
import { aChangeRequest, aQuery } from "../test/factories/queries.ts";
import { aSession } from "../test/factories/sessions.ts";
import { anAnomaly, anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { aTableAlert } from "../test/factories/watch.ts";
import { rest } from "../test/rest-client.ts";
import { listAttentionInput } from "./schema.ts";
import { allClear } from "./service/all-clear.ts";
import { countAttention, listAttention } from "./service/list-attention.ts";
import { recordClearProjects } from "./service/record-clear.ts";
import { clearProjects } from "./tables.ts";

let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  ctx = await asEditor();
});
// Each test has its own project, and filters by it.
beforeEach(async () => {
  source = await aDataSource();
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Math.floor(Date.now() / 1000) * 1000;
const ago = (ms: number) => new Date(now - ms);

const page = (more: object = {}, by = ctx) =>
  listAttention(by, listAttentionInput.parse({ projectId: source.projectId, ...more }));
/** What is listed, after checking that the count agrees. */
async function items(by = ctx) {
  const [listed, counted] = await Promise.all([
    page({}, by),
    countAttention(by, { projectId: source.projectId }),
  ]);
  expect(counted.total).toBe(listed.totalCount);
  expect(listed.items).toHaveLength(listed.totalCount);
  return listed.items;
}
const concerns = async (by = ctx) => (await items(by)).map(({ title, concern }) => `${title}: ${concern}`);

async function aWatch(name: string, more: Parameters<typeof aSubscription>[0] = {}) {
  return aSubscription({ query: await aQuery({ name, dataSource: source }, ctx), ...more }, ctx);
}

const failed = (subscriptionId: number, executedAt: Date, errorMessage = "connection refused") =>
  anExecution({ subscriptionId, status: "Failed", rowCount: null, executedAt, errorMessage });
const found = (subscriptionId: number, executedAt: Date, rowCount = 22) =>
  anExecution({ subscriptionId, status: "NotificationSent", rowCount, executedAt });
const fine = (subscriptionId: number, executedAt: Date) => anExecution({ subscriptionId, executedAt });

const incident = (subscriptionId: number, kind: "Failing" | "Stalled" | "Undeliverable", openedAt: Date) =>
  db.insert(subscriptionIncidents).values({ subscriptionId, kind, openedAt, reason: `it is ${kind}` });

const aTask = async (
  watch: { id: number; queryId: number },
  more: Partial<typeof tasks.$inferInsert> = {},
) => {
  const [task] = await db
    .insert(tasks)
    .values({
      ...{ subscriptionId: watch.id, queryId: watch.queryId, projectId: source.projectId, latestRowCount: 5 },
      ...more,
    })
    .returning();
  if (!task) throw new Error("The insert returned no task");
  return task;
};

async function evaluated(contractId: number, evaluatedAt: Date, score: string | number, because?: string) {
  await db.insert(evaluations).values({
    ...{
      contractId,
      dataSourceId: source.id,
      schemaName: "public",
      tableName: "orders",
      trigger: "Scheduled",
    },
    ...{ status: "Completed", overallScore: Number(score), evaluatedAt, startedAt: evaluatedAt },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: evaluatedAt },
    notEvaluatedBecause: because ?? null,
  });
}

describe("incidents", () => {
  test("one is listed for whom it is assigned to, before its problems, with its own severity", async () => {
    const [a, b] = [await aWatch("Orders"), await aWatch("Items")];
    await failed(a.id, ago(hour));
    await failed(b.id, ago(hour));
    const { items: found } = await listIncidents(
      ctx,
      listIncidentsInput.parse({ projectId: source.projectId }),
    );
    const id = found[0]?.id ?? 0;
    const kinds = async () => (await items()).map(({ kind }) => kind);
    expect(await kinds()).toEqual(["Subscription", "Subscription"]);
    await acknowledgeIncident(ctx, id);
    expect(await kinds()).toEqual(["Incident", "Subscription", "Subscription"]);
    expect((await items())[0]).toMatchObject({
      ...{ id, urgency: "High", title: `2 checks of ${source.name} could not run`, reason: "Orders, Items" },
      ...{ since: ago(hour), path: `/incidents/${id}`, action: { kind: "Open", ids: [id] } },
      owner: { id: ctx.principal.userId, name: "The Editor" },
    });
    expect((await items(await asAdmin())).map(({ kind }) => kind)).not.toContain("Incident");
    await resolveIncident(ctx, { id });
    expect(await kinds()).not.toContain("Incident");
  });

  test("one of watched tables alone is listed for everybody, until someone takes it", async () => {
    await aTableAlert({ dataSourceId: source.id, tableName: "orders" });
    await listIncidents(ctx, listIncidentsInput.parse({ projectId: source.projectId }));
    expect(await items()).toMatchObject([
      {
        ...{ kind: "Incident", urgency: "Medium", owner: null, reason: "public.orders" },
        title: "public.orders: rows: 0, usually 11,000 to 13,000",
      },
    ]);
    const id = (await items())[0]?.id ?? 0;
    await acknowledgeIncident(await asAdmin(), id);
    expect(await items()).toEqual([]);
  });
});

describe("subscriptions", () => {
  test("one that cannot run says since when, and offers to run it", async () => {
    const watch = await aWatch("Orders");
    await fine(watch.id, ago(3 * hour));
    await failed(watch.id, ago(2 * hour), "no route to host");
    await failed(watch.id, ago(hour));
    expect(await items()).toEqual([
      {
        kind: "Subscription",
        id: watch.id,
        concern: "CouldNotRun",
        urgency: "High",
        title: "Orders",
        reason: "Could not run: connection refused",
        since: ago(2 * hour),
        owner: { id: ctx.principal.userId, name: "The Editor" },
        projectId: source.projectId,
        projectName: "Flights",
        path: `/subscriptions/${watch.id}`,
        action: { kind: "RunNow", ids: [watch.id] },
      },
    ]);
  });

  test("a long streak of failures is known by its incident, however far back it begins", async () => {
    const watch = await aWatch("Orders");
    await fine(watch.id, ago(100 * hour));
    for (let run = 99; run > 0; run -= 1) await failed(watch.id, ago(run * hour));
    await incident(watch.id, "Failing", ago(97 * hour));
    expect(await items()).toMatchObject([{ concern: "Failing", urgency: "Critical", since: ago(99 * hour) }]);
  });

  test("a timeout, a stall, and rows are told apart", async () => {
    const [slow, stuck, rows, few] = await Promise.all([
      aWatch("Slow"),
      aWatch("Stuck"),
      aWatch("Rows"),
      aWatch("Few", { condition: { kind: "RowCountBelow", threshold: 1000 } }),
    ]);
    await anExecution({
      ...{ subscriptionId: slow.id, status: "Timeout", executedAt: ago(hour), rowCount: null },
      errorMessage: "no answer in 60 s",
    });
    await incident(stuck.id, "Stalled", ago(hour));
    await fine(rows.id, ago(5 * hour));
    for (const hours of [4, 3, 2]) await found(rows.id, ago(hours * hour));
    await found(few.id, ago(6 * hour), 3);
    const listed = await items();
    expect(listed.map(({ title, reason, since, action }) => [title, reason, since, action.kind])).toEqual([
      ["Stuck", "Stalled: it is Stalled", ago(hour), "RunNow"],
      ["Slow", "Timed out: no answer in 60 s", ago(hour), "RunNow"],
      ["Rows", "22 rows found, for 3 runs", ago(4 * hour), "Silence"],
      ["Few", "3 rows found, fewer than 1,000", ago(6 * hour), "Silence"],
    ]);
  });

  test("a run in progress says nothing yet: the one before counts", async () => {
    const watch = await aWatch("Orders");
    await found(watch.id, ago(hour), 1);
    await anExecution({
      subscriptionId: watch.id,
      status: "Created",
      executedAt: ago(minute),
      rowCount: null,
    });
    expect(await items()).toMatchObject([{ concern: "Found", reason: "1 row found", since: ago(hour) }]);
  });

  test("an anomaly is to be acknowledged, and then it is not listed", async () => {
    const watch = await aWatch("Orders", { condition: { kind: "Always" } });
    const anomaly = await anAnomaly(watch.id, { severity: "Critical" });
    expect(await items()).toMatchObject([
      {
        concern: "Unusual",
        urgency: "Critical",
        reason: "The row count 200 is above the usual 80 to 120",
        action: { kind: "Acknowledge", ids: [anomaly] },
      },
    ]);
    await db.execute(`update anomalies set acknowledged_at = now() where id = ${anomaly}`);
    expect(await items()).toEqual([]);
  });

  test("what is fine, off, silenced, archived, a report, or a task's is not listed", async () => {
    const names = ["Fine", "Disabled", "Silenced", "Archived", "Task"];
    const [good, disabled, silenced, archived, withTask] = await Promise.all(
      names.map((name) => aWatch(name)),
    );
    const report = await aWatch("Report", { condition: { kind: "Always" } });
    if (!good || !disabled || !silenced || !archived || !withTask) throw new Error("They are five");
    await found(good.id, ago(2 * hour));
    await fine(good.id, ago(hour));
    for (const { id } of [disabled, silenced, archived]) await failed(id, ago(hour));
    for (const { id } of [withTask, report]) await found(id, ago(hour));
    const set = (id: number, change: Partial<typeof subscriptions.$inferInsert>) =>
      db.update(subscriptions).set(change).where(eq(subscriptions.id, id));
    await set(disabled.id, { enabled: false });
    await set(silenced.id, { silencedUntil: new Date(Date.now() + hour) });
    await set(archived.id, { archivedAt: new Date() });
    await aTask(withTask);
    expect(await concerns()).toEqual(["Task: Task"]);
    await set(silenced.id, { silencedUntil: ago(minute) });
    expect(await concerns()).toEqual(["Silenced: CouldNotRun", "Task: Task"]);
  });

  test("a failed delivery is an item of its own until it leaves the list of failing ones", async () => {
    const watch = await aWatch("Orders");
    await fine(watch.id, ago(hour));
    await incident(watch.id, "Undeliverable", ago(6 * day));
    expect(await items()).toEqual([]);
    await db.update(subscriptionIncidents).set({ openedAt: ago(8 * day) });
    expect(await items()).toMatchObject([
      { concern: "CannotNotify", reason: "Cannot notify: it is Undeliverable", action: { kind: "Open" } },
    ]);
  });
});

describe("contracts", () => {
  const named = (name: string, more = {}) => aContract({ name, dataSourceId: source.id, ...more }, ctx);

  test("below the threshold: the score, since when, and an outage in between does not end it", async () => {
    const contract = await named("Orders");
    for (const [hours, score] of [
      [5, 95],
      [4, 79.99],
      [2, 71.2],
    ] as const)
      await evaluated(contract.id, ago(hours * hour), score);
    await evaluated(contract.id, ago(3 * hour), 0, "connection refused");
    expect(await items()).toMatchObject([
      {
        kind: "Contract",
        concern: "BelowThreshold",
        title: "Orders",
        reason: "Score 71.2, below 80",
        since: ago(4 * hour),
        path: `/data-quality/contracts/${contract.id}`,
        action: { kind: "Evaluate", ids: [contract.id] },
      },
    ]);
    await evaluated(contract.id, ago(hour), 80);
    expect(await items()).toEqual([]);
  });

  test("not evaluated: the reason, never a score", async () => {
    const contract = await named("Orders");
    await evaluated(contract.id, ago(3 * hour), 95);
    await evaluated(contract.id, ago(2 * hour), 0, "connection refused");
    await evaluated(contract.id, ago(hour), 0, "connection refused");
    expect(await items()).toMatchObject([
      {
        concern: "NotEvaluated",
        urgency: "Critical",
        reason: "Could not be evaluated: connection refused",
        since: ago(2 * hour),
      },
    ]);
  });

  test("never evaluated counts once it is a day old or overdue, unless it is off", async () => {
    const [contract, overdue, off] = await Promise.all([named("Old"), named("Overdue"), named("Off")]);
    expect(await items()).toEqual([]);
    const set = (id: number, change: Partial<typeof contracts.$inferInsert>) =>
      db.update(contracts).set(change).where(eq(contracts.id, id));
    await set(contract.id, { createdAt: ago(25 * hour) });
    await set(overdue.id, { nextRunAt: ago(16 * minute) });
    await set(off.id, { createdAt: ago(25 * hour), enabled: false });
    expect((await concerns()).toSorted()).toEqual(["Old: NeverEvaluated", "Overdue: NeverEvaluated"]);
  });
});

test("findings are one item a table, with the worst of those that are shown and open", async () => {
  const of = (statement: string, more: object) => aFinding({ dataSourceId: source.id, statement, ...more });
  const [worst] = await Promise.all([
    of("3 quantities are negative", { rank: 0.5, severity: "High", firstSeenAt: ago(hour) }),
    of("2 rows are repeated", { rank: 0.1, severity: "Low", firstSeenAt: ago(2 * hour) }),
    of("decided", { rank: 0.9, status: "Dismissed" }),
    of("doubtful", { rank: 0.9, confidence: 0.69 }),
    of("1 email is missing", { rank: 0.2, severity: "Low", tableName: "people" }),
  ]);
  const listed = await items();
  expect(listed.map(({ title, reason, urgency }) => [title, reason, urgency])).toEqual([
    ["public.users", "2 findings. The worst: 3 quantities are negative", "High"],
    ["public.people", "1 email is missing", "Low"],
  ]);
  expect(listed[0]).toMatchObject({
    id: worst?.id,
    since: ago(2 * hour),
    path: `/findings?source=${source.id}&schema=public&table=users`,
    action: { kind: "Review" },
  });
});

test("tasks: mine before nobody's, others' last, and none that is snoozed", async () => {
  const [me, other] = [ctx.principal.userId, (await asEditor()).principal.userId];
  const watches = await Promise.all(
    ["Mine", "Nobody's", "Theirs", "Snoozed", "Woken"].map((name) => aWatch(name)),
  );
  const [mine, nobodys, theirs, snoozed, woken] = watches;
  if (!mine || !nobodys || !theirs || !snoozed || !woken) throw new Error("They are five");
  await aTask(theirs, { assigneeId: other, priority: "Critical" });
  await aTask(mine, { assigneeId: me, createdAt: ago(2 * hour), executionCount: 3 });
  const free = await aTask(nobodys);
  await aTask(snoozed, { snoozedUntil: new Date(Date.now() + hour) });
  await aTask(woken, { snoozedUntil: ago(minute), priority: "High" });
  const listed = await items();
  expect(listed.map(({ title, owner, action }) => [title, owner?.name ?? null, action.kind])).toEqual([
    ["Woken", null, "AssignToMe"],
    ["Mine", "The Editor", "Open"],
    ["Nobody's", null, "AssignToMe"],
    ["Theirs", "The Editor", "Open"],
  ]);
  expect(listed[1]).toMatchObject({ reason: "5 rows found, for 3 runs", since: ago(2 * hour) });
  expect(listed[2]?.action.ids).toEqual([free.id]);
});

test("failed deliveries are one item a recipient, with the last error", async () => {
  const { projectId } = source;
  const recipients = await Promise.all(["Team", "Night"].map((name) => aRecipient({ projectId, name })));
  const recipientIds = recipients.map(({ id }) => id);
  for (let message = 0; message < 3; message += 1) await aNotification({ projectId, recipientIds });
  await aNotification({ projectId, recipientIds, cause: { kind: "Test", id: 1 } });
  const rows = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.projectId, projectId))
    .orderBy(deliveries.id);
  const ofTeam = rows.filter(({ recipientId }) => recipientId === recipients[0]?.id);
  expect(ofTeam).toHaveLength(4);
  const fail = (delivery: { id: number } | undefined, failedAt: Date, lastError: string) =>
    db
      .update(deliveries)
      .set({ status: "Failed", nextAttemptAt: null, failedAt, lastError })
      .where(eq(deliveries.id, delivery?.id ?? 0));
  await fail(ofTeam[0], ago(8 * day), "too long ago");
  await fail(ofTeam[1], ago(2 * hour), "mailbox full");
  await fail(ofTeam[2], ago(hour), "no such user");
  await fail(ofTeam[3], ago(hour), "a test");
  expect(await items()).toMatchObject([
    {
      kind: "Delivery",
      id: ofTeam[2]?.id,
      title: "Messages to Team",
      reason: "2 messages were not delivered: the latest: no such user",
      since: ago(2 * hour),
      path: `/notifications?failing=true&recipient=${recipients[0]?.id}`,
      action: { kind: "Retry", ids: [ofTeam[1]?.id, ofTeam[2]?.id] },
    },
  ]);
});

describe("decisions", () => {
  test("plans wait for those who may decide them", async () => {
    const actor = await anActor({ dataSourceId: source.id }, ctx);
    const plan = await aPlan(actor.id);
    await aPlan(actor.id, { status: "Expired" });
    expect(await items()).toMatchObject([
      {
        kind: "Plan",
        id: plan.id,
        title: "Warehouse watch",
        reason: "A plan with 0 actions waits for you",
        path: `/ai-actors/plans/${plan.id}`,
        action: { kind: "Review", ids: [plan.id] },
      },
    ]);
    expect(await items(await asViewer())).toEqual([]);
  });

  test("query changes wait for Admins, with four eyes on for others than the requester", async () => {
    const admin = await asAdmin();
    const query = await aQuery({ name: "Orders", dataSource: source }, ctx);
    const request = await aChangeRequest(query, "select 2 as two", admin);
    expect(await items()).toEqual([]);
    expect(await items(admin)).toMatchObject([
      {
        kind: "QueryChange",
        id: request.id,
        title: "Orders",
        reason: "A change by The Admin waits for you. Step 1: 1 line added, 1 line removed",
        action: { kind: "Review" },
      },
    ]);
    await db.insert(settings).values({ id: 1, fourEyes: true });
    try {
      expect(await items(admin)).toEqual([]);
      expect(await items(await asAdmin())).toHaveLength(1);
    } finally {
      await db.delete(settings);
    }
  });
});

test("who may only read is offered to open things", async () => {
  const [watch, other] = await Promise.all([aWatch("Orders"), aWatch("Other")]);
  await failed(watch.id, ago(hour));
  await aTask(other);
  await evaluated((await aContract({ dataSourceId: source.id }, ctx)).id, ago(hour), 10);
  const listed = await items(await asViewer());
  expect(listed.map(({ kind, action }) => [kind, action.kind])).toEqual([
    ["Subscription", "Open"],
    ["Contract", "Open"],
    ["Task", "Open"],
  ]);
});

test("nobody sees anything of a project they may not see", async () => {
  const watch = await aWatch("Orders");
  await failed(watch.id, ago(hour));
  await aTask(await aWatch("Task"));
  await evaluated((await aContract({ dataSourceId: source.id }, ctx)).id, ago(hour), 10);
  await aFinding({ dataSourceId: source.id });
  await aPlan((await anActor({ dataSourceId: source.id }, ctx)).id);
  expect(await items()).toHaveLength(5);
  const outsider = await asEditor({ projectIds: [(await aDataSource()).projectId] });
  expect(await items(outsider)).toEqual([]);
  expect((await listAttention(outsider, listAttentionInput.parse({}))).items).toEqual([]);
  expect(await allClear(outsider, {})).toEqual({ since: null, lastCheckAt: null });
  expect(await items(await asEditor({ projectIds: [source.projectId] }))).toHaveLength(5);
});

test("an empty list says when something was last checked", async () => {
  const watch = await aWatch("Orders");
  const contract = await aContract({ dataSourceId: source.id }, ctx);
  expect(await allClear(ctx, { projectId: source.projectId })).toEqual({ since: null, lastCheckAt: null });
  await fine(watch.id, ago(2 * hour));
  expect(await allClear(ctx, { projectId: source.projectId })).toEqual({
    since: null,
    lastCheckAt: ago(2 * hour),
  });
  await evaluated(contract.id, ago(hour), 100);
  expect(await allClear(ctx, { projectId: source.projectId })).toEqual({
    since: null,
    lastCheckAt: ago(hour),
  });
});

describe("since when nothing has needed attention", () => {
  const since = async (by = ctx, projectId: number | undefined = source.projectId) =>
    (await allClear(by, { projectId })).since;
  const at = (time: Date) =>
    db.update(clearProjects).set({ since: time }).where(eq(clearProjects.projectId, source.projectId));

  test("from when the last item ended, and not from later checks", async () => {
    const watch = await aWatch("Orders");
    await failed(watch.id, ago(2 * hour));
    await recordClearProjects();
    expect(await since()).toBe(null);
    await fine(watch.id, ago(hour));
    expect(await since()).toBe(null);
    const [before] = await db.execute<{ now: string }>(sql`select now()`);
    await recordClearProjects();
    const recorded = await since();
    expect(recorded?.getTime()).toBeGreaterThanOrEqual(new Date(before?.now ?? 0).getTime() - 1);
    await fine(watch.id, ago(minute));
    await Promise.all([recordClearProjects(), recordClearProjects()]);
    expect(await since()).toEqual(recorded);
    await failed(watch.id, ago(0));
    await recordClearProjects();
    expect(await since()).toBe(null);
  });

  test("a decision that waited counts for those who may decide, until it was made", async () => {
    await recordClearProjects();
    await at(ago(5 * hour));
    const actor = await anActor({ dataSourceId: source.id }, ctx);
    const plan = await aPlan(actor.id);
    await recordClearProjects();
    expect(await since()).toEqual(ago(5 * hour));
    await db
      .update(plans)
      .set({ status: "Rejected", decidedAt: ago(2 * hour) })
      .where(eq(plans.id, plan.id));
    expect(await since()).toEqual(ago(2 * hour));
    expect(await since(await asViewer())).toEqual(ago(5 * hour));
  });

  test("of several projects, the last one that was cleared; unknown while one is not", async () => {
    await recordClearProjects();
    await at(ago(5 * hour));
    const other = await aDataSource();
    const both = await asEditor({ projectIds: [source.projectId, other.projectId] });
    const all = async () => (await allClear(both, {})).since;
    expect(await all()).toBe(null);
    await recordClearProjects();
    await db
      .update(clearProjects)
      .set({ since: ago(3 * hour) })
      .where(eq(clearProjects.projectId, other.projectId));
    expect(await all()).toEqual(ago(3 * hour));
    expect(await since(both)).toEqual(ago(5 * hour));
  });
});

test("pages and kinds, by REST", async () => {
  const watches = await Promise.all(["A", "B", "C"].map((name) => aWatch(name)));
  for (const [index, { id }] of watches.entries()) await failed(id, ago((index + 1) * hour));
  await aTask(await aWatch("Task"));
  const cookie = await aSession("Viewer");
  const get = (query: string) =>
    rest("GET", `/needs-attention?projectId=${source.projectId}${query}`, { cookie });
  const whole = (await get("")).body as { items: { title: string }[]; totalCount: number };
  expect(whole.items.map(({ title }) => title)).toEqual(["A", "B", "C", "Task"]);
  const second = (await get("&kind=Subscription&pageSize=2&page=1")).body as typeof whole;
  expect(second).toMatchObject({ page: 1, pageSize: 2, totalCount: 3 });
  expect(second.items.map(({ title }) => title)).toEqual(["C"]);
  expect((await get("&kind=Weather")).status).toBe(400);
});
