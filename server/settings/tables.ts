import { boolean, integer, pgTable } from "drizzle-orm/pg-core";
import { updatedAt } from "../db/columns.ts";

/** What an Admin has set while the service runs: one row. null leaves it to the configuration. */
export const settings = pgTable("settings", {
  /** Always 1, so that there is one row. */
  id: integer().primaryKey(),
  approvalWorkflow: boolean(),
  fourEyes: boolean(),
  updatedAt: updatedAt(),
});
