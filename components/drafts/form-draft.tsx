"use client";
import { type FieldValues, useFormContext, useWatch } from "react-hook-form";
import type { EditBase } from "@/components/edits/use-edit-base.ts";
import { DraftNotice } from "./draft-notice.tsx";

/** Keeps the surrounding form's unsaved changes, and offers to restore them later. Not for forms with secrets. */
export function FormDraft<Values extends FieldValues>({
  of: kind,
  id,
  edit,
}: {
  of: string;
  id: number | undefined;
  /** For things with revisions: a restored draft continues from its own base revision, so that no edit is overwritten. */
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
