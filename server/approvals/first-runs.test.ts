import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db } from "../db/client.ts";
import { archiveQuery, unarchiveQuery } from "../queries/service/archive.ts";
import { updateQuery } from "../queries/service/save-query.ts";
import { updateSettings } from "../settings/service.ts";
import { settings } from "../settings/tables.ts";
import { executeDueSubscription, executeNow } from "../subscriptions/service/execute.ts";
import { listExecutions } from "../subscriptions/service/executions.ts";
import {
  archiveSubscription,
  getSubscription,
  updateSubscription,
} from "../subscriptions/service/subscriptions.ts";
import { executions, subscriptions } from "../subscriptions/tables.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";
import { listPending } from "./service/approvals.ts";
import { approve, reject } from "./service/decide.ts";

/** Subscriptions of unapproved queries, with the workflow on. */
let admin: SignedIn;
let author: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  admin = await asAdmin();
  author = await asEditor();
  source = await aDataSource();
});
afterAll(closeSources);
beforeEach(() => switchOn());
afterEach(() => db.delete(settings));

const switchOn = (fourEyes = false) => updateSettings(admin, { approvalWorkflow: true, fourEyes });
const switchOff = () => updateSettings(admin, { approvalWorkflow: false, fourEyes: false });

const made = (by = author) => aQuery({ name: "Orders", dataSource: source, sql: "select 1 as one" }, by);
const pendingOf = async (queryId: number) =>
  (await listPending(admin, {})).items.filter((approval) => approval.queryId === queryId);
const mustBeApproved = {
  ...{ code: "conflict", detail: "An Admin must approve this query before a subscription can run it" },
};

/** An unapproved query with a subscription and its pending request. */
async function aHeldSubscription(by = author) {
  const query = await made(by);
  const subscription = await aSubscription({ query, cronExpression: "0 6 * * *" }, by);
  const [approval] = await pendingOf(query.id);
  if (!approval) throw new Error("Nothing waits");
  return { query, subscription, approval };
}

describe("a subscription of an unapproved query", () => {
  test("is created, requests approval, and does not run", async () => {
    const { query, subscription, approval } = await aHeldSubscription();
    expect(subscription).toMatchObject({
      ...{ enabled: true, nextRunAt: null, approval: { id: approval.id, status: "Pending" } },
    });
    expect(approval).toMatchObject({
      ...{ kind: "FirstRun", status: "Pending", queryId: query.id, isStale: false, subscriptionCount: 1 },
      changeSummary: "Run on a schedule for the first time: 0 6 * * * (UTC)",
      requester: { id: author.principal.userId },
      proposedVersion: { number: 1, status: "Active", steps: [{ sql: "select 1 as one" }] },
    });
    await expect(executeNow(author, subscription.id)).rejects.toMatchObject(mustBeApproved);
    const due = new Date("2026-01-01T06:00:00Z");
    expect(await executeDueSubscription(subscription.id, due)).toEqual({ skipped: mustBeApproved.detail });
    expect(await db.$count(executions, eq(executions.subscriptionId, subscription.id))).toBe(0);
  });

  test("runs once it is approved", async () => {
    const { subscription, approval } = await aHeldSubscription();
    expect(await approve(admin, { id: approval.id })).toMatchObject({ kind: "FirstRun", status: "Approved" });
    const shown = await getSubscription(admin, subscription.id);
    expect(shown).not.toHaveProperty("approval");
    expect(shown.nextRunAt).toBeInstanceOf(Date);
    expect(await executeNow(author, subscription.id)).toMatchObject({ queryVersion: 1, rowCount: 1 });
  });

  test("does not run if rejected, and requests approval again when saved again", async () => {
    const { query, subscription, approval } = await aHeldSubscription();
    await reject(admin, { id: approval.id, comment: "Not like this" });
    expect(await getSubscription(admin, subscription.id)).toMatchObject({
      approval: { id: approval.id, status: "Rejected" },
    });
    await expect(executeNow(author, subscription.id)).rejects.toMatchObject(mustBeApproved);
    const { cronExpression, timezone, parameters, timeoutSeconds, condition, createTasks } = subscription;
    const write = { cronExpression, timezone, parameters, timeoutSeconds, condition, createTasks };
    const { anomalyDetection, recipientIds } = subscription;
    await updateSubscription(author, {
      ...{ ...write, anomalyDetection, recipientIds, silencedUntil: null },
      ...{ id: subscription.id, queryId: query.id, enabled: true },
    });
    const [again] = await pendingOf(query.id);
    expect(again).toMatchObject({ kind: "FirstRun", status: "Pending" });
    expect(again?.id).not.toBe(approval.id);
  });

  test("a second one joins the pending request; concurrent ones create only one", async () => {
    const query = await made();
    await Promise.all([1, 2, 3].map(() => aSubscription({ query }, author)));
    const waiting = await pendingOf(query.id);
    expect(waiting).toHaveLength(1);
    expect(waiting[0]).toMatchObject({ subscriptionCount: 3 });
  });

  test("REST returns 201 with the pending request, and running it is a 409", async () => {
    const cookie = await cookieOf(await aUser("Editor"));
    const { id } = await made();
    const created = await rest("POST", "/subscriptions", {
      cookie,
      json: { queryId: id, cronExpression: "0 6 * * *" },
    });
    const [approval] = await pendingOf(id);
    expect([created.status, created.body.approval]).toEqual([201, { id: approval?.id, status: "Pending" }]);
    const run = await rest("POST", `/subscriptions/${created.body.id}/execute`, { cookie });
    expect([run.status, run.body.detail]).toEqual([409, mustBeApproved.detail]);
  });

  test("can't be released by archiving it and creating it again", async () => {
    const { query, subscription } = await aHeldSubscription();
    await archiveSubscription(author, subscription.id);
    const next = await aSubscription({ query }, author);
    await expect(executeNow(author, next.id)).rejects.toMatchObject(mustBeApproved);
  });

  test("can't be released by archiving and restoring the query", async () => {
    const { query } = await aHeldSubscription();
    const [request] = await pendingOf(query.id);
    const { approvalId } = await archiveQuery(author, { id: query.id, cascade: true });
    await approve(admin, { id: approvalId ?? 0 });
    await unarchiveQuery(admin, query.id);
    expect(await pendingOf(query.id)).toEqual([]);
    const next = await aSubscription({ query }, author);
    await expect(executeNow(author, next.id)).rejects.toMatchObject(mustBeApproved);
    const [again] = await pendingOf(query.id);
    expect(again?.id).not.toBe(request?.id);
  });
});

describe("under four eyes", () => {
  test("neither the requester nor the query's author can approve its first run", async () => {
    const [writer, asker, other] = [await asAdmin(), await asAdmin(), await asAdmin()];
    await switchOn(true);
    const query = await made(writer);
    await aSubscription({ query }, asker);
    const [approval] = await pendingOf(query.id);
    const id = approval?.id ?? 0;
    for (const each of [writer, asker])
      await expect(approve(each, { id })).rejects.toMatchObject({ code: "forbidden" });
    expect(await approve(other, { id })).toMatchObject({ status: "Approved" });
  });
});

describe("what counts as approved", () => {
  const edit = (id: number, sql: string) =>
    updateQuery(author, { id, name: "Orders", steps: [{ dataSourceId: source.id, sql }] });

  test("a query that existed before the workflow was turned on", async () => {
    await switchOff();
    const query = await made();
    await switchOn();
    const subscription = await aSubscription({ query }, author);
    expect(subscription).not.toHaveProperty("approval");
    expect(await executeNow(author, subscription.id)).toMatchObject({ rowCount: 1 });
    expect(await pendingOf(query.id)).toEqual([]);
  });

  test("a version approved as a change; the request for the previous one is superseded", async () => {
    const { query, subscription, approval } = await aHeldSubscription();
    await edit(query.id, "select 2 as two union select 3");
    const change = (await pendingOf(query.id)).find(({ kind }) => kind === "Change");
    await approve(admin, { id: change?.id ?? 0 });
    expect(await executeNow(author, subscription.id)).toMatchObject({ queryVersion: 2, rowCount: 2 });
    expect(await pendingOf(query.id)).toEqual([]);
    await expect(approve(admin, { id: approval.id })).rejects.toMatchObject({
      detail: "The approval is not pending: it is Superseded",
    });
  });

  test("nothing else while it is on: a pending edit, a restored version, a different schedule", async () => {
    const { query, subscription } = await aHeldSubscription();
    await edit(query.id, "select 2 as two");
    await expect(executeNow(author, subscription.id)).rejects.toMatchObject(mustBeApproved);
  });

  test("everything while it is off; pending ones wait again when it is turned on", async () => {
    const { subscription } = await aHeldSubscription();
    await switchOff();
    expect(await getSubscription(admin, subscription.id)).not.toHaveProperty("approval");
    expect(await executeNow(author, subscription.id)).toMatchObject({ rowCount: 1 });
    await switchOn();
    await expect(executeNow(author, subscription.id)).rejects.toMatchObject(mustBeApproved);
  });

  test("a query that gets a subscription while it is off, even if created while it was on", async () => {
    const { query, subscription } = await aHeldSubscription();
    await switchOff();
    await aSubscription({ query }, author);
    await switchOn();
    expect(await executeNow(author, subscription.id)).toMatchObject({ rowCount: 1 });
    expect(await pendingOf(query.id)).toEqual([]);
  });
});

test("with the workflow off, nothing waits and no approval is requested", async () => {
  await switchOff();
  const query = await made();
  const subscription = await aSubscription({ query }, author);
  expect(subscription.nextRunAt).toBeInstanceOf(Date);
  expect(subscription).not.toHaveProperty("approval");
  await executeNow(author, subscription.id);
  expect((await listExecutions(author, { id: subscription.id, page: 0, pageSize: 5 })).totalCount).toBe(1);
  expect(await pendingOf(query.id)).toEqual([]);
  expect(await archiveQuery(author, { id: query.id, cascade: true })).toMatchObject({ approvalId: null });
  const [stored] = await db.select().from(subscriptions).where(eq(subscriptions.id, subscription.id));
  expect(stored?.archivedAt).not.toBeNull();
});
