"use client";
import { type FieldValues, useFormContext, useWatch } from "react-hook-form";
import type { EditBase } from "@/components/edits/use-edit-base.ts";
import { DraftNotice } from "./draft-notice.tsx";

/** Keeps the unsaved changes of the form around it, and offers those of an earlier visit. For no form with secrets. */
export function FormDraft<Values extends FieldValues>({
  of: kind,
  id,
  edit,
}: {
  of: string;
  id: number | undefined;
  /** Of what has revisions: a draft goes on from the one that it began from, so that nobody's edit is lost. */
  edit?: Pick<EditBase<Values>, "base" | "continueFrom">;
}) {
  const form = useFormContext<Values>();
  const { isDirty, defaultValues = {} } = form.formState;
  const value = useWatch({ control: form.control });
  return (
    <DraftNotice
      thing={`${kind}-${id ?? "new"}`}
      start={defaultValues}
      value={value}
      isDirty={isDirty}
      revision={edit?.base?.revision}
      onRestore={(kept, { from, revision }) => {
        const values = { ...defaultValues, ...kept } as Values;
        if (edit && revision !== undefined) edit.continueFrom({ revision, values: JSON.parse(from) }, values);
        else form.reset(values, { keepDefaultValues: true });
      }}
    />
  );
}
