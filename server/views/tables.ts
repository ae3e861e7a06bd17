import { sql } from "drizzle-orm";
import { boolean, index, integer, pgEnum, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { createdAt, id } from "../db/columns.ts";
import { viewPages } from "./schema.ts";

export const viewPage = pgEnum("view_page", viewPages);

/** The filters of a list under a name, for the user who saved them or for everyone. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    page: viewPage().notNull(),
    name: text().notNull(),
    /** As in the page's URL, without its page number. */
    filters: text().notNull(),
    isShared: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    // A user's names differ; also finds their views.
    uniqueIndex("saved_views_name_idx").on(t.userId, t.page, t.name),
    // The views that everyone has.
    index("saved_views_shared_idx").on(t.page).where(sql`${t.isShared}`),
  ],
);
