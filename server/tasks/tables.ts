import { sql } from "drizzle-orm";
import { type AnyPgColumn, index, integer, pgEnum, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { createdAt, id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { queries } from "../queries/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { taskPriorities, taskStatuses } from "./schema.ts";

export const taskStatus = pgEnum("task_status", taskStatuses);
export const taskPriority = pgEnum("task_priority", taskPriorities);

export const tasks = pgTable(
  "tasks",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references((): AnyPgColumn => subscriptions.id),
    /** Copied from the subscription, where they never change. */
    queryId: integer()
      .notNull()
      .references(() => queries.id),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    status: taskStatus().notNull().default("Open"),
    priority: taskPriority().notNull().default("Normal"),
    assigneeId: integer().references(() => users.id),
    snoozedUntil: moment(),
    latestRowCount: integer().notNull(),
    /** The number of executions that have found rows since the task was opened, including the first. */
    executionCount: integer().notNull().default(1),
    createdAt: createdAt(),
    resolvedAt: moment(),
    /** null if the task resolved automatically. */
    resolvedById: integer().references(() => users.id),
    resolutionNotes: text(),
  },
  (t) => [
    // At most one open task per subscription. Also finds open tasks by subscription for Control Tower.
    uniqueIndex("tasks_open_idx").on(t.subscriptionId).where(sql`${t.status} = 'Open'`),
    // A subscription's tasks, newest first.
    index("tasks_subscription_idx").on(t.subscriptionId, t.id.desc().nullsFirst()),
    // The list of a project's tasks, newest first.
    index("tasks_project_idx").on(t.projectId, t.id.desc().nullsFirst()),
    // A user's tasks.
    index("tasks_assignee_idx").on(t.assigneeId).where(sql`${t.status} = 'Open'`),
  ],
);

export const taskComments = pgTable(
  "task_comments",
  {
    id: id(),
    taskId: integer()
      .notNull()
      .references(() => tasks.id),
    userId: integer()
      .notNull()
      .references(() => users.id),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("task_comments_task_idx").on(t.taskId, t.id)],
);
