import { integer, pgTable } from "drizzle-orm/pg-core";
import { moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";

/**
 * Projects in which nothing needs attention, and since when; looked at every minute. What waits for somebody's decision
 * is not included, since it depends on who looks: its own times say when it ended.
 */
export const clearProjects = pgTable("clear_projects", {
  projectId: integer()
    .primaryKey()
    .references(() => projects.id, { onDelete: "cascade" }),
  since: moment().notNull().defaultNow(),
});
