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
  submitAlso,
  onChoose,
  note,
}: {
  isNew: boolean;
  cancelHref: string;
  /** The submit button's text. */
  submit: string;
  /** The text of a second button that saves, too. */
  submitAlso?: string | undefined;
  /** Called before the form is submitted, with whether it is by the second button. */
  onChoose: (also: boolean) => void;
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
      {submitAlso !== undefined && (
        <Button
          // Not a submit button, because Enter in a field would press it.
          disabled={isSubmitting || (!isNew && !isDirty)}
          onClick={({ currentTarget }) => {
            onChoose(true);
            currentTarget.form?.requestSubmit();
          }}
        >
          {submitAlso}
        </Button>
      )}
      <Button
        type="submit"
        variant="primary"
        pending={isSubmitting}
        disabled={!isNew && !isDirty}
        onClick={() => onChoose(false)}
      >
        {submit}
      </Button>
    </ActionBar>
  );
}
