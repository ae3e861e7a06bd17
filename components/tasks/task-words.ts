import { ArrowDown, ArrowUp, ChevronsUp, Equal, type LucideIcon } from "lucide-react";
import type { StatusKind } from "@/components/ui/status.tsx";
import type { Task, TaskPriority } from "@/server/tasks/schema.ts";

/** How urgent a task is, in an icon and a word. */
export const priorityLooks: Record<TaskPriority, { kind: StatusKind; icon: LucideIcon }> = {
  Low: { kind: "neutral", icon: ArrowDown },
  Normal: { kind: "neutral", icon: Equal },
  High: { kind: "warning", icon: ArrowUp },
  Critical: { kind: "critical", icon: ChevronsUp },
};

/** Whether it is put off now. `now` is null where the time is not known yet. */
export function isSnoozed(
  { status, snoozedUntil }: Pick<Task, "status" | "snoozedUntil">,
  now: number | null,
): boolean {
  return status === "Open" && snoozedUntil !== null && (now === null || Date.parse(snoozedUntil) > now);
}

/** How often rows were found while it was open, the first time included. */
export function foundWords(executionCount: number): string {
  return executionCount === 1 ? "once" : `${executionCount} times`;
}
