import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { listQueriesInput } from "../schema.ts";
import { archivedDetail, archiveQuery, unarchiveQuery } from "./archive.ts";
import { setLocked } from "./lock.ts";
import { getQuery, listQueries } from "./queries.ts";
import { restoreVersion, updateQuery } from "./save-query.ts";
import { listVersions } from "./versions.ts";

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asEditor();
});

async function subscribe({ id: queryId, projectId }: { id: number; projectId: number }) {
  const [row] = await db
    .insert(subscriptions)
    .values({
      queryId,
      projectId,
      cronExpression: "0 6 * * *",
      timeoutSeconds: 60,
      conditionKind: "RowsFound",
      createTasks: false,
      anomalyEnabled: false,
      anomalyMethod: "Iqr",
      anomalySensitivity: 1.5,
      anomalyMetric: "RowCount",
      nextRunAt: new Date(),
    })
    .returning();
  if (!row) throw new Error("The insert returned no subscription");
  return row;
}
const archivedAt = async (id: number) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0];

test("an archived query disappears everywhere, and an Admin restores it unchanged", async () => {
  const query = await aQuery();
  const { id, projectId } = query;
  await archiveQuery(ctx, { id });
  const write = { id, name: "Orders", steps: query.steps.map(({ order: _, ...step }) => step) };
  const attempts = [
    () => getQuery(ctx, id),
    () => updateQuery(ctx, write),
    () => archiveQuery(ctx, { id, cascade: true }),
    () => setLocked(ctx, id, true),
    () => setLocked(ctx, id, false),
    () => listVersions(ctx, id),
    () => restoreVersion(ctx, { id, number: 1 }),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toMatchObject({ code: "not_found", detail: "Query not found" });
  expect((await listQueries(ctx, listQueriesInput.parse({ projectId }))).totalCount).toBe(0);

  const admin = await asAdmin();
  const stranger = await asAdmin({ projectIds: [(await aProject()).id] });
  await expect(unarchiveQuery(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  const back = { ...query, updatedAt: expect.any(Date) };
  expect(await unarchiveQuery(admin, id)).toEqual(back);
  expect(await unarchiveQuery(admin, id)).toEqual(back);
});

test("a query with subscriptions is archived with them or not at all", async () => {
  const query = await aQuery();
  const { id } = query;
  const first = await subscribe(query);
  await expect(archiveQuery(ctx, { id })).rejects.toMatchObject({
    code: "conflict",
    detail: "The query is still run by 1 subscription",
  });
  const second = await subscribe(query);
  expect(await getQuery(ctx, id)).toMatchObject({ subscriptionCount: 2 });
  await expect(archiveQuery(ctx, { id, cascade: false })).rejects.toMatchObject({
    detail: "The query is still run by 2 subscriptions",
  });
  await setLocked(ctx, id, true);
  await expect(archiveQuery(ctx, { id, cascade: true })).rejects.toMatchObject({ detail: "Query is locked" });
  expect(await archivedAt(first.id)).toMatchObject({ archivedAt: null });
  await setLocked(ctx, id, false);

  const archived = await archiveQuery(ctx, { id, cascade: true });
  expect(archivedDetail(archived)).toBe("Orders, with 2 subscriptions");
  for (const subscription of [first, second])
    expect(await archivedAt(subscription.id)).toMatchObject({
      archivedAt: expect.any(Date),
      nextRunAt: null,
    });
  // They stay archived when the query is restored, and are not counted.
  expect(await unarchiveQuery(await asAdmin(), id)).toMatchObject({ subscriptionCount: 0 });
});
