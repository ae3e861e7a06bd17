import { sql } from "drizzle-orm";
import { boolean, integer, pgEnum, pgTable, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { settingsChangeStatuses } from "./schema.ts";

/** The settings made by an Admin: one row. null means the configuration applies. */
export const settings = pgTable("settings", {
  /** Always 1, to allow only one row. */
  id: integer().primaryKey(),
  approvalWorkflow: boolean(),
  fourEyes: boolean(),
  /** Incremented by every edit; 1 while there is no row. */
  revision: integer().notNull().default(1),
  updatedAt: updatedAt(),
});

export const settingsChangeStatus = pgEnum("settings_change_status", settingsChangeStatuses);

/** Settings changes that need or needed another Admin's approval. */
export const settingsChanges = pgTable(
  "settings_changes",
  {
    id: id(),
    status: settingsChangeStatus().notNull().default("Pending"),
    approvalWorkflow: boolean().notNull(),
    fourEyes: boolean().notNull(),
    requestedById: integer()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    decidedById: integer().references(() => users.id),
    decidedAt: moment(),
  },
  // At most one is pending.
  (t) => [uniqueIndex("settings_changes_pending_idx").on(t.status).where(sql`${t.status} = 'Pending'`)],
);
