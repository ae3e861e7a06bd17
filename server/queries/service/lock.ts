import { and, eq, isNull } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { queries } from "../tables.ts";
import { getQuery, getStoredQuery, type LoadedQuery } from "./queries.ts";

/** Locks a query against changes, or unlocks it. Idempotent. Throws not_found. */
export async function setLocked(ctx: SignedIn, id: number, isLocked: boolean): Promise<LoadedQuery> {
  await getStoredQuery(ctx, id);
  await db
    .update(queries)
    .set({ isLocked })
    .where(and(eq(queries.id, id), eq(queries.isLocked, !isLocked), isNull(queries.archivedAt)));
  return getQuery(ctx, id);
}
