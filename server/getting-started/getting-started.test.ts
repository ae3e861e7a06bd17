import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { findingScans } from "../findings/tables.ts";
import { deliveries, recipients } from "../notifications/tables.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { aNotification, aRecipient } from "../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { dismissGuide, skipStep } from "./service/change-guide.ts";
import { loadGuide } from "./service/load-guide.ts";

let ctx: SignedIn;
let projectId: number;

// Each test has its own user and project.
beforeEach(async () => {
  ctx = await asAdmin();
  projectId = (await aProject({ name: "Shop" })).id;
});

const guide = (by = ctx) => loadGuide(by, { projectId });
const states = async (by = ctx) => (await guide(by)).steps.map(({ state }) => state).join(" ");

async function aScan(dataSourceId: number, more: Partial<typeof findingScans.$inferInsert> = {}) {
  const at = new Date("2026-01-01T10:00:00Z");
  await db.insert(findingScans).values({
    ...{ dataSourceId, status: "Completed", tablesDone: 3, tablesTotal: 3, rowsRead: 1200 },
    ...{ skipped: [{ schemaName: "public", tableName: "log", reason: "No permission" }] },
    ...{ startedAt: at, finishedAt: new Date(at.getTime() + 1500), leaseToken: crypto.randomUUID() },
    ...{ leaseUntil: at, ...more },
  });
}

const evaluated = (contractId: number, dataSourceId: number, score: number, because: string | null = null) =>
  db.insert(evaluations).values({
    ...{ contractId, dataSourceId, schemaName: "public", tableName: "orders", trigger: "Manual" },
    ...{ status: "Completed", overallScore: score, evaluatedAt: new Date(), startedAt: new Date() },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: new Date(), notEvaluatedBecause: because },
  });

async function aMessage(recipientId: number, status: "Sent" | "Failed") {
  const id = await aNotification({ projectId, recipientIds: [recipientId] });
  await db
    .update(deliveries)
    .set({ status, nextAttemptAt: null })
    .where(eq(deliveries.notificationId, id ?? 0));
}

test("from nothing to a score, each step is done when it exists, whoever made it", async () => {
  expect(await guide()).toMatchObject({
    ...{ projectId, isOver: false, isDismissed: false },
    ...{ source: null, scan: null, contract: null, recipient: null },
  });
  expect(await states()).toBe("Open Open Open Open Open");

  const source = await aDataSource({ projectId, name: "Shop database" });
  expect((await guide()).source).toEqual({ id: source.id, name: "Shop database", projectId });
  expect(await states()).toBe("Done Open Open Open Open");

  await aScan(source.id);
  expect((await guide()).scan).toEqual({
    ...{ status: "Completed", tables: 2, rowsRead: 1200 },
    startedAt: new Date("2026-01-01T10:00:00Z"),
    finishedAt: new Date("2026-01-01T10:00:01.5Z"),
  });
  expect(await states()).toBe("Done Done Open Open Open");

  const recipient = await aRecipient({ projectId, name: "Keepers" });
  expect((await guide()).recipient).toEqual({
    id: recipient.id,
    name: "Keepers",
    projectId,
    wasReached: false,
  });
  await aMessage(recipient.id, "Failed");
  expect(await states()).toBe("Done Done Open Open Open");
  await aMessage(recipient.id, "Sent");
  expect(await states()).toBe("Done Done Open Done Open");

  const contract = await aContract({ name: "Orders", dataSourceId: source.id, recipientIds: [recipient.id] });
  expect((await guide()).contract).toEqual({
    ...{ id: contract.id, name: "Orders", recipientCount: 1, threshold: 80, score: null },
  });
  await evaluated(contract.id, source.id, 0, "connection refused");
  expect(await states()).toBe("Done Done Done Done Open");
  await evaluated(contract.id, source.id, 82.35);
  await evaluated(contract.id, source.id, 0, "connection refused");
  const done = await guide(await asEditor());
  expect(done).toMatchObject({ isOver: true, contract: { score: 82.35 } });
});

test("a REST API is no database, and what is archived or elsewhere does not count", async () => {
  const other = await aDataSource();
  await aScan(other.id);
  await aContract({ dataSourceId: other.id });
  await aMessageElsewhere(other.projectId);
  const api = await aDataSource({ projectId });
  await db.update(dataSources).set({ kind: "RestApi" }).where(eq(dataSources.id, api.id));
  expect(await states()).toBe("Open Open Open Open Open");

  const source = await aDataSource({ projectId });
  const contract = await aContract({ dataSourceId: source.id });
  const recipient = await aRecipient({ projectId });
  await db.update(contracts).set({ archivedAt: new Date() }).where(eq(contracts.id, contract.id));
  await db.update(recipients).set({ archivedAt: new Date() }).where(eq(recipients.id, recipient.id));
  expect(await states()).toBe("Done Open Open Open Open");
  expect(await guide()).toMatchObject({ contract: null, recipient: null });
});

const aMessageElsewhere = async (elsewhere: number) => {
  const { id } = await aRecipient({ projectId: elsewhere });
  await aNotification({ projectId: elsewhere, recipientIds: [id] });
  await db.execute(
    sql`update deliveries set status = 'Sent', next_attempt_at = null where recipient_id = ${id}`,
  );
};

test("a recipient that was reached counts, although a newer one was not", async () => {
  const reached = await aRecipient({ projectId, name: "Old" });
  await aMessage(reached.id, "Sent");
  await aRecipient({ projectId, name: "New" });
  expect((await guide()).recipient).toMatchObject({ name: "Old", wasReached: true });
});

describe("after a week nobody is guided", () => {
  test("with a contract of that age", async () => {
    const source = await aDataSource({ projectId });
    const contract = await aContract({ dataSourceId: source.id });
    const setAge = (days: number) =>
      db.execute(
        sql`update contracts set created_at = now() - ${days} * interval '1 day' where id = ${contract.id}`,
      );
    await setAge(6.9);
    expect((await guide()).isOver).toBe(false);
    await setAge(7.1);
    expect((await guide()).isOver).toBe(true);
  });

  test("with a subscription of that age", async () => {
    const dataSource = await aDataSource({ projectId });
    const { id } = await aSubscription({ query: await aQuery({ dataSource }, ctx) }, ctx);
    expect((await guide()).isOver).toBe(false);
    await db.execute(sql`update subscriptions set created_at = now() - interval '8 days' where id = ${id}`);
    expect((await guide()).isOver).toBe(true);
  });
});

describe("what a user does not want", () => {
  test("steps are skipped and taken up again, each by itself, for this user and project", async () => {
    await skipStep(ctx, { projectId, step: "Recipient", isSkipped: true });
    await skipStep(ctx, { projectId, step: "Recipient", isSkipped: true });
    const skipped = await skipStep(ctx, { projectId, step: "Rules", isSkipped: true });
    expect(skipped.steps.map(({ state }) => state)).toEqual(["Open", "Open", "Skipped", "Skipped", "Open"]);
    await skipStep(ctx, { projectId, step: "Recipient", isSkipped: false });
    expect(await states()).toBe("Open Open Skipped Open Open");
    expect(await states(await asAdmin())).toBe("Open Open Open Open Open");
    const elsewhere = await aProject();
    expect((await loadGuide(ctx, { projectId: elsewhere.id })).steps.map(({ state }) => state)).toEqual(
      Array(5).fill("Open"),
    );
  });

  test("with every step skipped it is over", async () => {
    for (const step of ["Connect", "Tables", "Rules", "Recipient", "Score"] as const)
      await skipStep(ctx, { projectId, step, isSkipped: true });
    expect((await guide()).isOver).toBe(true);
  });

  test("two changes at once both count", async () => {
    await Promise.all(
      (["Connect", "Rules", "Score"] as const).map((step) =>
        skipStep(ctx, { projectId, step, isSkipped: true }),
      ),
    );
    expect(await states()).toBe("Skipped Open Skipped Open Skipped");
  });

  test("the checklist is dismissed and shown again; the steps stay as they are", async () => {
    await skipStep(ctx, { projectId, step: "Rules", isSkipped: true });
    expect(await dismissGuide(ctx, { projectId, isDismissed: true })).toMatchObject({ isDismissed: true });
    expect(await states()).toBe("Open Open Skipped Open Open");
    expect(await dismissGuide(ctx, { projectId, isDismissed: false })).toMatchObject({ isDismissed: false });
  });

  test("what was chosen while no project was applies to each until it has choices of its own", async () => {
    await aProject();
    await dismissGuide(ctx, { isDismissed: true });
    await skipStep(ctx, { step: "Score", isSkipped: true });
    expect(await loadGuide(ctx, {})).toMatchObject({ projectId: null, isDismissed: true });
    expect(await guide()).toMatchObject({ projectId, isDismissed: true });
    await dismissGuide(ctx, { projectId, isDismissed: false });
    expect(await guide()).toMatchObject({ isDismissed: false });
    expect(await states()).toBe("Open Open Open Open Skipped");
    expect(await loadGuide(ctx, {})).toMatchObject({ isDismissed: true });
  });
});

test("who sees one project is guided there; who sees none, through what they see", async () => {
  const source = await aDataSource();
  const limited = await asEditor({ projectIds: [projectId] });
  expect(await loadGuide(limited, {})).toMatchObject({ projectId, source: null });
  await expect(loadGuide(limited, { projectId: source.projectId })).rejects.toThrow("Project not found");
  await expect(dismissGuide(limited, { projectId: source.projectId, isDismissed: true })).rejects.toThrow(
    "Project not found",
  );
  expect(await loadGuide(await asEditor({ projectIds: [] }), {})).toMatchObject({
    ...{ projectId: null, source: null, contract: null, recipient: null },
  });
});
