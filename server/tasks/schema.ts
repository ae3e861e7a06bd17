import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import {
  byId,
  identifier,
  momentIn,
  momentOut,
  pageOf,
  paging,
  searching,
  sorting,
  text,
} from "../db/schema-parts.ts";
import { taskPriorities, taskStatuses } from "./kinds.ts";

export const taskSorts = ["Urgency", "Name", "Rows", "Found", "Opened"] as const;
export type TaskSort = (typeof taskSorts)[number];

export const taskSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    subscriptionId: identifier.nullable().meta({ description: "null if a contract opened it" }),
    contractId: identifier.nullable().meta({ description: "null if a subscription opened it" }),
    queryName: z.string().nullable().meta({ description: "Of the subscription" }),
    subscriptionName: z.string().nullable().meta({ description: "The subscription's title" }),
    name: z.string().meta({ description: "Of the subscription's query, or of the contract" }),
    status: z.enum(taskStatuses),
    priority: z.enum(taskPriorities),
    assignee: userReference.nullable(),
    snoozedUntil: momentOut.nullable(),
    latestRowCount: z.int().meta({ description: "0 for a contract" }),
    latestScore: z.number().nullable().meta({ description: "Of the contract's latest scheduled evaluation" }),
    executionCount: z.int().meta({
      description:
        "Number of executions that found rows, or evaluations below the threshold, since the task was opened, including the first",
    }),
    createdAt: momentOut,
    resolvedAt: momentOut.nullable(),
    resolvedBy: userReference.nullable().meta({ description: "null if the task resolved automatically" }),
    resolutionNotes: z.string().nullable(),
  })
  .meta({ id: "Task" });
export type Task = z.output<typeof taskSchema>;
export const taskPageSchema = pageOf(taskSchema);

export const commentSchema = z
  .object({ id: identifier, user: userReference, text: z.string(), createdAt: momentOut })
  .meta({ id: "Comment" });
export type Comment = z.output<typeof commentSchema>;

export const listTasksInput = z.strictObject({
  projectId: identifier.optional(),
  subscriptionId: identifier.optional(),
  contractId: identifier.optional(),
  status: z.enum(taskStatuses).optional(),
  priority: z.enum(taskPriorities).optional(),
  assigneeId: identifier.optional(),
  unassigned: z.boolean().optional(),
  snoozed: z.boolean().optional(),
  ...searching("the name of the query or contract"),
  ...paging,
  ...sorting(taskSorts, "Urgency", {
    description:
      "Urgency: open ones first, most urgent first, newest first. Opened: newest first. Rows and Found: most first",
  }),
});
export type ListTasks = z.output<typeof listTasksInput>;

export const snoozeTaskInput = byId.extend({
  until: momentIn.nullish().meta({ description: "null or omitted ends the snooze" }),
});
export const assignTaskInput = byId.extend({
  userId: identifier.nullish().meta({ description: "null or omitted unassigns it" }),
  unlessAssigned: z
    .boolean()
    .optional()
    .meta({ description: "true: 409 if someone else has it, so that nobody's task is taken away" }),
});
export const prioritizeTaskInput = byId.extend({ priority: z.enum(taskPriorities) });
export const resolveTaskInput = byId.extend({ resolutionNotes: text(4000).nullish() });
export const commentOnTaskInput = byId.extend({ text: text(4000).trim().min(1, "is required") });
