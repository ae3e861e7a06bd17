import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { aContent, aNotification } from "../../test/factories/notifications.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { aMailServer } from "../../test/mail-server.ts";
import { rest } from "../../test/rest-client.ts";
import { wallTime } from "../../zoned-time.ts";
import { defaultPreferences, type NotificationPreferences } from "../personal.ts";
import { deliveries } from "../tables.ts";
import { attemptDelivery } from "./deliver.ts";
import { setPreferences } from "./preferences.ts";
import { queueDueDeliveries } from "./queue-due.ts";

let mailServer: Awaited<ReturnType<typeof aMailServer>>;
let projectId: number;

beforeAll(async () => {
  mailServer = await aMailServer();
  process.env.SMTP_URL = mailServer.url;
  process.env.MAIL_FROM = "alerts@example.com";
  projectId = (await aProject()).id;
});
beforeEach(() => {
  mailServer.mails.length = 0;
});
afterAll(() => mailServer.stop());

const prefer = (who: SignedIn, more: Partial<NotificationPreferences>) =>
  setPreferences(who, { ...defaultPreferences, ...more });

/** Notifies the user and returns the delivery, if any. */
async function notify({ principal: { userId } }: SignedIn, tone: "Info" | "Critical" = "Info") {
  await aNotification({ projectId, content: aContent({ tone }), userIds: [userId], topic: "Tasks" });
  const [delivery] = await db.select().from(deliveries).where(eq(deliveries.userId, userId));
  return delivery;
}

/** Quiet hours from an hour ago until in two hours, on the user's clock. */
function quietNow(zone: string) {
  const clock = (hours: number) => wallTime(new Date(Date.now() + hours * 3_600_000), zone).slice(11, 16);
  return { from: clock(-1), until: clock(2) };
}

describe("quiet hours", () => {
  test("hold a message back until they end, and then it is sent once", async () => {
    const me = await asEditor();
    const timeZone = "Asia/Kathmandu";
    await db.update(users).set({ timeZone }).where(eq(users.id, me.principal.userId));
    const quietHours = quietNow(timeZone);
    await prefer(me, { quietHours });
    const delivery = await notify(me);
    if (!delivery?.nextAttemptAt) throw new Error("It is not queued");
    const waitMs = delivery.nextAttemptAt.getTime() - Date.now();
    expect(wallTime(delivery.nextAttemptAt, timeZone).slice(11)).toBe(`${quietHours.until}:00`);
    expect(Math.round(waitMs / 3_600_000)).toBe(2);
    expect(await attemptDelivery(delivery.id)).toBe("Skipped");
    expect(mailServer.mails).toEqual([]);
    // They have ended.
    await db.update(deliveries).set({ nextAttemptAt: new Date() }).where(eq(deliveries.id, delivery.id));
    expect(await queueDueDeliveries()).toBeGreaterThan(0);
    expect([await attemptDelivery(delivery.id), await attemptDelivery(delivery.id)]).toEqual([
      "Sent",
      "Skipped",
    ]);
    expect(mailServer.mails).toHaveLength(1);
  });

  test("let through what is critical, if the user wants that", async () => {
    const [urgent, calm] = [await asEditor(), await asEditor()];
    await prefer(urgent, { quietHours: quietNow("UTC"), urgentInQuietHours: true });
    await prefer(calm, { quietHours: quietNow("UTC"), urgentInQuietHours: false });
    const isHeld = (delivery: Awaited<ReturnType<typeof notify>>) =>
      (delivery?.nextAttemptAt?.getTime() ?? 0) > Date.now() + 60_000;
    expect(isHeld(await notify(urgent, "Critical"))).toBe(false);
    expect(isHeld(await notify(calm, "Critical"))).toBe(true);
  });
});

test("times are in the user's zone, followed by the schedule's", async () => {
  const [here, nowhere] = [await asEditor(), await asEditor()];
  const timeZone = "Asia/Kathmandu";
  await db.update(users).set({ timeZone }).where(eq(users.id, here.principal.userId));
  await aNotification({
    projectId,
    content: aContent({
      summary: "Open since 2026-03-01 06:00 UTC.",
      moments: [{ words: "2026-03-01 06:00 UTC", at: "2026-03-01T06:00:00.000Z", zone: "Europe/Berlin" }],
    }),
    userIds: [here, nowhere].map(({ principal }) => principal.userId),
  });
  const textOf = async ({ principal: { userId } }: SignedIn) => {
    const [delivery] = await db.select().from(deliveries).where(eq(deliveries.userId, userId));
    expect(await attemptDelivery(delivery?.id ?? 0)).toBe("Sent");
    return mailServer.mails.at(-1)?.mail.text;
  };
  expect(await textOf(here)).toContain("Open since 2026-03-01 11:45 Kathmandu · 07:00 Berlin.");
  expect(await textOf(nowhere)).toContain("Open since 2026-03-01 06:00 UTC.");
});

test("users who never want a topic get nothing of it, and others it at once", async () => {
  const [never, other] = [await asEditor(), await asEditor()];
  await prefer(never, { topics: { ...defaultPreferences.topics, Tasks: "Never" } });
  expect(await notify(never)).toBeUndefined();
  const sent = await notify(other);
  expect(sent && (await attemptDelivery(sent.id))).toBe("Sent");
  expect(mailServer.mails.map(({ to }) => to.length)).toEqual([1]);
});

test("by REST: the defaults, what was set, and what is refused", async () => {
  const cookie = await aSession("Viewer");
  const path = "/auth/me/notifications";
  expect((await rest("GET", path, { cookie })).body).toEqual(defaultPreferences);
  const json = {
    topics: { Incidents: "Never", Tasks: "Now", Mentions: "Now", Decisions: "Never" },
    quietHours: { from: "22:00", until: "07:00" },
    urgentInQuietHours: false,
  };
  const stored = { ...json, topics: { ...json.topics, Approvals: "Mine" }, digest: null };
  expect((await rest("PUT", path, { cookie, json })).body).toEqual(stored);
  expect((await rest("GET", path, { cookie })).body).toEqual(stored);
  for (const [quietHours, at] of [
    [{ from: "24:00", until: "07:00" }, "quietHours.from"],
    [{ from: "07:00", until: "07:00" }, "quietHours.until"],
    [{ from: "07:00" }, "quietHours.until"],
  ] as const) {
    const { status, body } = await rest("PUT", path, { cookie, json: { ...json, quietHours } });
    expect([status, body.errors[0].path]).toEqual([400, at]);
  }
  expect((await rest("GET", path, { cookie })).body).toEqual(stored);
});
