import { eq, sql as query } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { createWindow } from "../../maintenance/service.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import type { QueryResult } from "../../queries/service/run.ts";
import { tasks } from "../../tasks/tables.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { aFinding, anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import type { SubscriptionInput } from "../schema.ts";
import {
  anomalies,
  executionRows,
  executions,
  subscriptionIncidents,
  subscriptionState,
  subscriptions,
} from "../tables.ts";
import { type Begun, beginDue } from "./begin-executions.ts";
import { rowsToKeep } from "./keep-rows.ts";
import { type Executed, storeExecutions } from "./store-executions.ts";

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asAdmin();
});

const dayMs = 86_400_000;
const due = new Date("2026-05-04T06:00:00Z");

const resultOf = (ids: readonly number[]): QueryResult => ({
  columns: [{ name: "id", type: "int4" }],
  rows: ids.map((id) => [id]),
  ...{ rowCount: ids.length, truncated: false, executionTimeMs: 7 },
});
const failed = { status: "Failed" as const, message: 'relation "orders" does not exist', executionTimeMs: 7 };

/** A project with a query, and a recipient that its subscriptions notify. */
async function aTeam(name: string) {
  const dataSource = await aDataSource();
  const { projectId } = dataSource;
  const of = await aQuery({ name: "Orders", dataSource }, ctx);
  const { id: recipientId } = await aRecipient({ projectId, name });
  const watchOf = (name: string, write: Partial<SubscriptionInput>) =>
    aSubscription({ name, query: of, recipientIds: [recipientId], createTasks: true, ...write }, ctx);
  return { projectId, watchOf };
}

/** An execution that has ended with these rows or a failure, but is not stored. */
async function ended(subscriptionId: number, ids: readonly number[] | "fails"): Promise<Executed> {
  const lease = await beginDue({ subscriptionId, scheduledFor: due });
  if (!lease) throw new Error("The execution has not begun");
  const { execution } = lease.begun as Begun;
  if (ids === "fails") return { lease, execution, query: null, outcome: failed, kept: null };
  const result = resultOf(ids);
  const kept = rowsToKeep({ execution }, result);
  return { lease, execution, query: null, outcome: { result, executionTimeMs: 7 }, kept };
}

/** On each of thirty days before, one execution of this many rows, one more, and two more, in turns. */
async function usually(subscriptionId: number, rows: number) {
  for (let day = 30; day >= 1; day--)
    await anExecution({
      ...{ subscriptionId, executedAt: new Date(Date.now() - day * dayMs + dayMs / 24) },
      ...{ rowCount: rows + (day % 3), status: "BelowThreshold" },
    });
}

const store = (runs: readonly Executed[], ifLocked: "wait" | "skip" = "skip") =>
  db.transaction((tx) => storeExecutions(tx, runs, ifLocked));

/** Executions of all kinds, of subscriptions of two projects. */
async function allKinds(): Promise<Executed[]> {
  const [team, others, moving] = [await aTeam("Team"), await aTeam("Others"), await aTeam("Moving")];
  await createWindow(ctx, {
    ...{ projectId: moving.projectId, name: "Move", timezone: "UTC", dataSourceIds: null, tags: null },
    ...{ startsAt: new Date(Date.now() - 1000), endsAt: new Date(Date.now() + dayMs) },
  });
  const made = async (name: string, write: Partial<SubscriptionInput> = {}, of = team) => {
    const watch = await of.watchOf(name, write);
    // Only those that have run before begin together.
    await anExecution({ subscriptionId: watch.id, executedAt: new Date(Date.now() - 40 * dayMs) });
    return watch;
  };
  const few = { kind: "RowCountAbove" as const, threshold: 1000 };
  const detects = { enabled: true, method: "StandardDeviation" as const, metric: "RowCount" as const };

  const again = await made("Finds again");
  const before = await anExecution({ subscriptionId: again.id, rowCount: 2, status: "NotificationSent" });
  const keptBefore = rowsToKeep({ execution: { id: before, subscriptionId: again.id } }, resultOf([1, 2]));
  if (keptBefore) await db.insert(executionRows).values({ executionId: before, ...keptBefore });
  await aFinding(again, 2);
  const isOver = await made("Finds no more");
  await aFinding(isOver, 2);
  const silenced = await made("Silenced");
  await db
    .update(subscriptions)
    .set({ silencedUntil: query`now() + interval '1 hour'` })
    .where(eq(subscriptions.id, silenced.id));
  const unusual = await made("Unusual", { condition: few, anomalyDetection: detects });
  const ordinary = await made("Ordinary", { condition: few, anomalyDetection: detects });
  for (const { id } of [unusual, ordinary]) await usually(id, 101);
  const failing = await made("Fails for the third time");
  for (const hours of [2, 1])
    await anExecution({
      ...{ subscriptionId: failing.id, status: "Failed", rowCount: null },
      executedAt: new Date(Date.now() - hours * 3_600_000),
    });
  const works = await made("Works again");
  for (const kind of ["Failing", "Stalled"] as const)
    await db
      .insert(subscriptionIncidents)
      .values({ subscriptionId: works.id, kind, reason: "it did not run", openedAt: new Date() });
  const stillFails = await made("Fails, but runs");
  await db.insert(subscriptionIncidents).values({
    subscriptionId: stillFails.id,
    kind: "Stalled",
    reason: "it did not run",
    openedAt: new Date(),
  });
  const archived = await made("Archived");

  const runs = [
    await ended((await made("Finds rows")).id, [1, 2, 3]),
    await ended(again.id, [2, 3]),
    await ended(isOver.id, []),
    await ended(silenced.id, [1]),
    await ended((await made("In maintenance", {}, moving)).id, [1]),
    await ended((await made("Of others", {}, others)).id, [1]),
    await ended((await made("Below", { condition: few })).id, [1, 2]),
    await ended((await made("Always", { condition: { kind: "Always" } })).id, []),
    await ended((await made("Without tasks", { createTasks: false })).id, [1]),
    await ended(unusual.id, []),
    await ended(
      ordinary.id,
      Array.from({ length: 102 }, (_, id) => id),
    ),
    await ended(failing.id, "fails"),
    await ended(works.id, []),
    await ended(stillFails.id, "fails"),
    await ended(archived.id, [1]),
    await ended((await made("Lost")).id, [1]),
  ];
  await db.update(subscriptions).set({ archivedAt: new Date() }).where(eq(subscriptions.id, archived.id));
  return runs.map((run, place) =>
    place < runs.length - 1 ? run : { ...run, lease: { ...run.lease, token: crypto.randomUUID() } },
  );
}

/** What is stored of a subscription, without what differs between two of the same kind: ids and times. */
async function stateOf({ lease, execution }: Executed) {
  const id = execution.subscriptionId;
  const [watch] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  const [stored] = await db.select().from(executions).where(eq(executions.id, lease.id));
  const [kept] = await db.select().from(executionRows).where(eq(executionRows.executionId, lease.id));
  const [counted] = await db.select().from(subscriptionState).where(eq(subscriptionState.subscriptionId, id));
  const found = await db.select().from(tasks).where(eq(tasks.subscriptionId, id));
  const unusual = await db.select().from(anomalies).where(eq(anomalies.subscriptionId, id));
  const incidents = await db
    .select()
    .from(subscriptionIncidents)
    .where(eq(subscriptionIncidents.subscriptionId, id))
    .orderBy(subscriptionIncidents.kind);
  const told = await db
    .select({ notification: notifications, to: deliveries.recipientName })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(query`cause_kind = 'Execution' and cause_id = ${lease.id}`);
  return {
    name: watch?.name,
    status: stored?.status,
    rowCount: stored?.rowCount,
    error: stored?.errorMessage,
    usual: [stored?.judgedMetric, stored?.usualLow, stored?.usualHigh],
    isSilenced: stored?.silencedUntil !== null,
    kept: kept?.sample.rows,
    counted: counted && [counted.total, counted.ok, counted.anomalies, counted.lastStatus],
    tasks: found.map((task) => [task.status, task.latestRowCount, task.executionCount, task.resolutionNotes]),
    anomalies: unusual.map(({ severity, detectedValue }) => [severity, detectedValue]),
    incidents: incidents.map(({ kind, closedAt, reason }) => [kind, closedAt === null, reason]),
    told: told.map(({ notification: { content, attachmentName }, to }) => ({
      ...{ to, title: content.title, facts: content.facts.filter(({ label }) => label !== "Executed") },
      ...{ attachmentName, newRows: content.table?.newRows },
      actions: content.actions?.map(({ label }) => label),
    })),
  };
}

test("executions that are stored together leave what they leave one by one", async () => {
  const apart = await allKinds();
  for (const run of apart) await store([run], "wait");
  const together = await allKinds();
  const statuses = await store(together);
  const states: Awaited<ReturnType<typeof stateOf>>[] = [];
  for (const [place, run] of together.entries()) {
    const state = await stateOf(run);
    states.push(state);
    expect(state).toEqual(await stateOf(apart[place] as Executed));
    if (statuses[place] !== null) expect(state.status).toBe(statuses[place]);
  }
  expect(statuses.at(-1)).toBeNull();
  const of = (name: string) => states.find((state) => state.name === name);

  // Two silences, one for an hour and one until tomorrow, are offered with each.
  const silences = 2;
  expect(of("Finds rows")).toMatchObject({
    ...{ status: "NotificationSent", rowCount: 3, isSilenced: false, kept: [[1], [2], [3]] },
    ...{ counted: [2, 2, 0, "NotificationSent"], tasks: [["Open", 3, 1, null]] },
    told: [{ to: "Team", title: "Finds rows: 3 rows", attachmentName: "Finds rows.csv" }],
  });
  expect(of("Finds rows")?.told[0]?.actions).toContain("Assign to me");
  expect(of("Finds again")).toMatchObject({
    tasks: [["Open", 2, 2, null]],
    // Of the rows 2 and 3, the first was there the last time.
    told: [
      { newRows: [1], facts: expect.arrayContaining([{ label: "New since the run before", value: "1" }]) },
    ],
  });
  expect(of("Finds no more")).toMatchObject({
    status: "NoResults",
    ...{ tasks: [["Resolved", 0, 1, "Auto-resolved: Query returned 0 results"]], told: [] },
  });
  for (const name of ["Silenced", "In maintenance"])
    expect(of(name)).toMatchObject({
      ...{ status: "NotificationSilenced", isSilenced: true, tasks: [["Open", 1, 1, null]], told: [] },
    });
  expect(of("Of others")).toMatchObject({ tasks: [["Open", 1, 1, null]], told: [{ to: "Others" }] });
  expect(of("Below")).toMatchObject({ status: "BelowThreshold", rowCount: 2, tasks: [], told: [] });
  expect(of("Always")).toMatchObject({
    status: "NotificationSent",
    tasks: [],
    told: [{ title: "Always: 0 rows" }],
  });
  expect(of("Without tasks")).toMatchObject({ tasks: [], told: [{ to: "Team" }] });
  expect(of("Without tasks")?.told[0]?.actions).toHaveLength(silences);
  expect(of("Unusual")).toMatchObject({
    ...{ status: "NoResults", counted: [32, expect.any(Number), 1, "NoResults"] },
    ...{ anomalies: [[expect.any(String), 0]], told: [{ title: "Unusual: unusual result" }] },
  });
  expect(of("Unusual")?.told[0]?.actions).toHaveLength(silences + 1);
  expect(of("Ordinary")).toMatchObject({ status: "BelowThreshold", anomalies: [], told: [] });
  expect(of("Ordinary")?.usual[0]).toBe("RowCount");
  expect(of("Fails for the third time")).toMatchObject({
    ...{ status: "Failed", rowCount: null, error: failed.message, tasks: [], told: [] },
    incidents: [["Failing", true, `3 executions in a row failed, the last one with: ${failed.message}`]],
  });
  expect(of("Works again")?.incidents.map(([kind, isOpen]) => [kind, isOpen])).toEqual(
    [
      ["Stalled", false],
      ["Failing", false],
    ].toSorted(),
  );
  expect(of("Fails, but runs")).toMatchObject({
    status: "Failed",
    incidents: [["Stalled", false, "it did not run"]],
  });
  expect(of("Archived")).toMatchObject({ status: "NotificationSent", tasks: [], told: [] });
  expect(of("Lost")).toMatchObject({
    status: "Created",
    rowCount: null,
    kept: undefined,
    tasks: [],
    told: [],
  });
});

test("a subscription that others have locked is left out, and so is the second execution of one", async () => {
  const { watchOf } = await aTeam("Team");
  const runs: Executed[] = [];
  for (const name of ["busy", "free"]) {
    const { id } = await watchOf(name, {});
    await anExecution({ subscriptionId: id });
    runs.push(await ended(id, [1]));
  }
  const [busy, free] = runs as [Executed, Executed];
  const second = { ...free, lease: { ...free.lease, token: crypto.randomUUID() } };
  await db.transaction(async (tx) => {
    const isBusy = eq(subscriptionState.subscriptionId, busy.execution.subscriptionId);
    await tx.select().from(subscriptionState).where(isBusy).for("update");
    expect(await elsewhere(() => store([busy, free, second]))).toEqual([null, "NotificationSent", null]);
  });
  expect(await store([busy], "wait")).toEqual(["NotificationSent"]);
  expect(await stateOf(free)).toMatchObject({
    counted: [2, 2, 0, "NotificationSent"],
    tasks: [["Open", 1, 1, null]],
  });
});
