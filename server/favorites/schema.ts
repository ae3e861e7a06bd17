import { z } from "zod";
import { databaseName, identifier, listOf } from "../db/schema-parts.ts";
import { favoriteKinds } from "./kinds.ts";

/** How many one user can have. */
export const maxFavorites = 100;

const thing = z.strictObject({
  kind: z.enum(favoriteKinds),
  id: identifier,
  schemaName: databaseName.optional(),
  tableName: databaseName.optional(),
});
export type FavoriteThing = z.output<typeof thing>;

export const setFavoriteInput = thing
  .extend({ isFavorite: z.boolean() })
  .refine(({ kind, schemaName, tableName }) => {
    const names = [schemaName, tableName].filter((name) => name !== undefined).length;
    return names === (kind === "Table" ? 2 : 0);
  }, "must name schema and table for a table, and only then");
export type SetFavorite = z.output<typeof setFavoriteInput>;

export const favoriteSchema = z.object({
  kind: z.enum(favoriteKinds),
  id: identifier,
  schemaName: z.string().nullable(),
  tableName: z.string().nullable(),
  /** What it is called now. */
  name: z.string(),
  projectId: identifier,
});
export type Favorite = z.output<typeof favoriteSchema>;
export const favoriteListSchema = listOf(favoriteSchema);
