import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { db } from "../db/client.ts";
import { notifications } from "../notifications/tables.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSession } from "../test/factories/sessions.ts";
import { anAnomaly, aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";
import { updateSubscriptionInput } from "./schema.ts";
import { listAnomalies } from "./service/anomalies.ts";
import { executeNow } from "./service/execute.ts";
import { listSubscriptions } from "./service/list-subscriptions.ts";
import { archiveSubscription, getSubscription, updateSubscription } from "./service/subscriptions.ts";

let ctx: SignedIn;
let query: Awaited<ReturnType<typeof aQuery>>;

beforeAll(async () => {
  ctx = await asEditor();
});
beforeEach(async () => {
  query = await aQuery({ name: "Late orders", sql: "select 1 as id" }, ctx);
});

const titles = async (more: object = {}) => {
  const page = await listSubscriptions(ctx, { queryId: query.id, page: 0, pageSize: 20, ...more });
  return page.items.map(({ title }) => title);
};

test("a subscription is called like its query, until it has a name of its own", async () => {
  const { id, revision } = await aSubscription({ query }, ctx);
  expect(await getSubscription(ctx, id)).toMatchObject({ name: null, title: "Late orders" });
  const named = await updateSubscription(
    ctx,
    updateSubscriptionInput.parse({
      ...{ id, baseRevision: revision, queryId: query.id, cronExpression: "0 6 * * *" },
      name: "  Morning check ",
    }),
  );
  expect(named).toMatchObject({ name: "Morning check", title: "Morning check", queryName: "Late orders" });
});

test("two on one query are told apart by their schedule, and with equal ones by their number", async () => {
  await aSubscription({ query, cronExpression: "0 6 * * *" }, ctx);
  const hourly = await aSubscription({ query, cronExpression: "15 * * * *" }, ctx);
  await aSubscription({ query, name: "Named" }, ctx);
  expect(await titles()).toEqual([
    "Late orders (every day at 06:00)",
    "Late orders (at 15 minutes past the hour)",
    "Named",
  ]);
  const again = await aSubscription({ query, cronExpression: "15 * * * *" }, ctx);
  expect((await getSubscription(ctx, again.id)).title).toBe(
    `Late orders (at 15 minutes past the hour, #${again.id})`,
  );
  await archiveSubscription(ctx, hourly.id);
  await archiveSubscription(ctx, again.id);
  expect(await titles()).toEqual(["Late orders", "Named"]);
});

test("a list is searched and sorted by the names that it shows", async () => {
  await aSubscription({ query }, ctx);
  await aSubscription({ query, name: "Zebra" }, ctx);
  await aSubscription({ query, name: "Aardvark" }, ctx);
  expect(await titles({ sortBy: "Name" })).toEqual(["Aardvark", "Late orders", "Zebra"]);
  expect(await titles({ search: "zeb" })).toEqual(["Zebra"]);
  expect(await titles({ search: "late", sortBy: "Name" })).toEqual(["Aardvark", "Late orders", "Zebra"]);
});

test("messages and anomalies name it", async () => {
  const recipient = await aRecipient({ projectId: query.projectId }, ctx);
  const { id } = await aSubscription({ query, name: "Morning check", recipientIds: [recipient.id] }, ctx);
  await executeNow(ctx, id);
  const [sent] = await db
    .select({ subject: notifications.subject })
    .from(notifications)
    .where(eq(notifications.projectId, query.projectId));
  expect(sent?.subject).toContain("Morning check");
  await anAnomaly(id);
  expect((await listAnomalies(ctx, { subscriptionId: id, page: 0, pageSize: 5 })).items).toMatchObject([
    { queryName: "Late orders", subscriptionName: "Morning check" },
  ]);
});

test("over REST, a name has 1 to 200 characters, and left out of a PUT it is taken away", async () => {
  const cookie = await aSession("Editor");
  const body = { queryId: query.id, cronExpression: "0 6 * * *" };
  const create = (name: unknown) => rest("POST", "/subscriptions", { cookie, json: { ...body, name } });
  expect((await create(" ")).status).toBe(400);
  expect((await create("x".repeat(201))).status).toBe(400);
  const created = await create("x".repeat(200));
  expect(created).toMatchObject({ status: 201, body: { title: "x".repeat(200) } });
  const { id } = created.body as { id: number };
  const put = await rest("PUT", `/subscriptions/${id}`, { cookie, json: body });
  expect(put).toMatchObject({ status: 200, body: { name: null, title: "Late orders" } });
});
