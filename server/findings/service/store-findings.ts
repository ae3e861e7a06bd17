import { and, eq, inArray, sql } from "drizzle-orm";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { Session } from "../../data-sources/engines/engine.ts";
import { db, type Transaction } from "../../db/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { namesColumnsOf } from "../condition.ts";
import { pairFaults } from "../same-fault.ts";
import { rankOf } from "../severity.ts";
import { findingScans, findings, type TableName } from "../tables.ts";
import { countDoubted } from "./count-doubted.ts";
import { describedFinding } from "./described-finding.ts";
import { columnKindsOf, lockFindings, relearn } from "./learn.ts";
import { scanLeases } from "./leases.ts";
import type { Verified } from "./verify-findings.ts";

type Stored = typeof findings.$inferSelect;
type Lend = <T>(work: (session: Session, dialect: Dialect) => Promise<T>) => Promise<T>;

/**
 * Stores what a scan has found in one table beside what is known of it. A fault that is there again is the same
 * finding: open again where it was gone, and dismissed where it was dismissed. What was not found any more is gone; of
 * a table that was read in part, only when the data source says that no such rows are left. Throws LeaseLost.
 */
export async function storeFindings(
  lease: Lease,
  { id: scanId, dataSourceId }: { id: number; dataSourceId: number },
  table: ObservedTable,
  verified: readonly Verified[],
  lend: Lend,
): Promise<void> {
  const isOfTable = and(
    eq(findings.dataSourceId, dataSourceId),
    eq(findings.schemaName, table.schemaName),
    eq(findings.tableName, table.tableName),
  );
  const dialect = await lend(async (_, given) => given);
  const known = await db.select().from(findings).where(isOfTable).orderBy(findings.id);
  const { pairs, unpaired, gone } = pairFaults(
    known,
    verified.map((each) => ({ ...each.found.candidate, verified: each })),
  );
  const still = await countsOf(gone, table, lend);
  await db.transaction(async (tx) => {
    await lockFindings(tx, dataSourceId);
    await noteStored(tx, lease, table);
    for (const [old, { verified: now }] of pairs) {
      // When nobody could count, what is known stays as it is.
      if (now.failingRows === null) continue;
      const status = old.status === "Gone" ? "Open" : old.status;
      await tx
        .update(findings)
        .set({
          ...judgedFinding(dialect, table, now, now.failingRows),
          scanId,
          status,
          lastSeenAt: sql`now()`,
        })
        .where(and(eq(findings.id, old.id), eq(findings.status, old.status)));
    }
    for (const { verified: now } of unpaired)
      if (now.failingRows !== null)
        await tx.insert(findings).values({
          ...judgedFinding(dialect, table, now, now.failingRows),
          ...{ scanId, dataSourceId, schemaName: table.schemaName, tableName: table.tableName },
        });
    for (const old of gone) await settleOld(tx, old, still.get(old.id) ?? 0, scanId, table);
    await relearn(tx, dataSourceId, table);
  });
}

/** As the judge says. What was learned is added to open findings when all are stored. */
function judgedFinding(dialect: Dialect, table: ObservedTable, now: Verified, failingRows: number) {
  const { candidate, confidence, unlearned = confidence, taught = null } = now.found;
  const judged = { ...now, found: { ...now.found, confidence: unlearned } };
  return {
    ...describedFinding(dialect, table, judged, failingRows),
    ...{ unlearned, learned: null, taught, columnKinds: columnKindsOf(table, candidate.columns) },
  };
}

/** How many rows findings that were not found again still have, where the table was read in part; null: unknown. */
async function countsOf(
  old: readonly Stored[],
  table: ObservedTable,
  lend: Lend,
): Promise<Map<number, number | null>> {
  const counts = new Map<number, number | null>();
  // A model does not propose the same each time: what it has once proposed stays while there are such rows.
  const open = old.flatMap(({ id, status, condition, review }) =>
    status !== "Gone" &&
    condition !== null &&
    namesColumnsOf(table, condition) &&
    (!table.isWhole || review?.verdict === "Proposed")
      ? [{ id, condition }]
      : [],
  );
  if (open.length === 0) return counts;
  const conditions = open.map(({ condition }) => condition);
  const counted = await lend((session, dialect) =>
    countDoubted(session, { ...table, dialect }, conditions, { withRows: false }),
  );
  for (const [place, { id }] of open.entries()) counts.set(id, counted[place]?.count ?? null);
  return counts;
}

async function settleOld(
  tx: Transaction,
  old: Stored,
  rowsLeft: number | null,
  scanId: number,
  { totalRows }: ObservedTable,
): Promise<void> {
  if (rowsLeft === null) return;
  const isOld = and(eq(findings.id, old.id), eq(findings.status, old.status));
  if (rowsLeft > 0)
    await tx
      .update(findings)
      .set({
        ...{ scanId, failingRows: rowsLeft, totalRows, lastSeenAt: sql`now()` },
        rank: rankOf({ ...old, failingRows: rowsLeft, totalRows }),
      })
      .where(isOld);
  else if (old.status === "Open") await tx.update(findings).set({ status: "Gone" }).where(isOld);
}

/** The table counts as done, in the transaction that stores its findings. Throws LeaseLost. */
async function noteStored(
  tx: Transaction,
  lease: Lease,
  { schemaName, tableName }: TableName,
): Promise<void> {
  const [scan] = await tx
    .select({ stored: findingScans.stored })
    .from(findingScans)
    .where(scanLeases.isHeldBy(lease))
    .for("update");
  if (!scan) throw new LeaseLost("The scan was taken over before its findings were stored");
  await tx
    .update(findingScans)
    .set({ stored: [...scan.stored, { schemaName, tableName }] })
    .where(eq(findingScans.id, lease.id));
}

/** Open findings of tables that are not there any more are gone. Throws LeaseLost. */
export async function forgetMissingTables(
  lease: Lease,
  dataSourceId: number,
  tables: readonly TableName[],
): Promise<void> {
  const keyOf = ({ schemaName, tableName }: TableName) => JSON.stringify([schemaName, tableName]);
  const there = new Set(tables.map(keyOf));
  await db.transaction(async (tx) => {
    const [scan] = await tx
      .select({ id: findingScans.id })
      .from(findingScans)
      .where(scanLeases.isHeldBy(lease))
      .for("update");
    if (!scan) throw new LeaseLost("The scan was taken over");
    const open = await tx
      .select({ id: findings.id, schemaName: findings.schemaName, tableName: findings.tableName })
      .from(findings)
      .where(and(eq(findings.dataSourceId, dataSourceId), eq(findings.status, "Open")));
    const gone = open.filter((each) => !there.has(keyOf(each))).map(({ id }) => id);
    if (gone.length > 0) await tx.update(findings).set({ status: "Gone" }).where(inArray(findings.id, gone));
  });
}
