import { gunzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import { jobEvents } from "../../jobs/tables.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { aContent, aNotification, aRecipient } from "../../test/factories/notifications.ts";
import { aUser } from "../../test/factories/sessions.ts";
import { deliveries, notifications, recipients } from "../tables.ts";
import { enqueueNotification } from "./enqueue.ts";

let projectId: number;
beforeAll(async () => {
  projectId = (await aProject()).id;
});

const deliveriesOf = (notificationId: number | null) =>
  db
    .select()
    .from(deliveries)
    .where(eq(deliveries.notificationId, notificationId ?? 0))
    .orderBy(deliveries.id);
const eventsOf = async (ids: number[]) => {
  const events = await db.select().from(jobEvents).where(eq(jobEvents.name, "notifications/delivery.due"));
  return events.filter(({ data }) => ids.includes(data.deliveryId as number));
};
const countOf = async () => Number((await db.execute(sql`select count(*) from notifications`))[0]?.count);

test("everyone is notified once: recipients by their channel, users at their own address", async () => {
  const mail = await aRecipient({ projectId, name: "Team" });
  const hook = await aRecipient({
    projectId,
    name: "Hook",
    type: "Webhook",
    destination: "https://a.example",
  });
  const user = await aUser("Viewer");
  const id = await aNotification({
    projectId,
    recipientIds: [mail.id, hook.id, mail.id],
    userIds: [user.id, user.id],
  });
  const rows = await deliveriesOf(id);
  expect(rows).toMatchObject([
    { recipientId: mail.id, userId: null, recipientName: "Team", channel: "Email" },
    { recipientId: hook.id, userId: null, recipientName: "Hook", channel: "Webhook" },
    { recipientId: null, userId: user.id, recipientName: user.name, channel: "Email" },
  ]);
  for (const row of rows)
    expect(row).toMatchObject({ projectId, status: "Queued", attempts: 0, lastError: null });
  expect(await eventsOf(rows.map((row) => row.id))).toHaveLength(3);
});

test("only enabled, unarchived recipients of this project and enabled users are notified", async () => {
  const disabled = await aRecipient({ projectId, enabled: false });
  const archived = await aRecipient({ projectId });
  await db.update(recipients).set({ archivedAt: new Date() }).where(eq(recipients.id, archived.id));
  const foreign = await aRecipient();
  const away = await aUser("Editor");
  await db.update(users).set({ enabled: false }).where(eq(users.id, away.id));
  const before = await countOf();
  const nobody = {
    recipientIds: [disabled.id, archived.id, foreign.id, 2_000_000_000],
    userIds: [away.id, 2_000_000_000],
  };
  expect(await aNotification({ projectId, ...nobody })).toBeNull();
  expect(await aNotification({ projectId })).toBeNull();
  expect(await countOf()).toBe(before);
});

describe("one cause", () => {
  test("notifies once, even with repeated and concurrent requests", async () => {
    const { id } = await aRecipient({ projectId });
    const cause = { kind: "Execution" as const, id: 77 };
    const ask = () => aNotification({ projectId, cause, recipientIds: [id] });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    expect(await ask()).toBeNull();
  });

  test("notifies again with another key, and other kinds have separate ids", async () => {
    const { id } = await aRecipient({ projectId });
    const cause = { kind: "Monitor" as const, id: 77 };
    const ask = (more: object = {}) => aNotification({ projectId, cause, recipientIds: [id], ...more });
    expect(await ask()).not.toBeNull();
    expect(await ask({ dedupeKey: "recovered" })).not.toBeNull();
    expect(await ask({ dedupeKey: "recovered" })).toBeNull();
    expect(await ask({ cause: { kind: "Actor", id: 77 } })).not.toBeNull();
  });
});

test("a transaction that fails notifies nobody", async () => {
  const { id } = await aRecipient({ projectId });
  const before = await countOf();
  const cause = { kind: "Execution" as const, id: 4711 };
  const failing = db.transaction(async (tx) => {
    await enqueueNotification(tx, { projectId, cause, content: aContent(), recipientIds: [id] });
    throw new Error("Something else went wrong");
  });
  await expect(failing).rejects.toThrow("Something else");
  expect(await countOf()).toBe(before);
  expect(await aNotification({ projectId, cause, recipientIds: [id] })).not.toBeNull();
});

describe("a file", () => {
  const csv = (more: object = {}) => ({
    fileName: "rows.csv",
    columns: ["id"],
    rows: [[1], ["=2"]],
    ...more,
  });
  const fileOf = async (given: object) => {
    const { id } = await aRecipient({ projectId });
    const notificationId = await aNotification({ projectId, recipientIds: [id], csv: csv(given) });
    const [row] = await db
      .select()
      .from(notifications)
      .where(eq(notifications.id, notificationId ?? 0));
    return row;
  };

  test("is stored compressed, with all of its rows", async () => {
    const row = await fileOf({});
    expect(row?.attachmentName).toBe("rows.csv");
    expect(gunzipSync(row?.attachment ?? "").toString()).toBe("id\r\n1\r\n'=2\r\n");
  });

  test.each([
    ["Späte Flüge / heute: 50%", "Späte Flüge - heute- 50.csv"],
    ["../../etc/passwd", "etc-passwd.csv"],
    ['x"\r\nBcc: a@b.c', "x-Bcc- a-b.c.csv"],
    ["...", "result.csv"],
  ])("of the name %j is called %s", async (fileName, expected) => {
    expect((await fileOf({ fileName }))?.attachmentName).toBe(expected);
  });

  test("is omitted if no mail server would accept it, and the message says so", async () => {
    // Random enough to be nearly incompressible: some 10 MB.
    const rows = Array.from({ length: 180_000 }, () => [
      Array.from({ length: 8 }, () => Math.random().toString(36).slice(2)).join(""),
    ]);
    const row = await fileOf({ rows });
    expect([row?.attachment?.length, row?.attachmentName]).toEqual([undefined, null]);
    expect(row?.content.note).toBe("The result is too large to be attached.");
  });
});
