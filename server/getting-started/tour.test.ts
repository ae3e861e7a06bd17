import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { actors } from "../actors/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { installation } from "../db/tables.ts";
import { anActor, aPlan } from "../test/factories/actors.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { asAdmin, asViewer } from "../test/factories/principals.ts";
import { demoContractName, demoSourceName } from "./demo-names.ts";
import { loadTour } from "./service/load-tour.ts";

let source: Awaited<ReturnType<typeof aDataSource>>;
const demoLoadedAt = (at: Date | null) =>
  db
    .insert(installation)
    .values({ id: 1, keyCheck: Buffer.from("check"), demoLoadedAt: at })
    .onConflictDoUpdate({ target: installation.id, set: { demoLoadedAt: at } });

beforeEach(async () => {
  await demoLoadedAt(new Date());
  source = await aDataSource({ name: demoSourceName });
});
// Each test has the only demo.
afterEach(async () => {
  await db
    .update(dataSources)
    .set({ name: `No demo ${source.id}` })
    .where(eq(dataSources.id, source.id));
  await demoLoadedAt(null);
});

test("leads to the contract that it explains, and to the plan that waits", async () => {
  const ctx = await asAdmin();
  expect(await loadTour(ctx)).toEqual({ contractId: null, planId: null });
  const { id: contractId } = await aContract({ name: demoContractName, dataSourceId: source.id });
  await aContract({ name: "Another", dataSourceId: source.id });
  const actor = await anActor({ dataSourceId: source.id });
  const plan = await aPlan(actor.id);
  expect(await loadTour(ctx)).toEqual({ contractId, planId: plan.id });

  await db.update(contracts).set({ archivedAt: new Date() }).where(eq(contracts.id, contractId));
  await db.update(actors).set({ archivedAt: new Date() }).where(eq(actors.id, actor.id));
  expect(await loadTour(ctx)).toEqual({ contractId: null, planId: null });
});

test("a plan that is decided is not where it leads", async () => {
  const actor = await anActor({ dataSourceId: source.id });
  await aPlan(actor.id, { status: "Executed" });
  expect(await loadTour(await asAdmin())).toEqual({ contractId: null, planId: null });
});

test("there is none without the demo, nor for those who cannot see its project", async () => {
  const elsewhere = await aProject({ name: "Elsewhere" });
  expect(await loadTour(await asViewer({ projectIds: [elsewhere.id] }))).toBeNull();
  expect(await loadTour(await asViewer({ projectIds: [source.projectId] }))).not.toBeNull();
  await demoLoadedAt(null);
  expect(await loadTour(await asAdmin())).toBeNull();
});
