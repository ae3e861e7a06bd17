import { eq, sql as query } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { occurrences } from "../../jobs/tables.ts";
import { createRecipient } from "../../notifications/service/recipients.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { subscriptionIncidents, subscriptions } from "../tables.ts";
import { executeNow } from "./execute.ts";
import { watchFailedDelivery, watchSubscriptions } from "./incidents.ts";
import { getSubscription } from "./subscriptions.ts";

let owner: SignedIn;
let admin: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  admin = await asAdmin();
  owner = await asEditor();
  source = await aDataSource();
  await sql.unsafe("create table orders (id int)");
});
beforeEach(() => sql.unsafe("alter table if exists elsewhere rename to orders"));
afterAll(closeSources);

const breakIt = () => sql.unsafe("alter table orders rename to elsewhere");
const repairTable = () => sql.unsafe("alter table elsewhere rename to orders");

async function aWatch() {
  const of = await aQuery({ name: "Orders", dataSource: source, sql: "select id from orders" }, owner);
  return aSubscription({ query: of }, owner);
}

/** Who was notified of what about the subscription itself, in order. */
async function told(subscriptionId: number) {
  const rows = await db
    .select({ subject: notifications.subject, userId: deliveries.userId, channel: deliveries.channel })
    .from(notifications)
    .innerJoin(deliveries, eq(deliveries.notificationId, notifications.id))
    .innerJoin(subscriptionIncidents, eq(subscriptionIncidents.id, notifications.causeId))
    .where(
      query`${notifications.causeKind} = 'Monitor' and ${subscriptionIncidents.subscriptionId} = ${subscriptionId}`,
    )
    .orderBy(deliveries.id);
  return rows.map(({ subject, userId }) => [subject, userId]);
}

const everyone = (subject: string) => [admin, owner].map(({ principal }) => [subject, principal.userId]);

describe("a subscription that fails", () => {
  test("three times in a row notifies its owner and the Admins once, and again when it recovers", async () => {
    const watch = await aWatch();
    await breakIt();
    await executeNow(admin, watch.id);
    await executeNow(admin, watch.id);
    expect(await told(watch.id)).toEqual([]);
    await executeNow(admin, watch.id);
    await executeNow(admin, watch.id);
    expect(await told(watch.id)).toEqual(everyone("Orders keeps failing"));
    expect((await getSubscription(admin, watch.id)).incidents).toMatchObject([
      {
        kind: "Failing",
        reason: '3 executions in a row failed, the last one with: relation "orders" does not exist',
      },
    ]);
    await repairTable();
    await executeNow(admin, watch.id);
    await executeNow(admin, watch.id);
    expect(await told(watch.id)).toEqual([
      ...everyone("Orders keeps failing"),
      ...everyone("Orders works again"),
    ]);
    expect((await getSubscription(admin, watch.id)).incidents).toEqual([]);
  });

  test("only now and then notifies nobody", async () => {
    const watch = await aWatch();
    for (const status of ["Failed", "Timeout", "NoResults", "Failed", "Failed"] as const)
      await anExecution({ subscriptionId: watch.id, status });
    await executeNow(admin, watch.id);
    expect(await told(watch.id)).toEqual([]);
  });
});

describe("a stalled subscription", () => {
  const overdue = (subscriptionId: number, minutes: number) =>
    db
      .update(subscriptions)
      .set({ nextRunAt: new Date(Date.now() - minutes * 60_000) })
      .where(eq(subscriptions.id, subscriptionId));

  test("that nothing runs is reported once, and so is its recovery", async () => {
    const watch = await aWatch();
    await overdue(watch.id, 14);
    await watchSubscriptions();
    expect(await told(watch.id)).toEqual([]);
    await overdue(watch.id, 16);
    await watchSubscriptions();
    await watchSubscriptions();
    expect(await told(watch.id)).toEqual(everyone("Orders has stalled"));
    // For their own time zones.
    const [{ content } = { content: null }] = await db
      .select({ content: notifications.content })
      .from(notifications)
      .where(eq(notifications.subject, "Orders has stalled"));
    const due = (await getSubscription(admin, watch.id)).nextRunAt?.toISOString() ?? "";
    expect(content?.summary).toContain(`it was due at ${due}`);
    expect(content?.moments).toEqual([{ words: due, at: due, zone: "UTC" }]);
    await executeNow(admin, watch.id);
    expect(await told(watch.id)).toEqual([
      ...everyone("Orders has stalled"),
      ...everyone("Orders is running again"),
    ]);
    await overdue(watch.id, -60);
  });

  test.each([
    ["its schedule has no further runs", { nextRunAt: null }, {}],
    ["an execution does not end", {}, { minutesAgo: 17 }],
  ])(
    "because %s has an incident that says so",
    async (reason, set, { minutesAgo }: { minutesAgo?: number }) => {
      const watch = await aWatch();
      if ("nextRunAt" in set) await db.update(subscriptions).set(set).where(eq(subscriptions.id, watch.id));
      if (minutesAgo)
        await anExecution({
          subscriptionId: watch.id,
          status: "Created",
          executedAt: new Date(Date.now() - minutesAgo * 60_000),
        });
      await watchSubscriptions();
      expect((await getSubscription(admin, watch.id)).incidents).toMatchObject([{ kind: "Stalled", reason }]);
    },
  );

  test("whose due runs nobody claims has an incident, unless it has run since", async () => {
    const [lost, madeUpFor] = [await aWatch(), await aWatch()];
    const occurrence = (objectId: number, minutesAgo: number, claimedBy: string | null) => ({
      ...{ kind: "subscription", objectId, claimedBy, claimedAt: claimedBy === null ? null : new Date() },
      scheduledFor: new Date(Date.now() - minutesAgo * 60_000),
      createdAt: new Date(Date.now() - minutesAgo * 60_000),
    });
    await db
      .insert(occurrences)
      .values([
        occurrence(lost.id, 20, null),
        occurrence(lost.id, 40, "a run"),
        occurrence(madeUpFor.id, 20, null),
        occurrence(madeUpFor.id, 10, "a run"),
      ]);
    await watchSubscriptions();
    expect((await getSubscription(admin, lost.id)).incidents).toMatchObject([{ kind: "Stalled" }]);
    expect((await getSubscription(admin, madeUpFor.id)).incidents).toEqual([]);
  });

  test("no longer counts as stalled once disabled, without a notification", async () => {
    const watch = await aWatch();
    await overdue(watch.id, 20);
    await watchSubscriptions();
    await db
      .update(subscriptions)
      .set({ enabled: false, nextRunAt: null })
      .where(eq(subscriptions.id, watch.id));
    await watchSubscriptions();
    expect((await getSubscription(admin, watch.id)).incidents).toEqual([]);
    expect(await told(watch.id)).toEqual(everyone("Orders has stalled"));
  });
});

test("one that cannot deliver is reported until a later result has reached everyone", async () => {
  const of = await aQuery({ name: "Orders", dataSource: source, sql: "select 1 as one" }, owner);
  const desk = { name: "Desk", type: "Email", destination: "desk@example.com" } as const;
  const recipient = await createRecipient(admin, { projectId: source.projectId, ...desk });
  const watch = await aSubscription({ query: of, recipientIds: [recipient.id] }, owner);
  const decide = async (executionId: number, status: "Sent" | "Failed") => {
    const [notification] = await db
      .select()
      .from(notifications)
      .where(eq(notifications.causeId, executionId));
    await db
      .update(deliveries)
      .set({ status, nextAttemptAt: null, lastError: status === "Failed" ? "No such mailbox" : null })
      .where(eq(deliveries.notificationId, notification?.id ?? 0));
  };
  const lost = await executeNow(admin, watch.id);
  await decide(lost.id, "Failed");
  await watchFailedDelivery(lost.id);
  await watchFailedDelivery(lost.id);
  expect(await told(watch.id)).toEqual(everyone("Orders cannot notify everyone"));
  expect((await getSubscription(admin, watch.id)).incidents).toMatchObject([
    { kind: "Undeliverable", reason: "Desk could not be notified of a result: No such mailbox" },
  ]);

  const waiting = await executeNow(admin, watch.id);
  await watchSubscriptions();
  expect((await getSubscription(admin, watch.id)).incidents).toMatchObject([{ kind: "Undeliverable" }]);
  await decide(waiting.id, "Sent");
  await watchSubscriptions();
  expect(await told(watch.id)).toEqual([
    ...everyone("Orders cannot notify everyone"),
    ...everyone("Orders notifies everyone again"),
  ]);
});
