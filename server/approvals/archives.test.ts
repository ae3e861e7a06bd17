import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLog } from "../audit/tables.ts";
import type { SignedIn } from "../auth/principal.ts";
import { db } from "../db/client.ts";
import { archiveQuery, unarchiveQuery } from "../queries/service/archive.ts";
import { setLocked } from "../queries/service/lock.ts";
import { getQuery } from "../queries/service/queries.ts";
import { queries } from "../queries/tables.ts";
import { updateSettings } from "../settings/service.ts";
import { settings } from "../settings/tables.ts";
import { getSubscription } from "../subscriptions/service/subscriptions.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aChangeRequest, aQuery } from "../test/factories/queries.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";
import { getApproval, listApprovals, listPending } from "./service/approvals.ts";
import { approve, reject } from "./service/decide.ts";

/** Archiving queries that are under review or have subscriptions, with the workflow on. */
let admin: SignedIn;
let author: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
let query: Awaited<ReturnType<typeof aQuery>>;

const switchOn = (fourEyes = false) => updateSettings(admin, { approvalWorkflow: true, fourEyes });

beforeAll(async () => {
  admin = await asAdmin();
  author = await asEditor();
  source = await aDataSource();
});
beforeEach(async () => {
  // Created before turning the workflow on, so its subscriptions run.
  query = await aQuery({ name: "Orders per day", dataSource: source }, author);
  await switchOn();
});
afterEach(() => db.delete(settings));

const isArchived = async () => {
  const [row] = await db.select().from(queries).where(eq(queries.id, query.id));
  return row?.archivedAt !== null;
};
const pendingOf = async () =>
  (await listPending(admin, {})).items.filter((approval) => approval.queryId === query.id);

describe("archiving", () => {
  test("a query with subscriptions waits, and they keep running until it is approved", async () => {
    const subscription = await aSubscription({ query }, author);
    const asked = await archiveQuery(author, { id: query.id, cascade: true });
    expect(asked).toMatchObject({ subscriptionCount: 1, approvalId: expect.any(Number) });
    expect(await isArchived()).toBe(false);
    expect((await getSubscription(admin, subscription.id)).nextRunAt).toBeInstanceOf(Date);
    expect(await pendingOf()).toMatchObject([
      {
        ...{ id: asked.approvalId, kind: "Archive", subscriptionCount: 1, isStale: false },
        changeSummary: "Archive the query and 1 subscription",
        requester: { id: author.principal.userId },
      },
    ]);
    const approved = await approve(admin, { id: asked.approvalId ?? 0 });
    expect(approved).toMatchObject({ kind: "Archive", status: "Approved", subscriptionCount: 0 });
    expect(await isArchived()).toBe(true);
    await expect(getSubscription(admin, subscription.id)).rejects.toMatchObject({ code: "not_found" });
    // Its history stays although the query is archived.
    expect(await getApproval(admin, approved.id)).toMatchObject({ status: "Approved" });
    const { items } = await listApprovals(admin, { status: "Approved", page: 0, pageSize: 100 });
    expect(items.map(({ id }) => id)).toContain(approved.id);
  });

  test("a query with a pending change waits too, even without subscriptions", async () => {
    const change = await aChangeRequest(query, "select 2 as two", author);
    const { approvalId } = await archiveQuery(author, { id: query.id });
    expect(approvalId).not.toBeNull();
    expect(await isArchived()).toBe(false);
    expect((await pendingOf()).map(({ kind }) => kind).sort()).toEqual(["Archive", "Change"]);
    // Each request can be decided independently.
    await approve(admin, { id: change.id });
    expect(await getQuery(admin, query.id)).toMatchObject({ activeVersion: 2 });
    await approve(admin, { id: approvalId ?? 0 });
    expect(await isArchived()).toBe(true);
  });

  test("a query without subscriptions or pending changes is archived at once", async () => {
    expect(await archiveQuery(author, { id: query.id })).toMatchObject({ approvalId: null });
    expect(await isArchived()).toBe(true);
  });

  test("asking again doesn't create a second request", async () => {
    await aSubscription({ query }, author);
    const first = await archiveQuery(author, { id: query.id, cascade: true });
    const second = await archiveQuery(await asEditor(), { id: query.id, cascade: true });
    expect(second.approvalId).toBe(first.approvalId);
    expect(await pendingOf()).toHaveLength(1);
  });

  test("a rejected request changes nothing, and can be made again", async () => {
    const subscription = await aSubscription({ query }, author);
    const { approvalId } = await archiveQuery(author, { id: query.id, cascade: true });
    await reject(admin, { id: approvalId ?? 0, comment: "It is needed" });
    expect(await isArchived()).toBe(false);
    expect((await getSubscription(admin, subscription.id)).nextRunAt).toBeInstanceOf(Date);
    const again = await archiveQuery(author, { id: query.id, cascade: true });
    expect(again.approvalId).not.toBe(approvalId);
  });

  test("a locked query is rejected, and so is approving once it is locked", async () => {
    await aSubscription({ query }, author);
    const { approvalId } = await archiveQuery(author, { id: query.id, cascade: true });
    await setLocked(admin, query.id, true);
    const locked = { code: "conflict", detail: "Query is locked" };
    await expect(approve(admin, { id: approvalId ?? 0 })).rejects.toMatchObject(locked);
    expect(await getApproval(admin, approvalId ?? 0)).toMatchObject({ status: "Pending" });
    expect(await isArchived()).toBe(false);
  });

  test("without cascade, running subscriptions are still a conflict", async () => {
    await aSubscription({ query }, author);
    await expect(archiveQuery(author, { id: query.id })).rejects.toMatchObject({
      code: "conflict",
      detail: "The query is still run by 1 subscription",
    });
  });

  test("archiving it another way closes the request", async () => {
    await aSubscription({ query }, author);
    const { approvalId } = await archiveQuery(author, { id: query.id, cascade: true });
    await updateSettings(admin, { approvalWorkflow: false, fourEyes: false });
    await archiveQuery(author, { id: query.id, cascade: true });
    await unarchiveQuery(admin, query.id);
    expect(await getApproval(admin, approvalId ?? 0)).toMatchObject({ status: "Superseded" });
  });

  test("under four eyes it needs someone else's approval, even for Admins", async () => {
    const other = await asAdmin();
    await switchOn(true);
    await aSubscription({ query }, author);
    const { approvalId } = await archiveQuery(admin, { id: query.id, cascade: true });
    await expect(approve(admin, { id: approvalId ?? 0 })).rejects.toMatchObject({ code: "forbidden" });
    await approve(other, { id: approvalId ?? 0 });
    expect(await isArchived()).toBe(true);
  });
});

test("REST returns 202 with the request and its location, and 204 if nothing needs approval", async () => {
  const cookie = await cookieOf(await aUser("Editor"));
  await aSubscription({ query }, author);
  const asked = await rest("DELETE", `/queries/${query.id}?cascade=true`, { cookie });
  const [approval] = await pendingOf();
  expect([asked.status, asked.body]).toEqual([202, { approvalId: approval?.id }]);
  expect(asked.headers.get("location")).toBe(`/svc/api/approvals/${approval?.id}`);
  const [entry] = await db.select().from(auditLog).where(eq(auditLog.action, "queries.archive"));
  expect(entry?.detail).toBe(`Orders per day, with 1 subscription, waits for approval ${approval?.id}`);
  expect((await rest("GET", `/queries/${query.id}`, { cookie })).status).toBe(200);
  const kinds = await rest("GET", "/approvals?kind=Archive&status=Pending", { cookie });
  expect(kinds.body.items.map(({ id }: { id: number }) => id)).toContain(approval?.id);

  const unused = await aQuery({ dataSource: source }, author);
  const archived = await rest("DELETE", `/queries/${unused.id}`, { cookie });
  expect([archived.status, archived.body]).toEqual([204, null]);
});

test("an Editor can't bypass a review by archiving the query and creating it again", async () => {
  await aSubscription({ query }, author);
  await aChangeRequest(query, "select 2 as two", author);
  await archiveQuery(author, { id: query.id, cascade: true });
  expect(await getQuery(admin, query.id)).toMatchObject({ activeVersion: 1, subscriptionCount: 1 });
  const anew = await aQuery({ name: "Orders per day", dataSource: source, sql: "select 2 as two" }, author);
  expect(await aSubscription({ query: anew }, author)).toMatchObject({
    approval: { status: "Pending" },
    nextRunAt: null,
  });
});
