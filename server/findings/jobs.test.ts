import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { scanSchedule } from "../data-sources/jobs.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { deleteDataSource } from "../data-sources/service/edit-data-sources.ts";
import { getDataSource } from "../data-sources/service/load-data-sources.ts";
import { saveScanSchedule } from "../data-sources/service/scan-schedules.ts";
import { scanSchedules } from "../data-sources/tables.ts";
import { db, sql } from "../db/client.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { runDue } from "../jobs/schedules.ts";
import { occurrences } from "../jobs/tables.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aRunningScan } from "../test/factories/findings.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { startScheduledScan } from "./jobs.ts";
import { findingsOf } from "./service/finds-planted-faults.fixture.ts";
import { listScans, waitForScan } from "./service/scans.ts";
import { shop } from "./service/warehouse.fixture.ts";
import { findingScans } from "./tables.ts";

const login = { user: "scheduled_reader", password: "some-password" };
let ctx: SignedIn;
let dataSourceId: number;

beforeAll(async () => {
  ctx = await asAdmin();
  await sql.unsafe("create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
  await sql.unsafe(`
    drop role if exists ${login.user};
    create role ${login.user} login password '${login.password}';
    grant usage on schema shop to ${login.user};
    grant select on all tables in schema shop to ${login.user}`);
});
/** A data source whose time came a moment ago. */
beforeEach(async () => {
  ({ id: dataSourceId } = await aDataSource({ connection: login }));
  await saveScanSchedule(dataSourceId, { cronExpression: "0 2 * * *", timezone: "UTC" });
  const due = new Date(Date.now() - 1000);
  await db.update(scanSchedules).set({ nextRunAt: due }).where(eq(scanSchedules.id, dataSourceId));
});
afterAll(async () => {
  await closeSources();
  await sql.unsafe(`drop owned by ${login.user}; drop role ${login.user}`);
});

async function anEngine() {
  const engine = await startEngine([startScheduledScan], { pollMs: 100 });
  onTestFinished(() => engine.stop());
  return engine;
}
const scansOf = (id: number) => db.select().from(findingScans).where(eq(findingScans.dataSourceId, id));

test("a data source that is due is scanned once, and its next scan lies ahead", async () => {
  const engine = await anEngine();
  await Promise.all([runDue(scanSchedule), runDue(scanSchedule)]);
  await engine.idle();
  const [scan, ...others] = await scansOf(dataSourceId);
  expect(others).toEqual([]);
  await waitForScan(scan?.id ?? 0);
  expect((await listScans(ctx, { dataSourceId })).items).toMatchObject([
    { status: "Completed", tablesDone: 2, rowsRead: 2400, skipped: [] },
  ]);
  expect(scan?.requestedById).toBe(null);
  expect((await findingsOf(ctx, { dataSourceId })).length).toBe(5);
  const next = (await getDataSource(ctx, dataSourceId)).scanSchedule?.nextRunAt;
  expect(next?.getTime()).toBeGreaterThan(Date.now());
});

test("a scan that is in progress is joined", async () => {
  const { id } = await aRunningScan(dataSourceId);
  const engine = await anEngine();
  await runDue(scanSchedule);
  await engine.idle();
  expect((await scansOf(dataSourceId)).map((scan) => scan.id)).toEqual([id]);
  expect(await occurrencesOf(dataSourceId)).toMatchObject([{ claimedBy: expect.any(String) }]);
});

test("what is turned off or deleted between its claim and its run is not scanned", async () => {
  const { id: other } = await aDataSource({ connection: login });
  await saveScanSchedule(other, { cronExpression: "0 2 * * *", timezone: "UTC" });
  await db
    .update(scanSchedules)
    .set({ nextRunAt: new Date(0) })
    .where(eq(scanSchedules.id, other));
  await runDue(scanSchedule);
  await saveScanSchedule(dataSourceId, null);
  await deleteDataSource(ctx, other);
  const engine = await anEngine();
  await engine.idle();
  for (const id of [dataSourceId, other]) {
    expect(await scansOf(id)).toEqual([]);
    expect(await occurrencesOf(id)).toMatchObject([{ claimedBy: expect.any(String) }]);
  }
});

const occurrencesOf = (id: number) => db.select().from(occurrences).where(eq(occurrences.objectId, id));
