"use client";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useRuleText } from "./use-rule-value.ts";

/** A condition in SQL, over the columns of the contract's table. */
export function ConditionField({
  index,
  name,
  label,
  hint,
  rows,
  placeholder,
}: {
  index: number;
  name: string;
  label: string;
  hint: string | undefined;
  rows: number;
  placeholder: string;
}) {
  const { value, set, onBlur, error } = useRuleText(index, name);
  return (
    <Field label={label} error={error} hint={hint}>
      <Textarea
        mono
        rows={rows}
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => set(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  );
}
