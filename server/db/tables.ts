import { integer, pgTable } from "drizzle-orm/pg-core";
import { bytes, createdAt, moment } from "./columns.ts";

/** What belongs to the installation as a whole: one row. */
export const installation = pgTable("installation", {
  /** Always 1, so that there is one row. */
  id: integer().primaryKey(),
  /** A known text, encrypted at the first start: it opens with the right ENCRYPTION_KEY alone. */
  keyCheck: bytes().notNull(),
  createdAt: createdAt(),
  /** When the demo had been loaded; it is loaded once, so what people delete of it stays away. */
  demoLoadedAt: moment(),
});
