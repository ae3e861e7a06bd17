import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { learnLoad } from "../lineage/service/learn-load.ts";
import { reportInput } from "../reported-events/schema.ts";
import { reportEvent } from "../reported-events/service.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aTableAlert } from "../test/factories/watch.ts";
import { tableAlerts } from "../watch/tables.ts";
import { listIncidentsInput } from "./schema.ts";
import { listIncidents } from "./service/load-incidents.ts";
import { whatChanged } from "./service/what-changed.ts";

/** A contract of public.orders fails; before that, this and that happened. */
let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
const now = Math.floor(Date.now() / 1000) * 1000;
const ago = (hours: number) => new Date(now - hours * 3_600_000);

beforeAll(async () => {
  ctx = await asAdmin();
});
beforeEach(async () => {
  source = await aDataSource();
  await db.update(dataSources).set({ updatedAt: ago(1000) });
});

const table = (tableName: string) => ({ dataSourceId: source.id, schemaName: "public", tableName });
/** Reported, and learned from, as its job does. */
async function report(hours: number, event: object) {
  const { id } = await reportEvent(
    ctx,
    reportInput.parse({ projectId: source.projectId, at: ago(hours).toISOString(), ...event }),
  );
  await learnLoad(id);
}

async function anIncident() {
  const contract = await aContract({ name: "Orders", dataSourceId: source.id, tableName: "orders" }, ctx);
  await db.insert(evaluations).values({
    ...{ contractId: contract.id, ...table("orders"), trigger: "Scheduled", status: "Completed" },
    ...{ overallScore: 10, evaluatedAt: ago(2), startedAt: ago(2) },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: ago(2) },
  });
  const listed = await listIncidents(ctx, listIncidentsInput.parse({ projectId: source.projectId }));
  return listed.items[0]?.id ?? 0;
}
const words = async (id: number) =>
  (await whatChanged(ctx, id)).items.map((item) => `${item.relation}: ${item.words}`);

test("what was reported about its tables comes before what is about those upstream, and about the project", async () => {
  await report(30, { kind: "Deployment", name: "shop 4.2", url: "https://ci.example.com/42" });
  await report(6, {
    kind: "Load",
    name: "orders",
    inputs: [table("raw_orders")],
    outputs: [table("orders")],
  });
  await report(4, { kind: "Load", name: "raw_orders", state: "Failed", outputs: [table("raw_orders")] });
  await report(3, { kind: "Load", name: "customers", outputs: [table("customers")] });
  const id = await anIncident();
  expect(await words(id)).toEqual([
    "Affected: Load orders",
    "Upstream: Load raw_orders failed",
    "Project: Deployment shop 4.2",
  ]);
  const { items } = await whatChanged(ctx, id);
  expect(items[1]).toMatchObject({ isFailure: true, detail: `reported by ${ctx.principal.name}` });
  expect(items[2]).toMatchObject({ url: "https://ci.example.com/42", at: ago(30) });
});

test("what came after, or long before, explains nothing", async () => {
  await report(60, { kind: "Deployment", name: "old" });
  await report(1, { kind: "Deployment", name: "later" });
  expect(await words(await anIncident())).toEqual([]);
});

test("changed columns of its tables, a changed data source, and problems upstream are among it", async () => {
  await report(40, {
    kind: "Load",
    name: "orders",
    inputs: [table("raw_orders")],
    outputs: [table("orders")],
  });
  const upstream = await aTableAlert({ dataSourceId: source.id, tableName: "raw_orders", openedAt: ago(5) });
  // What still lasts would be part of the incident.
  await db
    .update(tableAlerts)
    .set({ endedAt: ago(4) })
    .where(eq(tableAlerts.id, upstream.alert.id));
  await aTableAlert({
    ...{ dataSourceId: source.id, tableName: "orders", kind: "Schema", openedAt: ago(3) },
    sentence: "Column total is gone",
  });
  // Its own, which is part of the incident.
  await db.update(dataSources).set({ updatedAt: ago(7) });
  const id = await anIncident();
  expect(await words(id)).toEqual([
    "Affected: public.orders: Column total is gone",
    "Affected: The data source Warehouse was connected or changed",
    "Affected: Load orders",
    `Upstream: public.raw_orders: ${upstream.alert.sentence}`,
  ]);
});

test("an incident upstream that still lasts is among it", async () => {
  await report(30, {
    kind: "Load",
    name: "orders",
    inputs: [table("raw_orders")],
    outputs: [table("orders")],
  });
  // More than a day before: it is an incident of its own.
  await aTableAlert({ dataSourceId: source.id, tableName: "raw_orders", openedAt: ago(30) });
  const all = listIncidentsInput.parse({ projectId: source.projectId });
  const upstream = (await listIncidents(ctx, all)).items[0];
  const id = await anIncident();
  expect((await listIncidents(ctx, all)).items).toHaveLength(2);
  const { items } = await whatChanged(
    ctx,
    (await listIncidents(ctx, all)).items.find((each) => each.id !== upstream?.id)?.id ?? id,
  );
  expect(items).toContainEqual(
    expect.objectContaining({
      ...{
        kind: "Incident",
        id: upstream?.id,
        relation: "Upstream",
        words: upstream?.title,
        detail: "still open",
      },
    }),
  );
});

test("never a list of everything: the nearest and latest fifteen", async () => {
  for (let n = 0; n < 20; n++) await report(10 + n / 10, { kind: "Deployment", name: `shop 4.${n}` });
  const { items, omitted } = await whatChanged(ctx, await anIncident());
  expect(items).toHaveLength(15);
  expect(items[0]?.words).toBe("Deployment shop 4.0");
  expect(omitted).toBe(5);
});
