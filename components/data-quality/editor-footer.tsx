"use client";
import { useFormContext } from "react-hook-form";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { FormError } from "@/components/ui/field.tsx";
import type { ContractForm } from "./contract-form.ts";

/** What saving will do, and the buttons; in view wherever the page is scrolled to. */
export function EditorFooter({ isNew, cancelHref }: { isNew: boolean; cancelHref: string }) {
  const { errors, isSubmitting, isDirty, submitCount } = useFormContext<ContractForm>().formState;
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
          {isNew
            ? "It is evaluated at its next run; you can also evaluate it by hand at once."
            : isDirty
              ? "Saving replaces the contract's rules, and removes the results per rule of past evaluations. Their scores and counts stay."
              : "Nothing is changed yet."}
        </p>
        <ButtonLink href={cancelHref}>Cancel</ButtonLink>
        <Button type="submit" variant="primary" pending={isSubmitting} disabled={!isNew && !isDirty}>
          {isNew ? "Create contract" : "Save contract"}
        </Button>
      </div>
    </div>
  );
}
