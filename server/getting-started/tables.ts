import { integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import type { GuideStep } from "./steps.ts";

/**
 * What a user does not want to be guided to. Whatever is done is derived from what exists, so only this is stored.
 */
export const guideChoices = pgTable(
  "guide_choices",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** null for what was chosen while no project was: it applies to each that has no choices of its own. */
    projectId: integer().references(() => projects.id, { onDelete: "cascade" }),
    skipped: text().array().$type<GuideStep[]>().notNull().default([]),
    dismissedAt: moment(),
  },
  (t) => [
    // A user's choices for a project.
    unique("guide_choices_user_idx").on(t.userId, t.projectId).nullsNotDistinct(),
  ],
);
