import { setTimeout as delay } from "node:timers/promises";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { isRest } from "../../data-sources/kinds.ts";
import { getDataSource, listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { isScanScheduled } from "../../data-sources/service/scan-schedules.ts";
import { afterCommit } from "../../db/ambient.ts";
import { db } from "../../db/client.ts";
import { Problem, problemIn } from "../../errors.ts";
import { defineLeasedWork } from "../../jobs/leased-work.ts";
import type { Lease } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import type { OfSources } from "../schema.ts";
import { findingScans, type TableName } from "../tables.ts";
import { scanLeases } from "./leases.ts";
import { runScan, tellEnd } from "./run-scan.ts";

const work = defineLeasedWork({ name: "scan", leases: scanLeases, times: limits, run: runScan });

const shown = {
  id: findingScans.id,
  dataSourceId: findingScans.dataSourceId,
  status: findingScans.status,
  tablesDone: findingScans.tablesDone,
  tablesTotal: findingScans.tablesTotal,
  rowsRead: findingScans.rowsRead,
  cost: findingScans.cost,
  startedAt: findingScans.startedAt,
  finishedAt: findingScans.finishedAt,
  skipped: findingScans.skipped,
  notes: findingScans.notes,
  error: findingScans.error,
};

const scanNotFound = () => new Problem("not_found", "Scan not found");

/**
 * Begins a scan of a data source, or joins the one that is in progress, which then looks at what was asked for before
 * it ends; it goes on in the background. Throws not_found, and rejected for what is no database.
 */
export async function startScan(
  ctx: SignedIn,
  { dataSourceId, tables }: { dataSourceId: number; tables?: readonly TableName[] | undefined },
) {
  const source = await getDataSource(ctx, dataSourceId);
  if (isRest(source.connection)) throw new Problem("rejected", "The data source must be a database");
  return beginOrJoin(dataSourceId, {
    requested: tables ? [...tables] : null,
    requestedById: ctx.principal.userId,
  });
}

/**
 * The same for a data source whose scheduled time has come, for nobody in particular. Skipped when it has no schedule
 * any more: someone has turned it off or deleted the data source since.
 */
export async function startDueScan(dataSourceId: number) {
  if (!(await isScanScheduled(dataSourceId))) return { skipped: "The data source has no schedule any more" };
  const { id } = await beginOrJoin(dataSourceId, { requested: null, requestedById: null });
  return { scanId: id };
}

async function beginOrJoin(
  dataSourceId: number,
  asked: Pick<typeof findingScans.$inferInsert, "requested" | "requestedById">,
) {
  for (;;) {
    const { attempts, ...lease } = scanLeases.first();
    const [begun] = await db
      .insert(findingScans)
      .values({ dataSourceId, ...lease, attempts, ...asked })
      .onConflictDoNothing()
      .returning({ id: findingScans.id });
    if (begun) {
      workOn({ id: begun.id, token: lease.leaseToken, attempt: attempts });
      return loadScan(begun.id);
    }
    const [running] = await db
      .update(findingScans)
      .set({ joined: withRequest(asked.requested ?? null) })
      .where(and(eq(findingScans.dataSourceId, dataSourceId), eq(findingScans.status, "Running")))
      .returning({ id: findingScans.id });
    if (!running) continue; // It has just ended.
    // Its process may be gone.
    const abandoned = await scanLeases.take(running.id);
    if (abandoned) workOn(abandoned);
    return loadScan(running.id);
  }
}

/** What was asked for while a scan runs, each request once: whoever waits for a scan may ask for it many times. */
function withRequest(requested: TableName[] | null) {
  const { joined, requested: begun } = findingScans;
  const request = sql`${JSON.stringify([requested])}::jsonb`;
  const isKnown = sql`(${joined} @> ${request} or (${requested === null} and ${begun} is null))`;
  return sql`case when ${isKnown} then ${joined} else ${joined} || ${request} end`;
}

/**
 * The same for who hears of nothing later: it waits until the scan has ended, but not much longer than an assistant
 * waits for an answer. A scan that goes on is joined by the next call.
 */
export async function scanAndWait(ctx: SignedIn, asked: Parameters<typeof startScan>[1]) {
  const { id } = await recorded(ctx, () => startScan(ctx, asked));
  await Promise.race([waitForScan(id), delay(limits.waitMs, null, { ref: false })]);
  return getScan(ctx, id);
}

/**
 * Stops a scan: what it has stored stays, and the statement that runs in the data source is cancelled. Throws not_found,
 * and conflict for a scan that has ended.
 */
export async function stopScan(ctx: SignedIn, id: number) {
  await getScan(ctx, id);
  const [stopped] = await db
    .update(findingScans)
    .set({ status: "Stopped", finishedAt: sql`clock_timestamp()`, stored: [] })
    .where(and(eq(findingScans.id, id), eq(findingScans.status, "Running")))
    .returning({ dataSourceId: findingScans.dataSourceId, requestedById: findingScans.requestedById });
  if (!stopped) throw new Problem("conflict", "The scan has already ended");
  await tellEnd(db, { id, ...stopped, status: "Stopped" });
  afterCommit(() => work.interrupt(id));
  return loadScan(id);
}

/** In the background, once the transaction that took the lease is committed. */
const workOn = (lease: Lease) => afterCommit(() => void work.begin(lease));

/** Finishes what processes that are gone have left in Running. Returns how many scans it took over. */
export const recoverAbandonedScans = () => work.recover();

/** Waits until a scan has ended, whoever works on it. */
export const waitForScan = (id: number) => work.waitFor(id);

/** The latest scan of each data source that the caller may see; of one that was never scanned there is none. */
export async function listScans(ctx: SignedIn, { projectId, dataSourceId }: OfSources) {
  const visible = (await listDataSources(ctx, { projectId })).items.map(({ id }) => id);
  const wanted = visible.filter((id) => id === (dataSourceId ?? id));
  const items = await db
    .selectDistinctOn([findingScans.dataSourceId], shown)
    .from(findingScans)
    .where(inArray(findingScans.dataSourceId, wanted))
    .orderBy(findingScans.dataSourceId, desc(findingScans.id));
  return { items };
}

/** Throws not_found for a scan that is unknown or of a project that the caller may not see. */
export async function getScan(ctx: SignedIn, id: number) {
  const scan = await loadScan(id);
  await getDataSource(ctx, scan.dataSourceId).catch((error) => {
    throw problemIn(error)?.code === "not_found" ? scanNotFound() : error;
  });
  return scan;
}

async function loadScan(id: number) {
  const [scan] = await db.select(shown).from(findingScans).where(eq(findingScans.id, id));
  if (!scan) throw scanNotFound();
  return scan;
}
