import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { findingScans, type TableName } from "../tables.ts";
import { scanLeases } from "./leases.ts";
import { listTaughtCells } from "./taught-cells.ts";

/** The answers about its cells that each table was judged by in this process, by the table's key. */
export type JudgedBy = Map<string, string>;

export const keyOf = ({ schemaName, tableName }: TableName): string =>
  JSON.stringify([schemaName, tableName]);

/**
 * Adds what was asked for while a scan ran to what it looks at: tables that it was not asked for before, and tables that
 * someone has answered questions about since they were judged. null if that is nothing. Throws LeaseLost.
 */
export async function takeJoined(
  lease: Lease,
  judgedBy: JudgedBy,
): Promise<typeof findingScans.$inferSelect | null> {
  return db.transaction(async (tx) => {
    const [scan] = await tx.select().from(findingScans).where(scanLeases.isHeldBy(lease)).for("update");
    if (!scan) throw new LeaseLost("The scan was taken over before it ended");
    const asked = new Map(scan.joined.flatMap((each) => (each ?? []).map((table) => [keyOf(table), table])));
    const changed = new Set<string>();
    for (const [key, table] of asked)
      if (JSON.stringify(await listTaughtCells(scan.dataSourceId, table)) !== judgedBy.get(key))
        changed.add(key);
    const stored = scan.stored.filter((table) => !changed.has(keyOf(table)));
    const known = new Set(scan.requested?.map(keyOf));
    const added = [...asked].flatMap(([key, table]) => (known.has(key) ? [] : table));
    const isAll = scan.requested === null || scan.joined.includes(null);
    const requested = isAll ? null : [...(scan.requested ?? []), ...added];
    const [taken] = await tx
      .update(findingScans)
      .set({ joined: [], requested, stored })
      .where(eq(findingScans.id, scan.id))
      .returning();
    const isMore =
      stored.length < scan.stored.length || (scan.requested !== null && (isAll || added.length > 0));
    return (isMore && taken) || null;
  });
}
