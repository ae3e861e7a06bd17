import { integer, jsonb, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { principalKind } from "../audit/tables.ts";
import { moment } from "../db/columns.ts";
import { editedKinds, type FieldChange } from "./schema.ts";

export const editedKind = pgEnum("edited_kind", editedKinds);

/**
 * Who changed which fields of something with revisions, for whoever saves an older state of it. Things are named
 * by id without a foreign key, because the kinds belong to domains above. Only the latest edits of each are kept.
 */
export const edits = pgTable(
  "edits",
  {
    kind: editedKind().notNull(),
    objectId: integer().notNull(),
    /** The revision that the edit made. */
    revision: integer().notNull(),
    at: moment().notNull().defaultNow(),
    principalKind: principalKind().notNull(),
    /** The user's id, or the key's. */
    principalId: integer(),
    /** As it was at the time. */
    principalName: text().notNull(),
    changes: jsonb().$type<FieldChange[]>().notNull(),
  },
  (t) => [
    // A revision is made by one edit; also finds the edits since another one.
    primaryKey({ columns: [t.kind, t.objectId, t.revision] }),
  ],
);
