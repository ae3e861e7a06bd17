import { and, asc, eq, or, sql } from "drizzle-orm";
import { isAdminOfAll } from "../auth/permissions.ts";
import type { SignedIn } from "../auth/principal.ts";
import { namesOfUsers } from "../auth/service/user-names.ts";
import { db } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { maxViews, type SaveView, type ViewPage } from "./schema.ts";
import { savedViews } from "./tables.ts";

/**
 * A page's views: the caller's own and those that everyone has, by name. Views belong to no project, so someone limited to
 * projects has only their own.
 */
export async function listViews({ principal }: SignedIn, { page }: { page: ViewPage }) {
  const rows = await db
    .select()
    .from(savedViews)
    .where(
      and(
        eq(savedViews.page, page),
        or(
          eq(savedViews.userId, principal.userId),
          principal.projectIds === null ? eq(savedViews.isShared, true) : undefined,
        ),
      ),
    )
    .orderBy(asc(sql`lower(${savedViews.name})`), asc(savedViews.id));
  return { items: await shown(rows, principal.userId) };
}

/**
 * Saves a view, in place of the caller's own of that name. Throws rejected if they have too many, and forbidden if someone
 * limited to projects shares one with everyone.
 */
export async function saveView({ principal }: SignedIn, view: SaveView) {
  const { userId } = principal;
  if (view.isShared && principal.projectIds !== null)
    throw new Problem("forbidden", "Someone limited to projects cannot share views with everyone");
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(savedViews)
      .values({ ...view, userId })
      .onConflictDoUpdate({
        target: [savedViews.userId, savedViews.page, savedViews.name],
        set: { filters: view.filters, isShared: view.isShared },
      })
      .returning();
    if ((await tx.$count(savedViews, eq(savedViews.userId, userId))) > maxViews)
      throw new Problem("rejected", `You have ${maxViews} saved views; delete one first`);
    const [saved] = await shown(row ? [row] : [], userId);
    if (!saved) throw new Error("The upsert returned no view");
    return saved;
  });
}

/** Deletes one of the caller's own views; an Admin may delete a shared one. Returns its name. Throws not_found. */
export async function deleteView({ principal }: SignedIn, id: number): Promise<{ name: string }> {
  const isOwn = eq(savedViews.userId, principal.userId);
  const [deleted] = await db
    .delete(savedViews)
    .where(
      and(eq(savedViews.id, id), isAdminOfAll(principal) ? or(isOwn, eq(savedViews.isShared, true)) : isOwn),
    )
    .returning({ name: savedViews.name });
  if (!deleted) throw new Problem("not_found", "View not found");
  return deleted;
}

async function shown(rows: (typeof savedViews.$inferSelect)[], myId: number) {
  const people = await namesOfUsers(rows.map(({ userId }) => userId));
  return rows.map(({ userId, createdAt: _, ...view }) => ({
    ...view,
    owner: people.get(userId) ?? { id: userId, name: "" },
    isMine: userId === myId,
  }));
}
