import { and, desc, isNotNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { actors } from "../../actors/tables.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { ifGiven } from "../../db/listed.ts";
import { paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { queries } from "../../queries/tables.ts";
import type { archivedPageInput } from "../schema.ts";

type Asked = z.output<typeof archivedPageInput>;

export const archivedQueries = (ctx: SignedIn, asked: Asked) => archivedPage(ctx, queries, asked);
export const archivedActors = (ctx: SignedIn, asked: Asked) => archivedPage(ctx, actors, asked);

/** A page of what is archived and visible to the caller, the latest first. */
function archivedPage(
  { principal }: SignedIn,
  things: typeof queries | typeof actors,
  { projectId, search, ...page }: Asked,
) {
  const which = and(
    isNotNull(things.archivedAt),
    inVisibleProject(principal, things.projectId),
    ifGiven(projectId, things.projectId),
    ...wordsIn(search ?? "").map((word) => containsWord(things.name, word)),
  );
  return paged(
    page,
    () => db.$count(things, which),
    ({ limit, offset }) =>
      db
        .select({
          id: things.id,
          projectId: things.projectId,
          name: things.name,
          archivedAt: sql<Date>`${things.archivedAt}`.mapWith(things.archivedAt),
        })
        .from(things)
        .where(which)
        .orderBy(desc(things.archivedAt), desc(things.id))
        .limit(limit)
        .offset(offset),
  );
}
