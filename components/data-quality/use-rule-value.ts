"use client";
import { useState } from "react";
import { get, useController, useFormContext, useFormState } from "react-hook-form";
import type { ConfigurationValue, ContractForm } from "./contract-form.ts";

/** One configuration value of a rule, with its error. */
export function useRuleValue(index: number, key: string) {
  const { control } = useFormContext<ContractForm>();
  const name = `rules.${index}.configuration.${key}` as const;
  const { field } = useController({ control, name });
  const { errors } = useFormState({ control, name });
  return {
    value: (field.value ?? null) as ConfigurationValue,
    set: (value: ConfigurationValue) => field.onChange(value === "" ? null : value),
    onBlur: field.onBlur,
    error: (get(errors, name) as { message?: string } | undefined)?.message,
  };
}

/** A text value; "" if not set. */
export function useRuleText(index: number, key: string) {
  const { value, ...rest } = useRuleValue(index, key);
  return { ...rest, value: value === null ? "" : String(value) };
}

/**
 * A value parsed from typed text. The text stays as typed ("0.10", "1e") as long as it still represents the
 * value.
 */
export function useTypedValue(index: number, key: string, read: (typed: string) => ConfigurationValue) {
  const { value, set, ...rest } = useRuleValue(index, key);
  const [typed, setTyped] = useState("");
  return {
    ...rest,
    typed: read(typed) === value ? typed : value === null ? "" : String(value),
    type: (text: string) => {
      setTyped(text);
      set(read(text));
    },
  };
}
