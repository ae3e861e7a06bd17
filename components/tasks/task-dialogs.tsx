"use client";
import { messageOf } from "@/components/trpc/errors.ts";
import { Dialog } from "@/components/ui/dialog.tsx";
import { UntilDialog } from "@/components/ui/until-dialog.tsx";
import type { Task } from "@/server/tasks/schema.ts";
import { ResolveForm } from "./resolve-form.tsx";
import type { TaskActions } from "./use-task-actions.ts";

export type Asking = "snooze" | "resolve" | null;

/** The dialogs for snoozing until a chosen time and for resolving. */
export function TaskDialogs({
  task,
  actions,
  asking,
  onAsk,
}: {
  task: Task;
  actions: TaskActions;
  asking: Asking;
  onAsk: (what: Asking) => void;
}) {
  return (
    <>
      <UntilDialog
        open={asking === "snooze"}
        onOpenChange={(open) => onAsk(open ? "snooze" : null)}
        title={`Snooze the task of “${task.name}”`}
        description="It stays open and keeps counting what is found, but is hidden from open work until then."
        confirm="Snooze"
        onConfirm={actions.snoozeUntil}
        explain={messageOf}
      />
      <Dialog
        open={asking === "resolve"}
        onOpenChange={(open) => onAsk(open ? "resolve" : null)}
        title={`Resolve the task of “${task.name}”`}
        description={
          task.contractId === null
            ? "When the query finds rows again, a new task is opened."
            : "When a scheduled run scores below the threshold again, a new task is opened."
        }
        size="sm"
      >
        <ResolveForm onResolve={actions.resolve} onDone={() => onAsk(null)} />
      </Dialog>
    </>
  );
}
