import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { byId, identifier, momentIn, momentOut, pageOf, paging, text } from "../db/schema-parts.ts";

export const taskStatuses = ["Open", "Resolved"] as const;
/** Least to most urgent. */
export const taskPriorities = ["Low", "Normal", "High", "Critical"] as const;
export type TaskPriority = (typeof taskPriorities)[number];

export const taskSchema = z
  .object({
    id: identifier,
    subscriptionId: identifier,
    queryName: z.string(),
    status: z.enum(taskStatuses),
    priority: z.enum(taskPriorities),
    assignee: userReference.nullable(),
    snoozedUntil: momentOut.nullable(),
    latestRowCount: z.int(),
    executionCount: z.int().meta({
      description: "Number of executions that found rows since the task was opened, including the first",
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
  status: z.enum(taskStatuses).optional(),
  assigneeId: identifier.optional(),
  ...paging,
});

export const snoozeTaskInput = byId.extend({
  until: momentIn.nullish().meta({ description: "null or omitted ends the snooze" }),
});
export const assignTaskInput = byId.extend({
  userId: identifier.nullish().meta({ description: "null or omitted unassigns it" }),
});
export const prioritizeTaskInput = byId.extend({ priority: z.enum(taskPriorities) });
export const resolveTaskInput = byId.extend({ resolutionNotes: text(4000).nullish() });
export const commentOnTaskInput = byId.extend({ text: text(4000).trim().min(1, "is required") });
