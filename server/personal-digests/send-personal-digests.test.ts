import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { users } from "../auth/tables.ts";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { db } from "../db/client.ts";
import { incidents } from "../incidents/tables.ts";
import { defaultPreferences, type PersonalDigest } from "../notifications/personal.ts";
import { attemptDelivery } from "../notifications/service/deliver.ts";
import { setPreferences } from "../notifications/service/preferences.ts";
import { deliveries, notificationPreferences } from "../notifications/tables.ts";
import { findDoor } from "../process/doors.ts";
import { tasks } from "../tasks/tables.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { cookieOf } from "../test/factories/sessions.ts";
import { anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { aMailServer } from "../test/mail-server.ts";
import { rest } from "../test/rest-client.ts";
import { sendPersonalDigests } from "./service/send-personal-digests.ts";

/** From a person's choice to the mail in their mailbox, and back by one click. */

let mailServer: Awaited<ReturnType<typeof aMailServer>>;
let ada: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  mailServer = await aMailServer();
  process.env.SMTP_URL = mailServer.url;
  process.env.MAIL_FROM = "alerts@example.com";
  process.env.PUBLIC_URL = "https://plumbline.example.com";
});
// What one test leaves behind would be news to the next.
beforeEach(async () => {
  mailServer.mails.length = 0;
  await db.execute(sql`truncate projects, users restart identity cascade`);
  ada = await asEditor();
  await db.update(users).set({ timeZone: "Europe/Berlin" }).where(eq(users.id, ada.principal.userId));
  source = await aDataSource();
});
afterAll(() => mailServer.stop());

const day = 24 * 3600 * 1000;
const digest: PersonalDigest = { at: "00:00", days: "EveryDay", evenIfNothingIsNew: false };
const choose = (more: Partial<PersonalDigest> = {}, who = ada) =>
  setPreferences(who, { ...defaultPreferences, digest: { ...digest, ...more } });

/** The next time at which clocks in Berlin show half past midnight; later than whatever a test made before. */
function berlinMidnight(): Date {
  const hourInBerlin = new Intl.DateTimeFormat("en", {
    ...{ timeZone: "Europe/Berlin", hour: "numeric", hourCycle: "h23" },
  });
  const next = new Date();
  next.setUTCMinutes(30, 0, 0);
  do next.setUTCHours(next.getUTCHours() + 1);
  while (Number(hourInBerlin.format(next)) !== 0);
  return next;
}

async function received() {
  const due = await db.select().from(deliveries).orderBy(deliveries.id);
  for (const { id, status } of due) if (status === "Queued") expect(await attemptDelivery(id)).toBe("Sent");
  return mailServer.mails.map(({ to, mail }) => ({ to, ...mail }));
}

async function aTaskOf(assigneeId: number | null) {
  const watch = await aSubscription({ query: await aQuery({ name: "Late parcels", dataSource: source }) });
  await anExecution({
    subscriptionId: watch.id,
    status: "NotificationSent",
    rowCount: 5,
    executedAt: new Date(),
  });
  await db.insert(tasks).values({
    ...{ subscriptionId: watch.id, queryId: watch.queryId, projectId: source.projectId },
    ...{ latestRowCount: 5, assigneeId },
  });
}

test("it tells what waits for the person, what is new, solved, and which scores moved; once a day", async () => {
  await choose();
  await aTaskOf(ada.principal.userId);
  await db.insert(incidents).values({
    ...{ projectId: source.projectId, title: "Stock is late", severity: "High", state: "Resolved" },
    ...{ openedAt: new Date(Date.now() - day), resolvedAt: new Date() },
  });
  const { id: contractId } = await aContract({ name: "Flights", dataSourceId: source.id });
  await db.update(contracts).set({ failureThreshold: 50 }).where(eq(contracts.id, contractId));
  const scored = (overallScore: number, ageMs: number) => ({
    ...{
      contractId,
      dataSourceId: source.id,
      schemaName: "public",
      tableName: "flights",
      trigger: "Scheduled" as const,
    },
    ...{ status: "Completed" as const, overallScore, evaluatedAt: new Date(Date.now() - ageMs) },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: new Date() },
  });
  await db.insert(evaluations).values([scored(92.5, 3 * day), scored(64.29, 60_000)]);

  const at = berlinMidnight();
  expect([await sendPersonalDigests(at), await sendPersonalDigests(at)]).toEqual([1, 0]);
  const [mail, ...more] = await received();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("Daily digest: 1 waits for you, 1 solved, 1 score moved");
  for (const part of [mail?.text, mail?.html])
    for (const said of ["Late parcels", "Stock is late", "64.29 ▼ was 92.5", "Berlin"])
      expect(part).toContain(said);
  expect(mail?.text).toContain(`https://plumbline.example.com/data-quality/contracts/${contractId}`);
  expect(mail?.html).toContain(`href="https://plumbline.example.com/data-quality/contracts/${contractId}"`);
});

test("without news it is sent only to who wants that, and not to the disabled", async () => {
  const [keen, gone] = [await asEditor(), await asEditor()];
  await choose();
  await choose({ evenIfNothingIsNew: true }, keen);
  await choose({ evenIfNothingIsNew: true }, gone);
  await db.update(users).set({ enabled: false }).where(eq(users.id, gone.principal.userId));
  await db.update(users).set({ timeZone: "Europe/Berlin" });
  expect(await sendPersonalDigests(berlinMidnight())).toBe(1);
  const [mail] = await received();
  expect(mail?.subject).toBe("Daily digest: nothing new");
  const [row] = await db.select().from(deliveries);
  expect([row?.userId, row?.projectId]).toEqual([keen.principal.userId, null]);
});

test("what was new yesterday is not new today", async () => {
  await choose();
  await aTaskOf(null);
  const first = berlinMidnight();
  expect(await sendPersonalDigests(first)).toBe(1);
  expect(await sendPersonalDigests(new Date(first.getTime() + day))).toBe(0);
});

test("of two processes, one sends it", async () => {
  await choose({ evenIfNothingIsNew: true });
  const at = berlinMidnight();
  const sent = await Promise.all([sendPersonalDigests(at), sendPersonalDigests(at)]);
  expect(sent.sort()).toEqual([0, 1]);
});

describe("unsubscribing", () => {
  /** The two addresses in a digest that was sent. */
  async function links() {
    await choose({ evenIfNothingIsNew: true });
    await sendPersonalDigests(berlinMidnight());
    const [mail] = await received();
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    const oneClick = /^<(https:\/\/plumbline\.example\.com\/svc\/unsubscribe\?token=\S+)>$/.exec(
      header("list-unsubscribe") ?? "",
    )?.[1];
    return { oneClick: oneClick ?? "", post: header("list-unsubscribe-post"), text: mail?.text ?? "" };
  }
  const request = (method: string, url: string, body?: string) => {
    const { pathname } = new URL(url);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return findDoor(pathname)?.answer(new Request(url, { method, headers, ...(body && { body }) }));
  };
  const isOn = async () => {
    const [row] = await db
      .select({ digest: notificationPreferences.digest })
      .from(notificationPreferences)
      .where(eq(notificationPreferences.userId, ada.principal.userId));
    return row?.digest !== null;
  };

  test("by one click of a mail program (RFC 8058), which changes nothing else", async () => {
    const { oneClick, post } = await links();
    expect(post).toBe("List-Unsubscribe=One-Click");
    expect((await request("POST", oneClick, "List-Unsubscribe=One-Click"))?.status).toBe(200);
    expect(await isOn()).toBe(false);
    const { body } = await rest("GET", "/auth/me/notifications", {
      cookie: await cookieOf({ id: ada.principal.userId }),
    });
    expect(body).toEqual(defaultPreferences);
    // Again: the same.
    expect((await request("POST", oneClick, "List-Unsubscribe=One-Click"))?.status).toBe(200);
    expect(await sendPersonalDigests(new Date(berlinMidnight().getTime() + day))).toBe(0);
  });

  test("opening the address leads to a page that asks, and changes nothing", async () => {
    const { oneClick, text } = await links();
    const answer = await request("GET", oneClick);
    const page = oneClick.replace("/svc/", "/");
    expect([answer?.status, answer?.headers.get("location")]).toEqual([
      303,
      new URL(page).pathname + new URL(page).search,
    ]);
    expect(text).toContain(`Unsubscribe: ${page}`);
    expect((await request("POST", oneClick, "something=else"))?.status).toBe(400);
    expect((await request("PUT", oneClick, "List-Unsubscribe=One-Click"))?.status).toBe(405);
    expect(await isOn()).toBe(true);
  });

  test("a token for someone else, or a changed one, is refused", async () => {
    const { oneClick } = await links();
    const token = new URL(oneClick).searchParams.get("token") ?? "";
    const [id = "", signature = ""] = token.split(".");
    const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
    for (const wrong of [
      "",
      id,
      `${Number(id) + 1}.${signature}`,
      `${id}.${flipped}`,
      `0${id}.${signature}`,
    ]) {
      const url = oneClick.replace(token, wrong);
      expect((await request("POST", url, "List-Unsubscribe=One-Click"))?.status).toBe(404);
    }
    expect(await isOn()).toBe(true);
  });
});

test("a digest is seen by its reader and by Admins, and by nobody else", async () => {
  await choose({ evenIfNothingIsNew: true });
  await sendPersonalDigests(berlinMidnight());
  const [delivery] = await db.select().from(deliveries);
  const seen = async ({ principal }: SignedIn) => {
    const cookie = await cookieOf({ id: principal.userId });
    const listed = await rest("GET", "/notifications", { cookie });
    const { status } = await rest("GET", `/notifications/${delivery?.id}`, { cookie });
    return [listed.body.totalCount, status];
  };
  expect(await seen(ada)).toEqual([1, 200]);
  expect(await seen(await asAdmin())).toEqual([1, 200]);
  expect(await seen(await asEditor())).toEqual([0, 404]);
});
