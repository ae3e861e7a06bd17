import { and, eq, isNull } from "drizzle-orm";
import type { Connection, Transaction } from "../../db/client.ts";
import { queries, queryVersions } from "../tables.ts";

/**
 * Holds a query, so that it cannot be archived before the transaction ends: for whoever writes down that they use it.
 * null when it is not there, or archived already.
 */
export async function holdQuery(tx: Transaction, id: number): Promise<{ projectId: number } | null> {
  const [held] = await tx
    .select({ projectId: queries.projectId })
    .from(queries)
    .where(and(eq(queries.id, id), isNull(queries.archivedAt)))
    .for("share");
  return held ?? null;
}

/** The number of the version that runs, of an archived query too; null for one that is not there. */
export async function findActiveVersionNumber(connection: Connection, id: number): Promise<number | null> {
  const [active] = await connection
    .select({ number: queryVersions.number })
    .from(queryVersions)
    .where(and(eq(queryVersions.queryId, id), eq(queryVersions.status, "Active")));
  return active?.number ?? null;
}
