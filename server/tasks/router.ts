import type { z } from "zod";
import { untilWords } from "../audit/until-words.ts";
import { userReference } from "../auth/schema.ts";
import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { bulkProcedures } from "./bulk-procedures.ts";
import {
  assignTaskInput,
  commentOnTaskInput,
  commentSchema,
  listTasksInput,
  prioritizeTaskInput,
  resolveTaskInput,
  snoozeTaskInput,
  taskPageSchema,
  taskSchema,
} from "./schema.ts";
import {
  assignTask,
  commentOnTask,
  getTask,
  listAssignees,
  listComments,
  listTasks,
  prioritizeTask,
  resolveTask,
  snoozeTask,
} from "./service/tasks.ts";

const tag = "Tasks";

export const tasksRouter = router({
  ...bulkProcedures,

  list: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/tasks",
        tag,
        summary: "List tasks, most urgent open ones first",
      },
    })
    .input(listTasksInput)
    .output(taskPageSchema)
    .query(({ ctx, input }) => listTasks(ctx, input)),

  /** A user that a task can be assigned to. */
  assignees: procedureFor("tasks:work")
    .output(listOf(userReference))
    .query(({ ctx }) => listAssignees(ctx)),

  get: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/tasks/{id}", tag, summary: "One task" } })
    .input(byId)
    .output(taskSchema)
    .query(({ ctx, input }) => getTask(ctx, input.id)),

  resolve: procedureFor("tasks:work")
    .meta({
      audit: "task",
      auditDetail: ({ name }: { name: string }) => name,
      rest: { method: "POST", path: "/tasks/{id}/resolve", tag, summary: "Resolve a task" },
    })
    .input(resolveTaskInput)
    .output(taskSchema)
    .mutation(({ ctx, input }) => resolveTask(ctx, input)),

  assign: procedureFor("tasks:work")
    .meta({
      audit: "task",
      auditDetail: ({ name }: { name: string }) => name,
      rest: {
        method: "POST",
        path: "/tasks/{id}/assign",
        tag,
        summary: "Assign or unassign a task",
        problems: ["conflict"],
      },
    })
    .input(assignTaskInput)
    .output(taskSchema)
    .mutation(({ ctx, input }) => assignTask(ctx, input)),

  snooze: procedureFor("tasks:work")
    .meta({
      audit: "task",
      auditAction: ({ until }: z.input<typeof snoozeTaskInput>) => (until ? "tasks.snooze" : "tasks.wake"),
      auditDetail: ({ name, snoozedUntil }: z.output<typeof taskSchema>) => untilWords(name, snoozedUntil),
      rest: {
        method: "POST",
        path: "/tasks/{id}/snooze",
        tag,
        summary: "Snooze a task until a given time, or end the snooze",
        problems: ["conflict"],
      },
    })
    .input(snoozeTaskInput)
    .output(taskSchema)
    .mutation(({ ctx, input }) => snoozeTask(ctx, input)),

  prioritise: procedureFor("tasks:work")
    .meta({
      audit: "task",
      auditDetail: ({ name }: { name: string }) => name,
      rest: {
        method: "POST",
        path: "/tasks/{id}/priority",
        tag,
        summary: "Set a task's priority",
        problems: ["conflict"],
      },
    })
    .input(prioritizeTaskInput)
    .output(taskSchema)
    .mutation(({ ctx, input }) => prioritizeTask(ctx, input)),

  comments: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/tasks/{id}/comments", tag, summary: "A task's comments, oldest first" },
    })
    .input(byId)
    .output(listOf(commentSchema))
    .query(({ ctx, input }) => listComments(ctx, input.id)),

  comment: procedureFor("tasks:work")
    .meta({
      audit: "task",
      auditDetail: () => "",
      rest: {
        method: "POST",
        path: "/tasks/{id}/comments",
        tag,
        summary: "Comment on a task",
        status: 201,
        location: "/tasks/{id}/comments",
      },
    })
    .input(commentOnTaskInput)
    .output(commentSchema)
    .mutation(({ ctx, input }) => commentOnTask(ctx, input)),
});
