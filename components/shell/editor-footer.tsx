"use client";
import type { ReactNode } from "react";
import { useFormContext } from "react-hook-form";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";

/** What saving will do, and the buttons; in view wherever the page is scrolled to. */
export function EditorFooter({
  isNew,
  cancelHref,
  submit,
  note,
}: {
  isNew: boolean;
  cancelHref: string;
  /** The act, as the button's text. */
  submit: string;
  /** What it comes to. */
  note: ReactNode;
}) {
  const { errors, isSubmitting, isDirty, submitCount } = useFormContext().formState;
  const wantsCare = submitCount > 0 && !errors.root && Object.keys(errors).length > 0;
  return (
    <div className="sticky bottom-0 z-20 -mx-4 border-t bg-canvas px-4 py-3 sm:-mx-6 sm:px-6">
      {(errors.root?.message || wantsCare) && (
        <div className="pb-3">
          <FormError>{errors.root?.message ?? "Some values cannot be used yet; each says why."}</FormError>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto max-w-2xl text-xs text-ink-2">
          {isNew || isDirty ? note : "Nothing is changed yet."}
        </p>
        <ButtonLink href={cancelHref}>Cancel</ButtonLink>
        <Button type="submit" variant="primary" pending={isSubmitting} disabled={!isNew && !isDirty}>
          {submit}
        </Button>
      </div>
    </div>
  );
}
