import type { FieldErrors, UseFormReturn } from "react-hook-form";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import type { ContractForm } from "./contract-form.ts";
import { formPath, ruleMessage } from "./form-paths.ts";

/** Shows the server's errors on their fields. Returns the indexes of the invalid rules. */
export function placeProblems(form: UseFormReturn<ContractForm>, error: unknown): number[] {
  const paths = applyFieldErrors(form, error, { pathOf: formPath, wordsOf: ruleMessage });
  return [...new Set(paths.flatMap((path) => /^rules\.(\d+)\./.exec(path)?.[1] ?? []))].map(Number);
}

/** The indexes of the invalid rules. */
export function rulesWithProblems({ rules }: FieldErrors<ContractForm>): number[] {
  if (!rules) return [];
  return Object.keys(rules)
    .filter((key) => /^\d+$/.test(key) && rules[Number(key)] !== undefined)
    .map(Number);
}
