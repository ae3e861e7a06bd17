import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { limits } from "../limits.ts";
import { findingScans } from "../tables.ts";
import { findingsOf } from "./finds-planted-faults.fixture.ts";
import { getScan, recoverAbandonedScans, startScan, waitForScan } from "./scans.ts";
import { shop } from "./warehouse.fixture.ts";

const usual = { ...limits };
const customers = { schemaName: "shop", tableName: "customers" };
const orders = { schemaName: "shop", tableName: "orders" };
let dataSourceId: number;

beforeEach(async () => {
  ({ id: dataSourceId } = await aDataSource());
  await sql.unsafe("drop schema if exists shop cascade; create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
});
afterEach(() => void Object.assign(limits, usual));
afterAll(closeSources);

/** A scan whose process is gone. */
async function abandoned(more: Partial<typeof findingScans.$inferInsert>) {
  const [row] = await db
    .insert(findingScans)
    .values({
      ...{ dataSourceId, requested: [customers, orders], tablesDone: 2, tablesTotal: 2, rowsRead: 400 },
      ...{ leaseToken: randomUUID(), leaseUntil: new Date(Date.now() - 1000), ...more },
    })
    .returning();
  if (!row) throw new Error("The insert returned no scan");
  return row.id;
}

test("a scan that was interrupted goes on behind the tables whose findings are stored", async () => {
  const ctx = await asEditor();
  const id = await abandoned({ stored: [customers] });
  expect(await recoverAbandonedScans()).toBe(1);
  expect(await getScan(ctx, id)).toMatchObject({
    // The 400 rows of the customers are not read once more.
    ...{ status: "Completed", tablesDone: 2, tablesTotal: 2, rowsRead: 2400 },
  });
  const found = await findingsOf(ctx, { dataSourceId });
  expect([...new Set(found.map(({ tableName }) => tableName))]).toEqual(["orders"]);
});

test("a scan that ends its process again and again has failed, and the next one begins", async () => {
  const ctx = await asEditor();
  const id = await abandoned({ attempts: limits.maxAttempts });
  await recoverAbandonedScans();
  expect(await getScan(ctx, id)).toMatchObject({
    ...{ status: "Failed", error: `The scan was interrupted ${limits.maxAttempts} times` },
  });
  const next = await startScan(ctx, { dataSourceId, tables: [customers] });
  expect(next.id).not.toBe(id);
  await waitForScan(next.id);
});

test("who asks for a scan whose process is gone takes it over", async () => {
  const ctx = await asEditor();
  const id = await abandoned({});
  expect((await startScan(ctx, { dataSourceId })).id).toBe(id);
  await waitForScan(id);
  expect((await getScan(ctx, id)).status).toBe("Completed");
});

test("what is read is let go in parts, and what no time is left for is skipped", async () => {
  const ctx = await asEditor();
  limits.values = 100;
  const { id } = await startScan(ctx, { dataSourceId, tables: [customers, orders] });
  await waitForScan(id);
  const kinds = (await findingsOf(ctx, { dataSourceId })).map(({ kind }) => kind);
  // Orders are looked at without their customers.
  expect(kinds.sort()).toEqual(["Duplicate", "MissingValue", "OutOfRange", "Variant"]);
  limits.totalMs = 0;
  const { id: late } = await startScan(ctx, { dataSourceId, tables: [customers] });
  await waitForScan(late);
  expect(await getScan(ctx, late)).toMatchObject({
    ...{ status: "Completed", tablesDone: 1, rowsRead: 0 },
    skipped: [{ ...customers, reason: "There was no time left for it" }],
  });
});
