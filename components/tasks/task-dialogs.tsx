"use client";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { UntilDialog } from "@/components/ui/until-dialog.tsx";
import type { Task } from "@/server/tasks/schema.ts";
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

const maxCharacters = 4000;

function ResolveForm({
  onResolve,
  onDone,
}: {
  onResolve: (notes: string) => Promise<void>;
  onDone: () => void;
}) {
  const [notes, setNotes] = useState("");
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isTooLong = notes.length > maxCharacters;
  const act = async (event?: FormEvent) => {
    event?.preventDefault();
    if (pending || isTooLong) return;
    setPending(true);
    setFailure(null);
    try {
      await onResolve(notes);
      onDone();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setPending(false);
    }
  };
  const submitOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void act();
  };
  return (
    <form onSubmit={act} noValidate className="flex flex-col gap-4">
      <Field
        label="Notes"
        optional
        error={isTooLong ? `must have at most ${maxCharacters} characters` : null}
        hint={
          <>
            What was wrong, and what was done. <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> resolves it.
          </>
        }
      >
        <Textarea
          data-autofocus
          rows={4}
          value={notes}
          onChange={(event) => setNotes(event.target.value)}
          onKeyDown={submitOnEnter}
        />
      </Field>
      <FormError>{failure}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending}>
          Resolve
        </Button>
      </DialogFooter>
    </form>
  );
}
