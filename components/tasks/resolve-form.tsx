"use client";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";

const maxCharacters = 4000;

/** The form of a dialog that resolves a task or an incident, with notes about it. */
export function ResolveForm({
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
