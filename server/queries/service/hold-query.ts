import { and, eq, isNull } from "drizzle-orm";
import type { Connection, Transaction } from "../../db/client.ts";
import { queries, queryVersions } from "../tables.ts";

/**
 * Locks a query so that it cannot be archived before the transaction ends, for callers that store a reference to it.
 * null if it does not exist or is archived.
 */
export async function holdQuery(tx: Transaction, id: number): Promise<{ projectId: number } | null> {
  const [held] = await tx
    .select({ projectId: queries.projectId })
    .from(queries)
    .where(and(eq(queries.id, id), isNull(queries.archivedAt)))
    .for("share");
  return held ?? null;
}

/** The number of the version that runs, also for an archived query; null if there is none. */
export async function findActiveVersionNumber(connection: Connection, id: number): Promise<number | null> {
  const [active] = await connection
    .select({ number: queryVersions.number })
    .from(queryVersions)
    .where(and(eq(queryVersions.queryId, id), eq(queryVersions.status, "Active")));
  return active?.number ?? null;
}
