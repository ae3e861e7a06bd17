"use client";
import { useController, useFormContext } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { ParameterKind, SubscriptionForm } from "./subscription-form.ts";

const kinds: { value: ParameterKind; label: string; hint?: string }[] = [
  { value: "text", label: "Text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "True or false" },
  { value: "empty", label: "Empty text" },
  { value: "null", label: "NULL" },
];

/** One query parameter: the kind of value and the value. */
export function ParameterField({ name }: { name: string }) {
  const { control, formState } = useFormContext<SubscriptionForm>();
  const kind = useController({ control, name: `parameters.${name}.kind` }).field;
  const typed = useController({ control, name: `parameters.${name}.typed` }).field;
  const takesText = kind.value === "text" || kind.value === "number";
  return (
    <div className="grid max-w-xl grid-cols-[minmax(0,1fr)_9rem] items-start gap-2">
      <Field label={name} error={formState.errors.parameters?.[name]?.typed}>
        {takesText ? (
          <Input
            mono
            spellCheck={false}
            {...(kind.value === "number" && { inputMode: "decimal" })}
            value={typed.value}
            onChange={typed.onChange}
            onBlur={typed.onBlur}
          />
        ) : kind.value === "boolean" ? (
          <Select
            value={typed.value === "" ? undefined : typed.value}
            onValueChange={typed.onChange}
            options={[
              { value: "true", label: "true" },
              { value: "false", label: "false" },
            ]}
          />
        ) : (
          <Input mono disabled value={kind.value === "null" ? "NULL" : "(empty text)"} readOnly />
        )}
      </Field>
      <div className="pt-5">
        <Select
          aria-label={`What ${name} is`}
          value={kind.value}
          onValueChange={(next) => {
            kind.onChange(next);
            if (next === "boolean" && !["true", "false"].includes(typed.value)) typed.onChange("");
          }}
          options={kinds}
        />
      </div>
    </div>
  );
}
