"use client";
import type { ReactNode } from "react";
import { useFormContext } from "react-hook-form";
import { Button, ButtonLink } from "../ui/button.tsx";
import { ActionBar } from "./action-bar.tsx";

export const someInvalid = "Some values are not valid yet; see the messages beside them.";

/** What saving the form will do, with the buttons. */
export function EditorFooter({
  isNew,
  cancelHref,
  submit,
  note,
}: {
  isNew: boolean;
  cancelHref: string;
  /** The submit button's text. */
  submit: string;
  /** What saving will do. */
  note: ReactNode;
}) {
  const { errors, isSubmitting, isDirty, submitCount } = useFormContext().formState;
  const isInvalid = submitCount > 0 && Object.keys(errors).length > 0;
  return (
    <ActionBar
      note={isNew || isDirty ? note : "No changes yet."}
      failure={errors.root?.message ?? (isInvalid && someInvalid)}
    >
      <ButtonLink href={cancelHref}>Cancel</ButtonLink>
      <Button type="submit" variant="primary" pending={isSubmitting} disabled={!isNew && !isDirty}>
        {submit}
      </Button>
    </ActionBar>
  );
}
