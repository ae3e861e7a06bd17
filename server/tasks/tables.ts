import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  numeric,
  pgEnum,
  pgTable,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { changed, createdAt, id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { queries } from "../queries/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { taskPriorities, taskStatuses } from "./kinds.ts";

export const taskStatus = pgEnum("task_status", taskStatuses);
export const taskPriority = pgEnum("task_priority", taskPriorities);

export const tasks = pgTable(
  "tasks",
  {
    id: id(),
    /** What opened it: a subscription, or a contract whose score was below its threshold. */
    subscriptionId: integer().references((): AnyPgColumn => subscriptions.id),
    contractId: integer().references((): AnyPgColumn => contracts.id),
    /** Copied from the subscription, where it never changes. */
    queryId: integer().references(() => queries.id),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    status: taskStatus().notNull().default("Open"),
    priority: taskPriority().notNull().default("Normal"),
    assigneeId: integer().references(() => users.id),
    snoozedUntil: moment(),
    /** What a subscription's latest execution found; 0 for a contract. */
    latestRowCount: integer().notNull(),
    /** The score of a contract's latest scheduled evaluation. */
    latestScore: numeric({ precision: 5, scale: 2, mode: "number" }),
    /**
     * The number of executions that have found rows, or of evaluations below the threshold, since the task was opened,
     * including the first.
     */
    executionCount: integer().notNull().default(1),
    createdAt: createdAt(),
    resolvedAt: moment(),
    /** null if the task resolved automatically. */
    resolvedById: integer().references(() => users.id),
    resolutionNotes: text(),
    changed: changed(),
  },
  (t) => [
    // Those of which Control Tower reads the subscription again.
    index("tasks_changed_idx").on(t.changed).where(sql`${t.subscriptionId} is not null`),
    check("tasks_source_check", sql`num_nonnulls(${t.subscriptionId}, ${t.contractId}) = 1`),
    // At most one open task per contract.
    uniqueIndex("tasks_open_contract_idx").on(t.contractId).where(sql`${t.status} = 'Open'`),
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
