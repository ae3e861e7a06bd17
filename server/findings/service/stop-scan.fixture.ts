import { expect, vi } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { findingsOf, scanned } from "./finds-planted-faults.fixture.ts";
import { getScan, startScan, stopScan, waitForScan } from "./scans.ts";

/**
 * A scan that is stopped while the source works on a slow view: what was found before is unchanged, the source's
 * statement ends at once, and the next scan begins right away.
 */
export async function stopsAtOnce(
  ctx: SignedIn,
  dataSourceId: number,
  { schemaName, isReading }: { schemaName: string; isReading: () => Promise<boolean> },
): Promise<void> {
  const named = (...names: string[]) => names.map((tableName) => ({ schemaName, tableName }));
  await scanned(ctx, dataSourceId, named("customers"));
  const before = await findingsOf(ctx, { dataSourceId });
  expect(before.length).toBe(2);

  const { id } = await startScan(ctx, { dataSourceId, tables: named("customers", "slow_orders") });
  await vi.waitFor(async () => expect(await isReading()).toBe(true), { timeout: 20_000, interval: 50 });
  expect(await stopScan(ctx, id)).toMatchObject({
    ...{ status: "Stopped", tablesDone: 1, tablesTotal: 2, rowsRead: 400, error: null },
    finishedAt: expect.any(Date),
  });
  // The view alone would take a minute.
  await vi.waitFor(async () => expect(await isReading()).toBe(false), { timeout: 10_000, interval: 50 });
  await waitForScan(id);
  expect(await findingsOf(ctx, { dataSourceId })).toEqual(before);
  await expect(stopScan(ctx, id)).rejects.toThrow("The scan has already ended");

  const next = await startScan(ctx, { dataSourceId, tables: named("customers") });
  expect(next.id).not.toBe(id);
  await waitForScan(next.id);
  expect((await getScan(ctx, next.id)).status).toBe("Completed");
  expect((await getScan(ctx, id)).status).toBe("Stopped");
}
