import { ArrowDown, ArrowUp, ChevronsUp, Equal, type LucideIcon } from "@/components/ui/icons.tsx";
import type { StatusKind } from "@/components/ui/status.tsx";
import type { TaskPriority } from "@/server/tasks/kinds.ts";
import type { Task } from "@/server/tasks/schema.ts";

/** A priority's icon and word. */
export const priorityLooks: Record<TaskPriority, { kind: StatusKind; icon: LucideIcon }> = {
  Low: { kind: "neutral", icon: ArrowDown },
  Normal: { kind: "neutral", icon: Equal },
  High: { kind: "warning", icon: ArrowUp },
  Critical: { kind: "critical", icon: ChevronsUp },
};

/** Whether it is snoozed now. `now` is null before the time is known. */
export function isSnoozed(
  { status, snoozedUntil }: Pick<Task, "status" | "snoozedUntil">,
  now: number | null,
): boolean {
  return status === "Open" && snoozedUntil !== null && (now === null || Date.parse(snoozedUntil) > now);
}

/** How often rows were found while it was open, including the first time. */
export function foundWords(executionCount: number): string {
  return executionCount === 1 ? "once" : `${executionCount} times`;
}
