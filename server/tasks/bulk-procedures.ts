import { bulkProcedure } from "../bulk.ts";
import { assignTaskInput, prioritizeTaskInput, resolveTaskInput, snoozeTaskInput } from "./schema.ts";
import { assignTask, prioritizeTask, resolveTask, snoozeTask } from "./service/tasks.ts";

const about = { object: "task", tag: "Tasks" };

/** What can be done to many tasks at once. */
export const bulkProcedures = {
  assignMany: bulkProcedure(
    "tasks:work",
    { ...about, path: "/bulk/tasks/assign", summary: "Assign or unassign tasks" },
    { userId: assignTaskInput.shape.userId },
    assignTask,
  ),

  snoozeMany: bulkProcedure(
    "tasks:work",
    {
      ...about,
      path: "/bulk/tasks/snooze",
      summary: "Snooze tasks until a given time, or end their snoozes",
    },
    { until: snoozeTaskInput.shape.until },
    snoozeTask,
  ),

  prioritizeMany: bulkProcedure(
    "tasks:work",
    { ...about, path: "/bulk/tasks/priority", summary: "Set the priority of tasks" },
    { priority: prioritizeTaskInput.shape.priority },
    prioritizeTask,
  ),

  resolveMany: bulkProcedure(
    "tasks:work",
    { ...about, path: "/bulk/tasks/resolve", summary: "Resolve tasks" },
    { resolutionNotes: resolveTaskInput.shape.resolutionNotes },
    resolveTask,
  ),
};
