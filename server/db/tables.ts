import { integer, pgTable } from "drizzle-orm/pg-core";
import { bytes, createdAt, moment } from "./columns.ts";

/** Facts about the whole installation, in one row. */
export const installation = pgTable("installation", {
  /** Always 1, so that there is only one row. */
  id: integer().primaryKey(),
  /** A known text, encrypted on first start. Only the right ENCRYPTION_KEY decrypts it. */
  keyCheck: bytes().notNull(),
  createdAt: createdAt(),
  /** When the demo was loaded. It is loaded once, so that parts that users delete stay deleted. */
  demoLoadedAt: moment(),
});
