import { createHmac } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { derivedKey } from "../../db/encryption.ts";
import type { Review } from "../review.ts";
import { findingReviews, type TableName } from "../tables.ts";

export type KeptReview = { model: string; review: Review };

/** What a language model is shown, as a hash that nobody can try values against. */
export const hashOfShown = (shown: string): string =>
  createHmac("sha256", derivedKey("finding reviews")).update(shown).digest("hex");

/** A language model's latest answer about a table, if it was shown the same; else null. */
export async function findReview(
  dataSourceId: number,
  { schemaName, tableName }: TableName,
  shown: string,
): Promise<KeptReview | null> {
  const [kept] = await db
    .select({ model: findingReviews.model, review: findingReviews.review })
    .from(findingReviews)
    .where(
      and(
        eq(findingReviews.dataSourceId, dataSourceId),
        eq(findingReviews.schemaName, schemaName),
        eq(findingReviews.tableName, tableName),
        eq(findingReviews.shown, shown),
      ),
    );
  return kept ?? null;
}

/** Keeps the latest answer about a table, instead of the one before. */
export async function keepReview(
  dataSourceId: number,
  { schemaName, tableName }: TableName,
  shown: string,
  { model, review }: KeptReview,
): Promise<void> {
  await db
    .insert(findingReviews)
    .values({ dataSourceId, schemaName, tableName, shown, model, review })
    .onConflictDoUpdate({
      target: [findingReviews.dataSourceId, findingReviews.schemaName, findingReviews.tableName],
      set: { shown, model, review, reviewedAt: sql`now()` },
    });
}
