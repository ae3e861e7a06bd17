import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import type { Alongside } from "../../db/alongside.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { queries } from "../tables.ts";
import { tellOwner } from "./owned-queries.ts";
import { getQuery, type LoadedQuery, queryNotFound } from "./queries.ts";
import { lockChangeable } from "./save-query.ts";
import { archiveSubscriptionsOf, countSubscriptions } from "./subscriptions-of-queries.ts";

/**
 * Archives a query: it is gone from every list, and its versions are kept. Answers its name, and how many
 * subscriptions were archived with it. Throws not_found, and conflict when it is locked or while subscriptions run
 * it, unless they are to be archived, too.
 */
export async function archiveQuery(
  ctx: SignedIn,
  { id, cascade = false }: { id: number; cascade?: boolean },
  alongside?: Alongside,
): Promise<{ name: string; subscriptionCount: number }> {
  return db.transaction(async (tx) => {
    const { name } = await lockChangeable(tx, ctx, id);
    const count = (await countSubscriptions([id], tx)).get(id) ?? 0;
    if (count > 0 && !cascade)
      throw new Problem(
        "conflict",
        `The query is still run by ${count} ${count === 1 ? "subscription" : "subscriptions"}`,
      );
    await archiveSubscriptionsOf(tx, id);
    await tx.update(queries).set({ archivedAt: sql`now()` }).where(eq(queries.id, id));
    await tellOwner(tx, id);
    await alongside?.(tx, id);
    return { name, subscriptionCount: count };
  });
}

/** What the audit log says of it. */
export const archivedDetail = ({
  name,
  subscriptionCount: count,
}: {
  name: string;
  subscriptionCount: number;
}) => (count === 0 ? name : `${name}, with ${count} ${count === 1 ? "subscription" : "subscriptions"}`);

/** The archived queries that the caller may see, the last one first. */
export async function listArchivedQueries(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined } = {},
) {
  const rows = await db
    .select({
      id: queries.id,
      projectId: queries.projectId,
      name: queries.name,
      archivedAt: queries.archivedAt,
    })
    .from(queries)
    .where(
      and(
        isNotNull(queries.archivedAt),
        inVisibleProject(principal, queries.projectId),
        projectId === undefined ? undefined : eq(queries.projectId, projectId),
      ),
    )
    .orderBy(desc(queries.archivedAt), desc(queries.id));
  return { items: rows.flatMap(({ archivedAt, ...row }) => (archivedAt ? { ...row, archivedAt } : [])) };
}

/**
 * Brings an archived query back, where it was; subscriptions that were archived with it stay so. One that is not
 * archived is left alone. Throws not_found.
 */
export async function unarchiveQuery(ctx: SignedIn, id: number): Promise<LoadedQuery> {
  const [query] = await db.select().from(queries).where(eq(queries.id, id));
  if (!query || !maySeeProject(ctx.principal, query.projectId)) throw queryNotFound();
  if (query.archivedAt) await db.update(queries).set({ archivedAt: null }).where(eq(queries.id, id));
  return getQuery(ctx, id);
}
