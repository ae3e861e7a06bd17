import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { db, sql } from "../db/client.ts";
import { archiveQuery } from "../queries/service/archive.ts";
import { setLocked } from "../queries/service/lock.ts";
import { getQuery } from "../queries/service/queries.ts";
import { updateQuery } from "../queries/service/save-query.ts";
import { listVersions } from "../queries/service/versions.ts";
import { hubChannel } from "../realtime/notification.ts";
import { findSettingsOrigin, updateSettings } from "../settings/service.ts";
import { settings } from "../settings/tables.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aChangeRequest, aQuery } from "../test/factories/queries.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";
import { getApproval, getWorkflow, listApprovals, listPending } from "./service/approvals.ts";
import { approve, reject } from "./service/decide.ts";

let admin: SignedIn;
let author: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
let query: Awaited<ReturnType<typeof aQuery>>;

beforeAll(async () => {
  admin = await asAdmin();
  author = await asEditor();
  source = await aDataSource();
});

beforeEach(async () => {
  query = await aQuery({ name: "Orders", dataSource: source, sql: "select 1 as one" }, author);
});
afterEach(() => db.delete(settings));

const switchOn = (fourEyes = false) => updateSettings(admin, { approvalWorkflow: true, fourEyes });
const switchOff = () => updateSettings(admin, { approvalWorkflow: false, fourEyes: false });

const edit = (sql: string, by = author, more: object = {}) =>
  updateQuery(by, { id: query.id, name: "Orders", steps: [{ dataSourceId: source.id, sql }], ...more });

const sqlOf = async () => (await getQuery(admin, query.id)).steps[0]?.sql;
const statuses = async () =>
  (await listVersions(admin, query.id)).items.map(({ number, status }) => `${number} ${status}`);
const pendingOf = async (queryId = query.id) =>
  (await listPending(admin, {})).items.filter((approval) => approval.queryId === queryId);

describe("with the workflow on", () => {
  beforeEach(() => switchOn());

  test("an edit of SQL waits, and the query keeps running unchanged until it is approved", async () => {
    const edited = await edit("select 1 as one\nlimit 1");
    expect(edited).toMatchObject({
      activeVersion: 1,
      pendingVersion: 2,
      steps: [{ sql: "select 1 as one" }],
    });
    const [approval] = await pendingOf();
    expect(approval).toMatchObject({
      ...{ status: "Pending", queryName: "Orders", baseVersion: 1, isStale: false },
      ...{ changeSummary: "Step 1: 1 line added", reviewer: null, comment: null, decidedAt: null },
      requester: { id: author.principal.userId },
      activeVersion: { number: 1, steps: [{ sql: "select 1 as one" }] },
      proposedVersion: { number: 2, status: "PendingApproval", steps: [{ sql: "select 1 as one\nlimit 1" }] },
    });
    const approved = await approve(admin, { id: approval?.id ?? 0, comment: " Fine " });
    expect(approved).toMatchObject({
      ...{ status: "Approved", comment: "Fine", reviewer: { id: admin.principal.userId } },
      activeVersion: { number: 1, status: "Archived" },
      proposedVersion: { number: 2, status: "Active" },
    });
    expect(approved.decidedAt).toBeInstanceOf(Date);
    expect(await sqlOf()).toBe("select 1 as one\nlimit 1");
    expect(await statuses()).toEqual(["2 Active", "1 Archived"]);
    expect(await pendingOf()).toEqual([]);
  });

  test("a rejected change leaves the query unchanged and stays in the history", async () => {
    await edit("select 2 as two", author, { changeSummary: "Two is better" });
    const [approval] = await pendingOf();
    expect(approval?.changeSummary).toBe("Two is better");
    const rejected = await reject(admin, { id: approval?.id ?? 0 });
    expect(rejected).toMatchObject({ status: "Rejected", comment: null });
    expect(await sqlOf()).toBe("select 1 as one");
    expect(await statuses()).toEqual(["2 Rejected", "1 Active"]);
    await edit("select 3 as three");
    expect(await statuses()).toEqual(["3 PendingApproval", "2 Rejected", "1 Active"]);
  });

  test("a name, a description and a folder need no approval", async () => {
    const renamed = await edit("select 1 as one", author, { name: "All orders", description: "Of all time" });
    expect(renamed).toMatchObject({ name: "All orders", pendingVersion: null, activeVersion: 1 });
    expect(await pendingOf()).toEqual([]);
  });

  test("the author's second edit replaces the first; anyone else's is rejected", async () => {
    await edit("select 2 as two");
    const [first] = await pendingOf();
    await edit("select 3 as three");
    const [second, ...others] = await pendingOf();
    expect(others).toEqual([]);
    expect(second).toMatchObject({ proposedVersion: { number: 3 } });
    expect(await getApproval(admin, first?.id ?? 0)).toMatchObject({ status: "Superseded", decidedAt: null });
    await expect(approve(admin, { id: first?.id ?? 0 })).rejects.toMatchObject({ code: "conflict" });
    await expect(edit("select 4 as four", await asEditor())).rejects.toMatchObject({
      code: "conflict",
      detail: "Another change to this query is pending approval",
    });
  });

  test("an outdated change is reported as such and overwrites nothing", async () => {
    await edit("select 2 as two");
    await switchOff();
    await edit("select 3 as three", admin);
    const [approval] = await pendingOf();
    expect(approval).toMatchObject({ isStale: true, baseVersion: 1, activeVersion: { number: 3 } });
    await expect(approve(admin, { id: approval?.id ?? 0 })).rejects.toMatchObject({
      code: "conflict",
      detail: "The query has changed: its active version is 3, but this change is based on version 1",
    });
    expect(await sqlOf()).toBe("select 3 as three");
    expect(await reject(admin, { id: approval?.id ?? 0 })).toMatchObject({ status: "Rejected" });
  });

  test("pending changes can still be decided after turning the workflow off", async () => {
    await edit("select 2 as two");
    await switchOff();
    const [approval] = await pendingOf();
    expect(await approve(admin, { id: approval?.id ?? 0 })).toMatchObject({ status: "Approved" });
    expect(await sqlOf()).toBe("select 2 as two");
  });

  test("approving doesn't change a locked query", async () => {
    await edit("select 2 as two");
    await setLocked(admin, query.id, true);
    const [approval] = await pendingOf();
    await expect(approve(admin, { id: approval?.id ?? 0 })).rejects.toMatchObject({
      code: "conflict",
      detail: "Query is locked",
    });
    expect(await sqlOf()).toBe("select 1 as one");
  });

  test("archiving a query closes its pending change", async () => {
    await edit("select 2 as two");
    const [approval] = await pendingOf();
    await switchOff();
    await archiveQuery(admin, { id: query.id });
    expect(await pendingOf()).toEqual([]);
    for (const decision of [approve, reject])
      await expect(decision(admin, { id: approval?.id ?? 0 })).rejects.toMatchObject({ code: "not_found" });
  });

  test("of twenty concurrent decisions one wins, and the others change nothing", async () => {
    await edit("select 2 as two");
    const [approval] = await pendingOf();
    const id = approval?.id ?? 0;
    const decisions = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? approve : reject)(admin, { id })),
    );
    const won = decisions.filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(1);
    for (const each of decisions)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "conflict" });
    const { status } = await getApproval(admin, id);
    expect(await statuses()).toEqual(
      status === "Approved" ? ["2 Active", "1 Archived"] : ["2 Rejected", "1 Active"],
    );
  });
});

test("only the reviewer and the requester are notified of a decision, after it is committed", async () => {
  const heard: string[] = [];
  const { unlisten } = await sql.listen(hubChannel, (payload) => heard.push(payload));
  const lost = await aChangeRequest(query, "select 2 as two", author);
  await setLocked(admin, query.id, true);
  await expect(approve(admin, { id: lost.id })).rejects.toMatchObject({ code: "conflict" });
  await reject(admin, { id: lost.id });
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  await unlisten();
  const message = JSON.parse(heard[0] ?? "");
  expect(message).toMatchObject({ name: "ApprovalUpdated" });
  expect(JSON.parse(message.data)).toEqual({ approvalId: lost.id, status: "rejected" });
  expect(message.users.toSorted()).toEqual([author.principal.userId, admin.principal.userId].toSorted());
});

describe("four eyes", () => {
  test("prevent people from approving their own change, but not from withdrawing it", async () => {
    const other = await asAdmin();
    await switchOn(true);
    await edit("select 2 as two", admin);
    const [approval] = await pendingOf();
    const id = approval?.id ?? 0;
    await expect(approve(admin, { id })).rejects.toMatchObject({ code: "forbidden" });
    expect(await reject(admin, { id })).toMatchObject({ status: "Rejected" });
    await edit("select 3 as three", admin);
    const [another] = await pendingOf();
    expect(await approve(other, { id: another?.id ?? 0 })).toMatchObject({ status: "Approved" });
  });

  test("can't be bypassed with your own key, but someone else's key may approve", async () => {
    const other = await asAdmin();
    const ownKey = await aKey({ scopes: ["Admin"] }, admin);
    const otherKey = await aKey({ scopes: ["Admin"] }, other);
    await switchOn(true);
    await edit("select 2 as two", admin);
    const [approval] = await pendingOf();
    const path = `/approvals/${approval?.id}/approve`;
    const own = await rest("POST", path, { headers: ownKey.headers });
    expect([own.status, own.body.detail]).toEqual([403, "Someone else must approve your change"]);
    expect((await rest("POST", path, { headers: otherKey.headers })).status).toBe(200);
  });

  test("also apply to a change made with a key", async () => {
    const { headers } = await aKey({ scopes: ["Admin"] }, admin);
    await switchOn(true);
    const steps = [{ dataSourceId: source.id, sql: "select 2 as two" }];
    const edited = await rest("PUT", `/queries/${query.id}`, { headers, json: { name: "Orders", steps } });
    expect(edited.status).toBe(200);
    const [approval] = await pendingOf();
    await expect(approve(admin, { id: approval?.id ?? 0 })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("are off by default", async () => {
    await switchOn();
    await edit("select 2 as two", admin);
    const [approval] = await pendingOf();
    expect(await approve(admin, { id: approval?.id ?? 0 })).toMatchObject({ status: "Approved" });
  });
});

describe("lists", () => {
  test("can be filtered by query and requester, and count the affected subscriptions", async () => {
    const other = await aQuery({ name: "Returns", dataSource: source }, author);
    for (let count = 0; count < 2; count++) await aSubscription({ query: other });
    const requester = await asEditor();
    const mine = await aChangeRequest(query, "select 2 as two", requester);
    const theirs = await aChangeRequest(other, "select 2 as two", author);
    const page = { page: 0, pageSize: 100 };
    const idsOf = async (filter: Omit<Parameters<typeof listApprovals>[1], keyof typeof page>) =>
      (await listApprovals(admin, { ...filter, ...page })).items.map(({ id }) => id);
    expect(await idsOf({ queryId: query.id })).toEqual([mine.id]);
    expect(await idsOf({ requesterId: requester.principal.userId })).toEqual([mine.id]);
    expect(await idsOf({ queryId: other.id, requesterId: requester.principal.userId })).toEqual([]);
    expect(await idsOf({ queryId: other.id, search: "RETURNS" })).toEqual([theirs.id]);
    expect(await idsOf({ queryId: other.id, search: "ret%ns" })).toEqual([]);
    expect(await getApproval(admin, mine.id)).toMatchObject({ subscriptionCount: 0 });
    expect(await getApproval(admin, theirs.id)).toMatchObject({ subscriptionCount: 2 });
  });
});

test("everyone can see whether changes need approval", async () => {
  expect(await getWorkflow()).toEqual({ isOn: false, fourEyes: false });
  expect(await findSettingsOrigin()).toEqual({ setAt: null });
  await switchOn(true);
  expect(await getWorkflow()).toEqual({ isOn: true, fourEyes: true });
  expect((await findSettingsOrigin()).setAt).toBeInstanceOf(Date);
});

describe("over REST", () => {
  test("only an Admin session or an Admin key can decide", async () => {
    const { id } = await aChangeRequest(query, "select 2 as two", author);
    const editor = await cookieOf(await aUser("Editor"));
    const execute = await aKey({ scopes: ["Execute"] });
    const path = `/approvals/${id}/approve`;
    expect((await rest("POST", path)).status).toBe(401);
    expect((await rest("POST", path, { cookie: editor })).status).toBe(403);
    expect((await rest("POST", path, { headers: execute.headers })).status).toBe(403);
    expect((await rest("GET", `/approvals/${id}`, { cookie: editor })).body).toMatchObject({
      status: "Pending",
    });
    const { headers } = await aKey({ scopes: ["Admin"] });
    const approved = await rest("POST", path, { headers, json: { comment: "By key" } });
    expect(approved.body).toMatchObject({ id, status: "Approved", comment: "By key" });
    const again = await rest("POST", path, { headers });
    expect([again.status, again.body.detail]).toEqual([409, "The approval is not pending: it is Approved"]);
  });

  test("lists filter by status and paginate; an invalid ID is a 404", async () => {
    const cookie = await cookieOf(await aUser("Admin"));
    const { id } = await aChangeRequest(query, "select 2 as two", author);
    await reject(admin, { id });
    const { body } = await rest("GET", "/approvals?status=Rejected&pageSize=1", { cookie });
    expect(body).toMatchObject({ page: 0, pageSize: 1, items: [{ id, status: "Rejected" }] });
    expect((await rest("GET", "/approvals?status=Open", { cookie })).status).toBe(400);
    expect((await rest("GET", "/approvals/abc", { cookie })).status).toBe(404);
    expect((await rest("GET", "/approvals/2000000000", { cookie })).body.detail).toBe("Approval not found");
    expect((await rest("GET", "/approvals/pending", { cookie })).status).toBe(200);
  });

  test("settings come from the configuration until an Admin sets them", async () => {
    const cookie = await cookieOf(await aUser("Admin"));
    const get = async () => (await rest("GET", "/settings", { cookie })).body;
    expect(await get()).toEqual({ approvalWorkflow: false, fourEyes: false, revision: 1 });
    const json = { approvalWorkflow: true, fourEyes: true };
    expect((await rest("PUT", "/settings", { cookie, json })).body).toEqual({ ...json, revision: 2 });
    expect(await get()).toEqual({ ...json, revision: 2 });
    expect((await rest("PUT", "/settings", { cookie, json: { approvalWorkflow: true } })).status).toBe(400);
    const editor = await cookieOf(await aUser("Editor"));
    expect((await rest("GET", "/settings", { cookie: editor })).status).toBe(403);
    const [row] = await db.select().from(settings).where(eq(settings.id, 1));
    expect(row).toMatchObject(json);
  });
});
