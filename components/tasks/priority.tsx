/** Priority: how urgent a task is, as an icon with its own shape and a word. */
import { Status } from "@/components/ui/status.tsx";
import type { TaskPriority } from "@/server/tasks/kinds.ts";
import { priorityLooks } from "./task-words.ts";

export function Priority({ priority }: { priority: TaskPriority }) {
  return <Status {...priorityLooks[priority]}>{priority}</Status>;
}
