import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { handBackWork, takeWorkAgain } from "../../jobs/leased-work.ts";
import { log } from "../../telemetry/log.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRunningScan } from "../../test/factories/findings.ts";
import { asEditor, asViewer } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { limits } from "../limits.ts";
import { findingScans } from "../tables.ts";
import { findingsOf } from "./finds-planted-faults.fixture.ts";
import { getScan, recoverAbandonedScans, startScan, stopScan, waitForScan } from "./scans.ts";
import { stopsAtOnce } from "./stop-scan.fixture.ts";
import { shop } from "./warehouse.fixture.ts";

const usual = { ...limits };
let dataSourceId: number;
let projectId: number;

beforeEach(async () => {
  ({ id: dataSourceId, projectId } = await aDataSource());
  await sql.unsafe("drop schema if exists shop cascade; create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
  await sql.unsafe(`
    create function shop.later(int) returns int language plpgsql as $$ begin perform pg_sleep(60); return $1; end $$;
    create view shop.slow_orders as select shop.later(id) as id from shop.orders`);
});
afterEach(() => {
  Object.assign(limits, usual);
  takeWorkAgain();
});
afterAll(closeSources);

async function isReading(): Promise<boolean> {
  const rows = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%from "shop"."slow_orders"%'
      and application_name = 'plumbline' and pid <> pg_backend_pid()`;
  return rows.length > 0;
}

test("a scan is stopped at once, and keeps what it has stored", async () => {
  await stopsAtOnce(await asEditor(), dataSourceId, { schemaName: "shop", isReading });
});

test("a scan that another process works on ends there with its next sign of life", async () => {
  const ctx = await asEditor();
  limits.heartbeatMs = 50;
  const tables = [{ schemaName: "shop", tableName: "slow_orders" }];
  const { id } = await startScan(ctx, { dataSourceId, tables });
  await vi.waitFor(async () => expect(await isReading()).toBe(true), { timeout: 20_000, interval: 50 });
  // As `stopScan` writes it elsewhere.
  await db.update(findingScans).set({ status: "Stopped" }).where(eq(findingScans.id, id));
  await vi.waitFor(async () => expect(await isReading()).toBe(false), { timeout: 10_000, interval: 50 });
  await waitForScan(id);
  expect((await getScan(ctx, id)).status).toBe("Stopped");
  expect(await findingsOf(ctx, { dataSourceId })).toEqual([]);
});

test("a process that stops hands its scan back: its statement ends, nothing is an error, and it goes on elsewhere", async () => {
  const ctx = await asEditor();
  const errors = vi.spyOn(log, "error");
  const tables = ["customers", "slow_orders"].map((tableName) => ({ schemaName: "shop", tableName }));
  const { id } = await startScan(ctx, { dataSourceId, tables });
  await vi.waitFor(async () => expect(await isReading()).toBe(true), { timeout: 20_000, interval: 50 });
  await handBackWork();
  await vi.waitFor(async () => expect(await isReading()).toBe(false), { timeout: 10_000, interval: 50 });
  expect(errors).not.toHaveBeenCalled();
  const [row] = await db.select().from(findingScans).where(eq(findingScans.id, id));
  expect(row).toMatchObject({ status: "Running", attempts: 0 });
  // Without the view, another process ends it.
  await sql`drop view shop.slow_orders`;
  takeWorkAgain();
  expect(await recoverAbandonedScans()).toBe(1);
  expect(await getScan(ctx, id)).toMatchObject({ status: "Completed", error: null });
});

test("a scan that a process has recovered, or waits for, is not taken again by it while it stops", async () => {
  const ctx = await asEditor();
  const errors = vi.spyOn(log, "error");
  errors.mockClear();
  const { id } = await aRunningScan(dataSourceId, {
    requested: [{ schemaName: "shop", tableName: "slow_orders" }],
    leaseUntil: new Date(0),
  });
  const recovered = recoverAbandonedScans();
  const waited = waitForScan(id);
  await vi.waitFor(async () => expect(await isReading()).toBe(true), { timeout: 20_000, interval: 50 });
  await handBackWork();
  expect(await recovered).toBe(1);
  const lease = db
    .select({ token: findingScans.leaseToken, attempts: findingScans.attempts })
    .from(findingScans)
    .where(eq(findingScans.id, id));
  const [before] = await lease;
  expect(before?.attempts).toBe(1);
  // Whoever waits looks a few more times, and begins nothing that closed connections would interrupt.
  await recoverAbandonedScans();
  await delay(limits.pollMs * 3);
  expect(await lease).toEqual([before]);
  expect(errors).not.toHaveBeenCalled();
  await sql`drop view shop.slow_orders`;
  takeWorkAgain();
  expect(await waited).toBe(true);
  expect((await getScan(ctx, id)).status).toBe("Completed");
});

test("by REST, for those who may start scans; not for others, and not twice", async () => {
  const { id } = await aRunningScan(dataSourceId);
  const path = `/data-quality/findings/scans/${id}/stop`;
  expect((await rest("POST", path, { cookie: await aSession("Viewer") })).status).toBe(403);
  const outside = await asViewer({ projectIds: [projectId + 1000] });
  await expect(stopScan(outside, id)).rejects.toThrow("Scan not found");
  const cookie = await aSession("Editor");
  const stopped = await rest("POST", path, { cookie });
  expect([stopped.status, stopped.body.status]).toEqual([200, "Stopped"]);
  const again = await rest("POST", path, { cookie });
  expect([again.status, again.body.detail]).toEqual([409, "The scan has already ended"]);
});
