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
  optional,
}: {
  index: number;
  name: string;
  label: string;
  hint: string | undefined;
  optional: boolean;
}) {
  const { value, set, onBlur, error } = useRuleText(index, name);
  return (
    <Field label={label} error={error} hint={hint} optional={optional}>
      <Textarea
        mono
        rows={optional ? 2 : 3}
        spellCheck={false}
        placeholder={optional ? "status <> 'draft'" : "paid_at >= ordered_at"}
        value={value}
        onChange={(event) => set(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  );
}
