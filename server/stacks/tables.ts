import { index, integer, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { managedKinds } from "./managed-kinds.ts";

export const managedKind = pgEnum("managed_kind", managedKinds);

/**
 * What the files of a stack describe, and thus own. Things are named by id without a foreign key, because the kinds belong
 * to domains above; whoever archives or deletes one also removes its row.
 */
export const managedThings = pgTable(
  "managed_things",
  {
    kind: managedKind().notNull(),
    objectId: integer().notNull(),
    /** null for what belongs to no project. */
    projectId: integer().references(() => projects.id, { onDelete: "cascade" }),
    stack: text().notNull(),
    path: text().notNull(),
    /** Its revision after the last apply. */
    revision: integer().notNull(),
    appliedAt: moment().notNull().defaultNow(),
    appliedBy: text().notNull(),
    /** Since then, an Admin lets people edit it again. The next apply for it ends that. */
    takenOverAt: moment(),
    takenOverBy: text(),
  },
  (t) => [
    // One stack at most owns a thing.
    primaryKey({ columns: [t.kind, t.objectId] }),
    // All of a stack, and of a project that is deleted.
    index("managed_things_stack_idx").on(t.stack),
    index("managed_things_project_idx").on(t.projectId),
  ],
);
