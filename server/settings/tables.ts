import { sql } from "drizzle-orm";
import { boolean, integer, pgEnum, pgTable, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { settingsChangeStatuses } from "./schema.ts";

/** What an Admin has set while the service runs: one row. null leaves it to the configuration. */
export const settings = pgTable("settings", {
  /** Always 1, so that there is one row. */
  id: integer().primaryKey(),
  approvalWorkflow: boolean(),
  fourEyes: boolean(),
  updatedAt: updatedAt(),
});

export const settingsChangeStatus = pgEnum("settings_change_status", settingsChangeStatuses);

/** Changes of the settings that another Admin has to approve, or had to. */
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
  // At most one waits.
  (t) => [uniqueIndex("settings_changes_pending_idx").on(t.status).where(sql`${t.status} = 'Pending'`)],
);
