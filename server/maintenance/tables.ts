import { sql } from "drizzle-orm";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { createdAt, id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";

/** Times in which nobody is notified: once (`startsAt` and `endsAt`), or repeated (`cronExpression`). */
export const maintenanceWindows = pgTable(
  "maintenance_windows",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text().notNull(),
    reason: text(),
    /** null: all of the project's. */
    dataSourceIds: integer().array(),
    /** Only of tables with one of these tags; null: all. */
    tags: text().array(),
    startsAt: moment(),
    endsAt: moment(),
    cronExpression: text(),
    durationMinutes: integer(),
    timezone: text().notNull().default("UTC"),
    /** When someone ended it early; what begins later counts again. */
    endedAt: moment(),
    /** Incremented by every edit. */
    revision: integer().notNull().default(1),
    createdById: integer().references(() => users.id),
    createdAt: createdAt(),
    removedAt: moment(),
  },
  (t) => [
    // Each run that is about to notify someone asks for its project's windows.
    index("maintenance_windows_project_idx").on(t.projectId).where(sql`${t.removedAt} is null`),
  ],
);
