"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { DraftNotice } from "./draft-notice.tsx";

/** Keeps the unsaved changes of the form around it, and offers those of an earlier visit. For no form with secrets. */
export function FormDraft({ of: kind, id }: { of: string; id: number | undefined }) {
  const form = useFormContext();
  const { isDirty, defaultValues = {} } = form.formState;
  const value = useWatch({ control: form.control });
  return (
    <DraftNotice
      thing={`${kind}-${id ?? "new"}`}
      start={defaultValues}
      value={value}
      isDirty={isDirty}
      onRestore={(kept) => form.reset({ ...defaultValues, ...kept }, { keepDefaultValues: true })}
    />
  );
}
