"use client";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Field, type FieldProblem } from "@/components/ui/field.tsx";
import type { ComboboxGroup } from "@/components/ui/matching.ts";

/** A column: picked, with its type shown, or typed if the table is unknown. */
export function ColumnField({
  label = "Column",
  value,
  onChange,
  groups,
  isLoading,
  error,
  hint,
}: {
  label?: string;
  value: string;
  onChange: (column: string) => void;
  groups: readonly ComboboxGroup[];
  isLoading: boolean;
  error?: FieldProblem;
  hint?: string | undefined;
}) {
  const columns = groups.flatMap((group) => group.items);
  const known = columns.find((item) => item.value === value);
  const isUnknown = columns.length > 0 && value !== "" && !known;
  return (
    <Field
      label={label}
      error={error}
      hint={
        isUnknown
          ? "This column did not exist when the schema was last read."
          : (known?.hint && [known.hint, hint].filter(Boolean).join(". ")) || hint
      }
    >
      <Combobox
        mono
        freeText
        freeTextNote={columns.length > 0 ? "no such column" : undefined}
        value={value}
        onValueChange={onChange}
        groups={groups}
        loading={isLoading}
        placeholder="Choose a column…"
        searchPlaceholder="Search columns, or type a name…"
        empty="No columns are known. Type a name."
      />
    </Field>
  );
}
