import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { db } from "../db/client.ts";
import { deliveries, notifications } from "../notifications/tables.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { assignTask } from "./service/tasks.ts";
import { tasks } from "./tables.ts";

let me: SignedIn;
let other: SignedIn;
let id: number;

beforeAll(() => {
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  process.env.MAIL_FROM = "alerts@example.com";
});

beforeEach(async () => {
  [me, other] = [await asEditor(), await asEditor()];
  const dataSource = await aDataSource();
  const watch = await aSubscription({ query: await aQuery({ name: "Orders", dataSource }, me) }, me);
  const [task] = await db
    .insert(tasks)
    .values({
      ...{ subscriptionId: watch.id, queryId: watch.queryId },
      ...{ projectId: dataSource.projectId, latestRowCount: 5 },
    })
    .returning();
  id = task?.id ?? 0;
});

const assign = (to: SignedIn | null) => assignTask(me, { id, userId: to?.principal.userId ?? null });
const toldTo = async ({ principal }: SignedIn) =>
  db
    .select({ subject: notifications.subject, cause: notifications.causeKind, channel: deliveries.channel })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(eq(deliveries.userId, principal.userId));

test("someone else who gets a task is told by email, and again when they get it again", async () => {
  await assign(other);
  const told = { subject: "The Editor assigned you a task: Orders", cause: "Task", channel: "Email" };
  expect(await toldTo(other)).toEqual([told]);
  await assign(other);
  expect(await toldTo(other)).toHaveLength(1);
  await assign(null);
  await assign(other);
  expect(await toldTo(other)).toEqual([told, told]);
});

test("of two who take a free task, the second is told who has it", async () => {
  const take = (who: SignedIn) =>
    assignTask(who, { id, userId: who.principal.userId, unlessAssigned: true }).then(
      ({ assignee }) => assignee?.id,
      (error: Error) => error.message,
    );
  const taken = await Promise.all([take(me), take(other)]);
  const owner = taken.find((each) => typeof each === "number");
  expect([me, other].map(({ principal }) => principal.userId)).toContain(owner);
  expect(taken).toContain("The Editor has the task already");
  // Whoever has it may press again.
  const winner = me.principal.userId === owner ? me : other;
  expect(await take(winner)).toBe(owner);
  // Without the guard, it is theirs to give.
  expect((await assign(other)).assignee?.id).toBe(other.principal.userId);
});

test("nobody is told that they took a task themselves", async () => {
  await assign(me);
  expect(await toldTo(me)).toEqual([]);
});
