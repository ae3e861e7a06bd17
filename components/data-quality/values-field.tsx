"use client";
import { useState } from "react";
import { Field } from "@/components/ui/field.tsx";
import { plural } from "@/components/ui/format.ts";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useRuleValue } from "./use-rule-value.ts";

/** A list of texts, one per line, as they are: blanks around them count. Empty lines are not part of the value. */
export function ValuesField({
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
  const { value, set, onBlur, error } = useRuleValue(index, name);
  const values = Array.isArray(value) ? value.map(String) : [];
  const [typed, setTyped] = useState("");
  const isOwn = JSON.stringify(linesOf(typed)) === JSON.stringify(values);
  return (
    <Field
      label={label}
      optional={optional}
      error={error}
      hint={values.length > 0 ? plural(values.length, "value") : hint}
    >
      <Textarea
        mono
        rows={Math.min(10, Math.max(3, values.length + 1))}
        spellCheck={false}
        value={isOwn ? typed : values.join("\n")}
        onChange={(event) => {
          setTyped(event.target.value);
          const next = linesOf(event.target.value);
          set(next.length === 0 ? null : next);
        }}
        onBlur={onBlur}
      />
    </Field>
  );
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== "");
