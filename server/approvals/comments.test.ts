import { and, eq, ne } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { db, sql } from "../db/client.ts";
import { defaultPreferences } from "../notifications/personal.ts";
import { setPreferences } from "../notifications/service/preferences.ts";
import { deliveries, notifications } from "../notifications/tables.ts";
import { updateQuery } from "../queries/service/save-query.ts";
import { updateSettings } from "../settings/service.ts";
import { settings } from "../settings/tables.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { listPending } from "./service/approvals.ts";

let admin: SignedIn;
let anna: Awaited<ReturnType<typeof aUser>>;
let ben: Awaited<ReturnType<typeof aUser>>;
let annas: string;
let bens: string;
let approvalId: number;

beforeAll(() => {
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  process.env.MAIL_FROM = "alerts@example.com";
});
beforeEach(async () => {
  admin = await asAdmin();
  [anna, ben] = [await aUser("Editor"), await aUser("Admin")];
  [annas, bens] = [await cookieOf(anna), await cookieOf(ben)];
  await updateSettings(admin, { approvalWorkflow: true, fourEyes: false });
  const source = await aDataSource();
  const author: SignedIn = { ...admin, principal: { ...admin.principal, userId: anna.id, name: anna.name } };
  const query = await aQuery({ name: "Orders", dataSource: source, sql: "select 1 as one" }, author);
  await updateQuery(author, {
    ...{ id: query.id, name: "Orders", changeSummary: "Two is what we ship" },
    steps: [{ dataSourceId: source.id, sql: "select 2 as one" }],
  });
  const pending = (await listPending(admin, {})).items.find(({ queryId }) => queryId === query.id);
  approvalId = pending?.id ?? 0;
});
afterEach(() => db.delete(settings));

const call = (method: "GET" | "POST", path: string, cookie: string, json?: object) =>
  rest(method, `/approvals/${approvalId}${path}`, { cookie, ...(json && { json }) });

describe("comments on a request", () => {
  test("are listed oldest first, and go on after the decision", async () => {
    const first = await call("POST", "/comments", bens, { text: "  Why two? <b>Já vím</b>  " });
    expect(first).toMatchObject({
      status: 201,
      body: { user: { id: ben.id }, text: "Why two? <b>Já vím</b>" },
    });
    await call("POST", "/reject", bens, { comment: "Three" });
    expect((await call("POST", "/comments", annas, { text: "We ship two." })).status).toBe(201);
    expect((await call("GET", "/comments", annas)).body.items).toMatchObject([
      { user: { name: ben.name }, text: "Why two? <b>Já vím</b>" },
      { user: { name: anna.name }, text: "We ship two." },
    ]);
  });

  test("send an email to everyone else whom they mention, once", async () => {
    const carl = await aUser("Viewer");
    const away = await aUser("Viewer");
    await sql`update users set enabled = false where id = ${away.id}`;
    const text = `@${anna.name.toUpperCase()} and @${carl.name}: agreed? @${anna.name} @${ben.name} @${away.name}`;
    await call("POST", "/comments", bens, { text });
    const rows = await sql`
      select d.user_id, d.channel, n.subject, n.content ->> 'summary' as summary, n.content -> 'link' ->> 'path' as path
      from deliveries d join notifications n on n.id = d.notification_id
      where n.cause_kind = 'Approval' and n.cause_id = ${approvalId} and n.dedupe_key <> 'waits' order by d.user_id`;
    expect(rows).toEqual(
      [anna.id, carl.id].map((user_id) => ({
        ...{ user_id, channel: "Email", subject: `${ben.name} mentioned you: Orders`, summary: text },
        path: `/approvals/${approvalId}`,
      })),
    );
    await call("POST", "/comments", bens, { text: "Nobody in particular" });
    const mentions = and(eq(notifications.causeId, approvalId), ne(notifications.dedupeKey, "waits"));
    expect(await db.select().from(notifications).where(mentions)).toHaveLength(1);
  });

  test("are refused when empty, too long, from a Viewer, or on an unknown request", async () => {
    for (const text of ["   ", "x".repeat(4001)])
      expect((await call("POST", "/comments", bens, { text })).status).toBe(400);
    const viewer = await cookieOf(await aUser("Viewer"));
    expect((await call("POST", "/comments", viewer, { text: "Hello" })).status).toBe(403);
    expect((await call("GET", "/comments", viewer)).status).toBe(200);
    approvalId = 2_000_000_000;
    expect((await call("GET", "/comments", bens)).status).toBe(404);
    expect((await call("POST", "/comments", bens, { text: "Hello" })).status).toBe(404);
  });
});

describe("the decision on a request", () => {
  test("is unread until its requester has read it", async () => {
    expect((await call("POST", "/acknowledge", annas)).status).toBe(409);
    const rejected = await call("POST", "/reject", bens, { comment: "Three" });
    expect(rejected.body).toMatchObject({ comment: "Three", isDecisionRead: false });
    expect((await call("POST", "/acknowledge", bens)).status).toBe(403);
    expect((await call("GET", "", annas)).body.isDecisionRead).toBe(false);
    const read = await call("POST", "/acknowledge", annas);
    expect(read).toMatchObject({ status: 200, body: { isDecisionRead: true, comment: "Three" } });
    expect((await call("POST", "/acknowledge", annas)).status).toBe(200);
  });

  test("is read already by a requester who withdrew it", async () => {
    await sql`update users set role = 'Admin' where id = ${anna.id}`;
    expect((await call("POST", "/reject", annas)).body).toMatchObject({ isDecisionRead: true });
  });
});

/** What is or will be emailed about the request, to whom. */
const told = () =>
  db
    .select({ subject: notifications.subject, userId: deliveries.userId })
    .from(notifications)
    .innerJoin(deliveries, eq(deliveries.notificationId, notifications.id))
    .where(and(eq(notifications.causeKind, "Approval"), eq(notifications.causeId, approvalId)))
    .orderBy(deliveries.userId);

describe("a request", () => {
  test("is emailed to the Admins who want that, but not to who made it, and no longer once it is decided", async () => {
    const waiting = await told();
    expect(new Set(waiting.map(({ subject }) => subject))).toEqual(
      new Set(["A change waits for your decision: Orders"]),
    );
    const people = waiting.map(({ userId }) => userId);
    expect(people).toEqual(expect.arrayContaining([admin.principal.userId, ben.id]));
    expect(people).not.toContain(anna.id);
    const [mail] = await db
      .select({ content: notifications.content })
      .from(notifications)
      .where(and(eq(notifications.causeKind, "Approval"), eq(notifications.causeId, approvalId)));
    expect(mail?.content).toMatchObject({
      summary: "Two is what we ship",
      facts: [
        { label: "By", value: anna.name },
        { label: "Request", value: "Change of the query" },
      ],
      link: { path: `/approvals/${approvalId}` },
    });
    // One has been sent by then: that stays in the ledger. Nobody else is told of what no longer waits.
    await db.update(deliveries).set({ attempts: 1 }).where(eq(deliveries.userId, ben.id));
    await call("POST", "/approve", await cookieOf({ id: admin.principal.userId }), {});
    expect(await told()).toEqual([
      { subject: "Your change was approved: Orders", userId: anna.id },
      { subject: "A change waits for your decision: Orders", userId: ben.id },
    ]);
  });

  test("is not emailed to Admins who never want that, nor about their own requests", async () => {
    const never = await aUser("Admin");
    const as = ({ id, name }: { id: number; name: string }): SignedIn => ({
      ...admin,
      principal: { ...admin.principal, userId: id, name },
    });
    await setPreferences(as(never), {
      ...defaultPreferences,
      topics: { ...defaultPreferences.topics, Approvals: "Never" },
    });
    const source = await aDataSource();
    const query = await aQuery({ name: "Prices", dataSource: source, sql: "select 1 as one" }, as(ben));
    await updateQuery(as(ben), {
      ...{ id: query.id, name: "Prices", steps: [{ dataSourceId: source.id, sql: "select 2 as one" }] },
    });
    const pending = (await listPending(admin, {})).items.find(({ queryId }) => queryId === query.id);
    approvalId = pending?.id ?? 0;
    const people = (await told()).map(({ userId }) => userId);
    expect(people).toContain(admin.principal.userId);
    expect(people).not.toContain(ben.id);
    expect(people).not.toContain(never.id);
    // Edited again: what waits now is another request.
    await updateQuery(as(ben), {
      ...{ id: query.id, name: "Prices", steps: [{ dataSourceId: source.id, sql: "select 3 as one" }] },
    });
    expect(await told()).toEqual([]);
  });
});

describe("a decision", () => {
  test("is emailed to whoever requested the change", async () => {
    expect((await call("POST", "/reject", bens, { comment: "Three" })).status).toBe(200);
    expect(await told()).toEqual([{ subject: "Your change was rejected: Orders", userId: anna.id }]);
  });
});
