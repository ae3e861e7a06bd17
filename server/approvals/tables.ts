import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { createdAt, id } from "../db/columns.ts";
import { queryApprovals } from "../queries/tables.ts";

/** What people say about a request, in plain text. */
export const approvalComments = pgTable(
  "approval_comments",
  {
    id: id(),
    approvalId: integer()
      .notNull()
      .references(() => queryApprovals.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  // A request's comments, oldest first.
  (t) => [index("approval_comments_approval_idx").on(t.approvalId, t.id)],
);
