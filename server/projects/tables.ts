import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, id } from "../db/columns.ts";

export const projects = pgTable("projects", {
  id: id(),
  name: text().notNull(),
  description: text(),
  /** Incremented by every edit. */
  revision: integer().notNull().default(1),
  createdAt: createdAt(),
});
