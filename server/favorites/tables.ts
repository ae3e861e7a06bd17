import { integer, pgEnum, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { createdAt, id } from "../db/columns.ts";
import { favoriteKinds } from "./kinds.ts";

export const favoriteKind = pgEnum("favorite_kind", favoriteKinds);

/** What users have starred. Whatever is archived or deleted is left out when they are listed, and back when it is. */
export const favorites = pgTable(
  "favorites",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: favoriteKind().notNull(),
    /** Of the query, subscription, contract, actor, or data source; for a table, of its data source. */
    objectId: integer().notNull(),
    /** Empty unless it is a table. */
    schemaName: text().notNull().default(""),
    tableName: text().notNull().default(""),
    createdAt: createdAt(),
  },
  // A user's favorites, each once.
  (t) => [uniqueIndex("favorites_thing_idx").on(t.userId, t.kind, t.objectId, t.schemaName, t.tableName)],
);
