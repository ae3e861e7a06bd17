import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { actors } from "../actors/tables.ts";
import type { Principal, SignedIn } from "../auth/principal.ts";
import { inVisibleProject } from "../auth/visibility.ts";
import { contracts } from "../data-quality/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { findSubscriptionTitles } from "../queries/service/subscription-titles.ts";
import { queries } from "../queries/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import type { FavoriteKind } from "./kinds.ts";
import { type Favorite, maxFavorites, type SetFavorite } from "./schema.ts";
import { favorites } from "./tables.ts";

/** The caller's favorites that exist and that they may see, by name. */
export async function listFavorites({ principal }: SignedIn): Promise<{ items: Favorite[] }> {
  const rows = await db.select().from(favorites).where(eq(favorites.userId, principal.userId));
  const found = new Map(
    await Promise.all(
      [...Map.groupBy(rows, ({ kind }) => kind)].map(
        async ([kind, ofKind]) =>
          [
            kind,
            await findNamed(
              principal,
              kind,
              ofKind.map(({ objectId }) => objectId),
            ),
          ] as const,
      ),
    ),
  );
  const items = rows.flatMap(({ kind, objectId, schemaName, tableName }): Favorite[] => {
    const named = found.get(kind)?.get(objectId);
    if (!named) return [];
    const thing = { kind, id: objectId, projectId: named.projectId };
    return kind === "Table"
      ? [{ ...thing, schemaName, tableName, name: tableName }]
      : [{ ...thing, schemaName: null, tableName: null, name: named.name }];
  });
  return { items: items.toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id) };
}

/**
 * Makes something a favorite of the caller, or takes that back; the same again changes nothing. Throws not_found for what
 * does not exist or what they may not see, and rejected if they have too many. Returns what it is called.
 */
export async function setFavorite({ principal }: SignedIn, { isFavorite, ...thing }: SetFavorite) {
  const { kind, id: objectId, schemaName = "", tableName = "" } = thing;
  const named = (await findNamed(principal, kind, [objectId])).get(objectId);
  if (!named) throw new Problem("not_found", `${words[kind]} not found`);
  const row = { userId: principal.userId, kind, objectId, schemaName, tableName };
  await db.transaction(async (tx) => {
    if (isFavorite) {
      await tx.insert(favorites).values(row).onConflictDoNothing();
      if ((await tx.$count(favorites, eq(favorites.userId, principal.userId))) > maxFavorites)
        throw new Problem("rejected", `You have ${maxFavorites} favorites; remove one first`);
    } else {
      const isIt = Object.entries(row).map(([name, value]) => eq(favorites[name as keyof typeof row], value));
      await tx.delete(favorites).where(and(...isIt));
    }
  });
  return { name: kind === "Table" ? `${schemaName}.${tableName}` : named.name };
}

const words: Record<FavoriteKind, string> = {
  Query: "Query",
  Subscription: "Subscription",
  Contract: "Contract",
  Actor: "Actor",
  DataSource: "Data source",
  Table: "Data source",
};

type Named = { id: number; name: string; projectId: number };

/** Those that exist, are not archived, and that the caller may see. */
async function findNamed(
  principal: Principal,
  kind: FavoriteKind,
  ids: readonly number[],
): Promise<Map<number, Named>> {
  const found = await rowsOf(principal, kind, [...new Set(ids)]);
  if (kind !== "Subscription") return new Map(found.map((row) => [row.id, row]));
  const titles = await findSubscriptionTitles(found.map(({ id }) => id));
  return new Map(found.map((row) => [row.id, { ...row, name: titles.get(row.id) ?? row.name }]));
}

function rowsOf(principal: Principal, kind: FavoriteKind, ids: number[]): Promise<Named[]> {
  const visible = (projectId: PgColumn, id: PgColumn, ...more: SQL[]) =>
    and(inArray(id, ids), inVisibleProject(principal, projectId), ...more);
  const named = (
    table: PgTable & { id: PgColumn; projectId: PgColumn; archivedAt: PgColumn },
    name: PgColumn | SQL,
  ) =>
    db
      .select({
        id: sql<number>`${table.id}`,
        name: sql<string>`${name}`,
        projectId: sql<number>`${table.projectId}`,
      })
      .from(table)
      .where(visible(table.projectId, table.id, isNull(table.archivedAt)));
  switch (kind) {
    case "Query":
      return named(queries, queries.name);
    case "Subscription":
      return named(subscriptions, sql`coalesce(${subscriptions.name}, '')`);
    case "Actor":
      return named(actors, actors.name);
    case "Contract":
      return db
        .select({ id: contracts.id, name: contracts.name, projectId: dataSources.projectId })
        .from(contracts)
        .innerJoin(dataSources, eq(dataSources.id, contracts.dataSourceId))
        .where(visible(dataSources.projectId, contracts.id, isNull(contracts.archivedAt)));
    default:
      return db
        .select({ id: dataSources.id, name: dataSources.name, projectId: dataSources.projectId })
        .from(dataSources)
        .where(visible(dataSources.projectId, dataSources.id));
  }
}
