import { eq, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { db } from "../../db/client.ts";
import { sendEvents } from "../../jobs/client.ts";
import { startEngine } from "../../jobs/engine/engine.ts";
import { jobEvents } from "../../jobs/tables.ts";
import { captureLog } from "../../test/captured-log.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { aNotification, aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aMember, aUser } from "../../test/factories/sessions.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import { aMailServer } from "../../test/mail-server.ts";
import { deliveryDue } from "../events.ts";
import { deliverNotification } from "../jobs.ts";
import { limits } from "../limits.ts";
import { deliveries, notifications, recipients } from "../tables.ts";
import { attemptDelivery } from "./deliver.ts";
import { dropAttachments } from "./drop-attachments.ts";
import { deliveryFailuresOf, listDeliveries, retryDelivery } from "./ledger.ts";
import { queueDueDeliveries } from "./queue-due.ts";
import { updateRecipient } from "./recipients.ts";

let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;
let mailServer: Awaited<ReturnType<typeof aMailServer>>;
let projectId: number;
const lines = captureLog();

beforeAll(async () => {
  [receiver, mailServer] = await Promise.all([anHttpReceiver(), aMailServer()]);
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  process.env.SMTP_URL = mailServer.url;
  process.env.MAIL_FROM = "alerts@example.com";
  projectId = (await aProject()).id;
});
beforeEach(() => {
  receiver.requests.length = 0;
  mailServer.mails.length = 0;
  receiver.answer = (response) => response.end("ok");
});
afterAll(() => Promise.all([receiver.stop(), mailServer.stop()]));

async function anEngine() {
  const engine = await startEngine([deliverNotification], { pollMs: 100 });
  onTestFinished(() => engine.stop());
  return engine;
}

const aHook = (name = "Hook") =>
  aRecipient({ projectId, name, type: "Webhook", destination: `${receiver.url}/${name}-secret` });

/** Deliveries to these recipients of one notification, in order. */
async function queued(...recipientIds: number[]) {
  const notificationId = await aNotification({ projectId, recipientIds });
  return db
    .select()
    .from(deliveries)
    .where(eq(deliveries.notificationId, notificationId ?? 0))
    .orderBy(deliveries.recipientId);
}
async function one(recipientId: number) {
  const [delivery] = await queued(recipientId);
  if (!delivery) throw new Error("Nothing was queued");
  return delivery;
}
async function rowOf({ id }: { id: number }) {
  const [row] = await db.select().from(deliveries).where(eq(deliveries.id, id));
  if (!row) throw new Error("The delivery is gone");
  return row;
}
/** As if they were due. */
const makeDue = ({ id }: { id: number }) =>
  db.update(deliveries).set({ nextAttemptAt: sql`now()` }).where(eq(deliveries.id, id));
/** The state after its worker died: the lease has expired, and nothing was written. */
const abandon = ({ id }: { id: number }) =>
  db.update(deliveries).set({ leaseUntil: sql`now() - interval '1 second'` }).where(eq(deliveries.id, id));

/** As if the next minute had come: the tick sends at most one event per delivery and minute. */
const forgetEvents = () => db.update(jobEvents).set({ key: sql`${jobEvents.key} || gen_random_uuid()` });

test("a notification is sent by every channel in its own format, and recorded in the ledger", async () => {
  const engine = await anEngine();
  const admin = await asAdmin();
  const user = await aUser("Editor");
  const hook = await aHook();
  const made = await Promise.all([
    aRecipient({ projectId, name: "Mail", destination: "team@example.com" }),
    aRecipient({ projectId, name: "Slack", type: "Slack", destination: `${receiver.url}/slack` }),
    aRecipient({ projectId, name: "Teams", type: "Teams", destination: `${receiver.url}/teams` }),
  ]);
  const recipientIds = [hook.id, ...made.map(({ id }) => id)];
  const csv = { fileName: "rows.csv", columns: ["id"], rows: [[1]] };
  const notificationId = await aNotification({ projectId, recipientIds, userIds: [user.id], csv });
  await engine.idle();

  const byPath = Object.fromEntries(receiver.requests.map((request) => [request.path, request]));
  const signed = byPath["/Hook-secret"];
  const verified = new Webhook(hook.signingSecret ?? "").verify(
    signed?.text ?? "",
    signed?.headers as Record<string, string>,
  );
  expect(verified).toMatchObject({
    type: "notification.evaluation",
    data: { title: "[Data Quality] Orders" },
  });
  expect(byPath["/slack"]?.json.blocks[0].text.text).toContain("[Data Quality] Orders");
  expect(byPath["/teams"]?.json.attachments[0].content.type).toBe("AdaptiveCard");
  expect(mailServer.mails.map(({ to }) => to).sort()).toEqual([[user.email], ["team@example.com"]].sort());
  for (const { mail } of mailServer.mails) expect(mail.attachments).toHaveLength(1);

  const { items } = await listDeliveries(admin, { page: 0, pageSize: 100, projectId });
  expect(items.filter((item) => item.notificationId === notificationId)).toHaveLength(5);
  for (const item of items)
    expect(item).toMatchObject({ status: "Sent", attempts: 1, lastError: null, nextAttemptAt: null });
});

test("a channel that was down is retried until it is back, and loses nothing", async () => {
  const engine = await anEngine();
  const hook = await aHook("Down");
  receiver.answer = (response) => response.writeHead(503).end();
  const first = await one(hook.id);
  await engine.idle();
  const waiting = await rowOf(first);
  expect(waiting).toMatchObject({
    status: "Queued",
    attempts: 1,
    lastError: "The receiver returned HTTP 503",
    leaseToken: null,
  });
  const waitMs = (waiting.nextAttemptAt?.getTime() ?? 0) - Date.now();
  expect(waitMs).toBeGreaterThan(50_000);
  expect(waitMs).toBeLessThan(70_000);

  // Until then it is not attempted, whoever asks.
  expect(await attemptDelivery(first.id)).toBe("Skipped");
  await queueDueDeliveries();
  await engine.idle();
  expect(await rowOf(first)).toMatchObject({ attempts: 1 });

  // Two more are queued meanwhile, and it is still down.
  const others = [await one(hook.id), await one(hook.id)];
  await engine.idle();
  await makeDue(first);
  await queueDueDeliveries();
  await engine.idle();
  expect(await rowOf(first)).toMatchObject({ status: "Queued", attempts: 2 });

  // It is back: the first success triggers the others, in order.
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end("ok");
  for (const delivery of [first, ...others]) await makeDue(delivery);
  await forgetEvents();
  await queueDueDeliveries();
  await engine.idle();
  for (const delivery of [first, ...others])
    expect(await rowOf(delivery)).toMatchObject({ status: "Sent", lastError: null, nextAttemptAt: null });
  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids.map((id) => Number(String(id).split("_")[1]))).toEqual([first, ...others].map(({ id }) => id));
});

test("every attempt at a delivery has the same id, so that a receiver can deduplicate", async () => {
  const hook = await aHook();
  const delivery = await one(hook.id);
  receiver.answer = (response) => response.writeHead(500).end();
  expect(await attemptDelivery(delivery.id)).toBe("Later");
  await makeDue(delivery);
  expect(await attemptDelivery(delivery.id)).toBe("Later");
  const [first, second] = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(first).toMatch(new RegExp(`^dlv_${delivery.id}_`));
  expect(second).toBe(first);
});

test("a receiver that rejects permanently is given up immediately, with the reason; its next message is still tried", async () => {
  const engine = await anEngine();
  const hook = await aHook();
  receiver.answer = (response) => response.writeHead(410).end();
  const gone = [await one(hook.id), await one(hook.id)];
  await engine.idle();
  for (const delivery of gone)
    expect(await rowOf(delivery)).toMatchObject({
      status: "Failed",
      attempts: 1,
      nextAttemptAt: null,
      failedAt: expect.any(Date),
      lastError: "The receiver returned HTTP 410: the address no longer exists",
    });
});

test("a receiver that never works is given up after eight tries, and reported once", async () => {
  const hook = await aHook();
  receiver.answer = (response) => response.writeHead(500).end();
  const delivery = await one(hook.id);
  for (let tries = 1; tries < 8; tries += 1) {
    expect(await attemptDelivery(delivery.id), `try ${tries}`).toBe("Later");
    await makeDue(delivery);
  }
  const told = () =>
    db
      .select()
      .from(jobEvents)
      .where(eq(jobEvents.key, `delivery-failed/${delivery.id}/8`));
  expect(await told()).toEqual([]);
  expect(await attemptDelivery(delivery.id)).toBe("Failed");
  expect(await attemptDelivery(delivery.id)).toBe("Skipped");
  expect(await rowOf(delivery)).toMatchObject({ status: "Failed", attempts: 8 });
  const [{ causeId = 0 } = {}] = await db
    .select()
    .from(notifications)
    .where(eq(notifications.id, delivery.notificationId));
  expect(await told()).toMatchObject([
    { data: { deliveryId: delivery.id, causeKind: "Evaluation", causeId } },
  ]);
  expect(await deliveryFailuresOf(db, { kind: "Evaluation", ids: [causeId] })).toMatchObject([
    { deliveryId: delivery.id, recipientId: hook.id, reason: "The receiver returned HTTP 500" },
  ]);
  expect(await deliveryFailuresOf(db, { kind: "Execution", ids: [causeId] })).toEqual([]);
});

test("a failure notice that fails is not reported, to avoid a loop", async () => {
  const hook = await aHook();
  receiver.answer = (response) => response.writeHead(404).end();
  await aNotification({ projectId, recipientIds: [hook.id], cause: { kind: "Monitor", id: 1 } });
  const [delivery] = await db.select().from(deliveries).where(eq(deliveries.recipientId, hook.id));
  expect(await attemptDelivery(delivery?.id ?? 0)).toBe("Failed");
  expect(
    await db
      .select()
      .from(jobEvents)
      .where(eq(jobEvents.key, `delivery-failed/${delivery?.id}/1`)),
  ).toEqual([]);
});

test("a receiver's Retry-After delays the next attempt", async () => {
  const hook = await aHook();
  receiver.answer = (response) => response.writeHead(429, { "retry-after": "1800" }).end();
  const delivery = await one(hook.id);
  await attemptDelivery(delivery.id);
  const { nextAttemptAt } = await rowOf(delivery);
  expect(((nextAttemptAt?.getTime() ?? 0) - Date.now()) / 60_000).toBeCloseTo(30, 0);
});

describe("two workers", () => {
  test("racing for a delivery send it once", async () => {
    const hook = await aHook();
    const delivery = await one(hook.id);
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => attemptDelivery(delivery.id)));
    expect(results.sort()).toEqual(["Sent", ...Array(4).fill("Skipped")]);
    expect(receiver.requests).toHaveLength(1);
  });

  test("send one receiver one message at a time, and others in parallel", async () => {
    const [slow, quick] = [await aHook("Slow"), await aHook("Quick")];
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    receiver.answer = (response, { path }) => {
      if (path !== "/Slow-secret") return response.end();
      arrived.resolve();
      void release.promise.then(() => response.end());
    };
    const engine = await anEngine();
    const [first, second] = [await one(slow.id), await one(slow.id)];
    await arrived.promise;
    const beside = await one(quick.id);
    await expect.poll(() => rowOf(beside), { timeout: 10_000 }).toMatchObject({ status: "Sent" });
    expect(receiver.requests.filter(({ path }) => path === "/Slow-secret")).toHaveLength(1);
    release.resolve();
    await engine.idle();
    for (const delivery of [first, second]) expect(await rowOf(delivery)).toMatchObject({ status: "Sent" });
  });
});

test("a burst for one receiver is sent immediately and in sequence, without waiting for ticks", async () => {
  const engine = await anEngine();
  const hook = await aHook("Burst");
  let underWay = 0;
  let maxInProgress = 0;
  receiver.answer = (response) => {
    underWay += 1;
    maxInProgress = Math.max(maxInProgress, underWay);
    setImmediate(() => {
      underWay -= 1;
      response.end();
    });
  };
  const burst = await Promise.all(Array.from({ length: 25 }, () => one(hook.id)));
  await engine.idle();
  for (const delivery of burst) expect(await rowOf(delivery)).toMatchObject({ status: "Sent", attempts: 1 });
  expect([receiver.requests.length, maxInProgress]).toEqual([25, 1]);
});

describe("a job", () => {
  const sentIds = () =>
    receiver.requests.map(({ headers }) => Number(String(headers["webhook-id"]).split("_")[1]));
  const eventsAfter = ({ id }: { id: number }) =>
    db
      .select({ data: jobEvents.data })
      .from(jobEvents)
      .where(sql`${jobEvents.key} like ${`deliver/%/after/${id}/%`}`);

  test("goes on with the receiver's next messages, oldest first, and with nobody else's", async () => {
    const [hook, other] = [await aHook("Own"), await aHook("Other")];
    const [first, second, beside, third] = [
      await one(hook.id),
      await one(hook.id),
      await one(other.id),
      await one(hook.id),
    ];
    expect(await attemptDelivery(first.id, limits.turnMs)).toBe("Sent");
    expect(sentIds()).toEqual([first.id, second.id, third.id]);
    expect(await rowOf(third)).toMatchObject({ status: "Sent", attempts: 1, tries: 1, leaseToken: null });
    expect(await rowOf(beside)).toMatchObject({ status: "Queued", attempts: 0 });
    expect(await eventsAfter(first)).toEqual([]);
    expect(await attemptDelivery(second.id, limits.turnMs)).toBe("Skipped");
  });

  test("goes on after a message that is given up, and not after one that must be tried again", async () => {
    const hook = await aHook();
    const [first, second, third] = [await one(hook.id), await one(hook.id), await one(hook.id)];
    receiver.answer = (response) => response.writeHead(receiver.requests.length === 1 ? 410 : 503).end();
    expect(await attemptDelivery(first.id, limits.turnMs)).toBe("Failed");
    expect(sentIds()).toEqual([first.id, second.id]);
    expect(await rowOf(second)).toMatchObject({ status: "Queued", attempts: 1, leaseToken: null });
    expect(await rowOf(third)).toMatchObject({ status: "Queued", attempts: 0 });
  });

  test("leaves the rest to another one once its time is over", async () => {
    const hook = await aHook();
    const [first, second] = [await one(hook.id), await one(hook.id)];
    expect(await attemptDelivery(first.id, 0)).toBe("Sent");
    expect(sentIds()).toEqual([first.id]);
    expect(await rowOf(second)).toMatchObject({ status: "Queued", leaseToken: null });
    expect(await eventsAfter(first)).toEqual([{ data: { deliveryId: second.id } }]);
  });
});

describe("a process that dies", () => {
  test("during an attempt is replaced once its lease has expired", async () => {
    const engine = await anEngine();
    const hook = await aHook();
    const delivery = await one(hook.id);
    await engine.idle();
    // Reset to the state during the first worker's attempt.
    await db
      .update(deliveries)
      .set({
        status: "Queued",
        sentAt: null,
        nextAttemptAt: sql`now()`,
        leaseToken: crypto.randomUUID(),
        leaseUntil: sql`now() + interval '1 minute'`,
      })
      .where(eq(deliveries.id, delivery.id));
    await queueDueDeliveries();
    expect(await attemptDelivery(delivery.id)).toBe("Skipped");
    await abandon(delivery);
    await queueDueDeliveries();
    await engine.idle();
    expect(await rowOf(delivery)).toMatchObject({ status: "Sent", attempts: 2, leaseToken: null });
  });

  test("or is only slow cannot overwrite the result of the worker that took over", async () => {
    const hook = await aHook();
    const delivery = await one(hook.id);
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    receiver.answer = (response) => {
      arrived.resolve();
      void release.promise.then(() => response.writeHead(500).end());
    };
    const slow = attemptDelivery(delivery.id);
    await arrived.promise;
    await abandon(delivery);
    receiver.answer = (response) => response.end();
    expect(await attemptDelivery(delivery.id)).toBe("Sent");
    release.resolve();
    expect(await slow).toBe("Skipped");
    expect(await rowOf(delivery)).toMatchObject({ status: "Sent", lastError: null, attempts: 2 });
  });

  test("after writing its result sends nothing twice, whatever event follows", async () => {
    const engine = await anEngine();
    const hook = await aHook("Written");
    const delivery = await one(hook.id);
    await engine.idle();
    await forgetEvents();
    await queueDueDeliveries();
    await sendEvents(db, deliveryDue.create({ deliveryId: delivery.id }));
    expect(await attemptDelivery(delivery.id)).toBe("Skipped");
    await engine.idle();
    expect(receiver.requests.filter(({ path }) => path === "/Written-secret")).toHaveLength(1);
  });

  test("repeatedly during one delivery ends the delivery", async () => {
    const hook = await aHook();
    const delivery = await one(hook.id);
    await db.update(deliveries).set({ tries: 8, attempts: 8 }).where(eq(deliveries.id, delivery.id));
    expect(await attemptDelivery(delivery.id)).toBe("Failed");
    expect(await rowOf(delivery)).toMatchObject({ lastError: "It was interrupted 8 times" });
    expect(receiver.requests).toEqual([]);
  });
});

describe("recipients that should no longer be notified are skipped:", () => {
  test("a disabled or archived recipient", async () => {
    const hook = await aHook();
    const [off, gone] = [await one(hook.id), await one(hook.id)];
    const editor = await asAdmin();
    const { name, type, destination } = hook;
    await updateRecipient(editor, { id: hook.id, name, type, destination, enabled: false });
    expect(await attemptDelivery(off.id)).toBe("Failed");
    expect(await rowOf(off)).toMatchObject({ lastError: "The recipient is disabled" });
    await db.update(recipients).set({ archivedAt: new Date() }).where(eq(recipients.id, hook.id));
    expect(await attemptDelivery(gone.id)).toBe("Failed");
    expect(await rowOf(gone)).toMatchObject({ lastError: "The recipient was deleted" });
    expect(receiver.requests).toEqual([]);
  });

  test.each([
    ["a user who was disabled", (id: number) => sql`update users set enabled = false where id = ${id}`],
    ["a member who left the project", (id: number) => sql`delete from project_members where user_id = ${id}`],
  ])("%s", async (_, happens) => {
    const user = await aMember({ projectId, role: "Viewer" });
    const id = await aNotification({ projectId, userIds: [user.id] });
    await db.execute(happens(user.id));
    const [delivery] = await db
      .select()
      .from(deliveries)
      .where(eq(deliveries.notificationId, id ?? 0));
    expect(await attemptDelivery(delivery?.id ?? 0)).toBe("Failed");
    expect(mailServer.mails).toEqual([]);
  });
});

test("a receiver that never responds takes one attempt's time, and is retried later", async () => {
  const hook = await aHook();
  receiver.answer = () => {};
  const delivery = await one(hook.id);
  const { attemptMs } = limits;
  limits.attemptMs = 300;
  onTestFinished(() => {
    limits.attemptMs = attemptMs;
  });
  expect(await attemptDelivery(delivery.id)).toBe("Later");
  expect(await rowOf(delivery)).toMatchObject({ lastError: "The receiver did not respond in time" });
});

test("an address that is not public is rejected permanently", async () => {
  const inside = await aRecipient({
    projectId,
    type: "Slack",
    destination: `http://127.0.0.2:${receiver.port}/secret`,
  });
  const delivery = await one(inside.id);
  expect(await attemptDelivery(delivery.id)).toBe("Failed");
  expect((await rowOf(delivery)).lastError).toMatch(/not public.*OUTBOUND_ALLOW/);
});

describe("retrying by hand", () => {
  test("sends a failed delivery with a full set of attempts, and keeps the total", async () => {
    const engine = await anEngine();
    const editor = await asAdmin();
    const hook = await aHook();
    receiver.answer = (response) => response.writeHead(403).end();
    const delivery = await one(hook.id);
    await engine.idle();
    receiver.answer = (response) => response.writeHead(503).end();
    expect(await retryDelivery(editor, delivery.id)).toMatchObject({ id: delivery.id, status: "Queued" });
    await engine.idle();
    expect(await rowOf(delivery)).toMatchObject({ status: "Queued", attempts: 2, tries: 1 });
    await expect(retryDelivery(editor, delivery.id)).rejects.toMatchObject({ code: "conflict" });
    receiver.answer = (response) => response.end();
    await makeDue(delivery);
    expect(await attemptDelivery(delivery.id)).toBe("Sent");
  });

  test("sends what a webhook has received once more, under the same id and with the same body", async () => {
    const editor = await asAdmin();
    const hook = await aHook();
    const delivery = await one(hook.id);
    receiver.answer = (response) => response.end();
    expect(await attemptDelivery(delivery.id)).toBe("Sent");
    const former = receiver.requests.at(-1);
    expect(await retryDelivery(editor, delivery.id)).toMatchObject({ status: "Queued", sentAt: null });
    expect(await attemptDelivery(delivery.id)).toBe("Sent");
    const latest = receiver.requests.at(-1);
    expect(latest).not.toBe(former);
    expect([latest?.headers["webhook-id"], latest?.json]).toEqual([
      former?.headers["webhook-id"],
      former?.json,
    ]);
    expect(await rowOf(delivery)).toMatchObject({ status: "Sent", attempts: 2 });
  });

  test("sends nobody else what they have received", async () => {
    const slack = await aRecipient({ projectId, type: "Slack", destination: receiver.url });
    receiver.answer = (response) => response.end("ok");
    const delivery = await one(slack.id);
    expect(await attemptDelivery(delivery.id)).toBe("Sent");
    await expect(retryDelivery(await asAdmin(), delivery.id)).rejects.toMatchObject({
      code: "conflict",
      detail: "Only a failed delivery can be sent again, or one that a webhook has received",
    });
  });

  test("twice at once is a conflict for one of them", async () => {
    const editor = await asAdmin();
    const hook = await aHook();
    receiver.answer = (response) => response.writeHead(404).end();
    const delivery = await one(hook.id);
    await attemptDelivery(delivery.id);
    const answers = await Promise.allSettled([1, 2].map(() => retryDelivery(editor, delivery.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("is not found for callers who cannot see the project", async () => {
    const hook = await aHook();
    const delivery = await one(hook.id);
    const stranger = await asAdmin({ projectIds: [(await aProject()).id] });
    await expect(retryDelivery(stranger, delivery.id)).rejects.toMatchObject({ code: "not_found" });
    expect((await listDeliveries(stranger, { page: 0, pageSize: 10 })).items).toEqual([]);
  });
});

test("attachments are deleted a week later, unless a delivery is still pending", async () => {
  const [done, waiting] = [await aHook(), await aHook()];
  const csv = { fileName: "rows.csv", columns: ["id"], rows: [[1]] };
  const ids: number[] = [];
  for (const { id } of [done, waiting, done])
    ids.push((await aNotification({ projectId, recipientIds: [id], csv })) ?? 0);
  for (const id of [ids[0], ids[2]]) {
    const [row] = await db
      .select()
      .from(deliveries)
      .where(eq(deliveries.notificationId, id ?? 0));
    expect(await attemptDelivery(row?.id ?? 0)).toBe("Sent");
  }
  await db
    .update(notifications)
    .set({ createdAt: sql`now() - interval '8 days'` })
    .where(sql`id in (${ids[0]}, ${ids[1]})`);
  expect(await dropAttachments()).toBe(1);
  const kept = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(sql`attachment is not null and id in (${sql.join(ids, sql`, `)})`)
    .orderBy(notifications.id);
  expect(kept.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
});

test("recipients' addresses are not in the log, in reasons, or in events", async () => {
  const stored = await db.execute<{ text: string }>(sql`
    select string_agg(t, e'\n') as text from (
      select d::text as t from deliveries d union all select n::text from notifications n
      union all select e::text from job_events e) all_of_it`);
  expect(lines.length).toBeGreaterThan(3);
  for (const text of [stored[0]?.text ?? "", ...lines]) expect(text).not.toContain("-secret");
});
