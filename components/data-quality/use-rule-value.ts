"use client";
import { get, useController, useFormContext, useFormState } from "react-hook-form";
import type { ContractForm } from "./contract-form.ts";

/** One value of one rule's configuration, with what is wrong with it. */
export function useRuleValue(index: number, key: string) {
  const { control } = useFormContext<ContractForm>();
  const name = `rules.${index}.configuration.${key}` as const;
  const { field } = useController({ control, name });
  const { errors } = useFormState({ control, name });
  return {
    value: field.value ?? "",
    set: (value: string) => field.onChange(value),
    onBlur: field.onBlur,
    error: (get(errors, name) as { message?: string } | undefined)?.message,
  };
}
