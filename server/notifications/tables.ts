import { boolean, index, integer, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, createdAt, id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { recipientTypes } from "./schema.ts";

export const recipientType = pgEnum("recipient_type", recipientTypes);

export const recipients = pgTable(
  "recipients",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    name: text().notNull(),
    type: recipientType().notNull(),
    destination: text().notNull(),
    enabled: boolean().notNull().default(true),
    /** A webhook's signing secret, encrypted; shown once when it is made. */
    signingSecret: bytes(),
    createdAt: createdAt(),
    archivedAt: moment(),
  },
  (t) => [
    // The recipients of a project, in every picker.
    index("recipients_project_idx").on(t.projectId),
  ],
);
