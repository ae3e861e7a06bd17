import type { FieldErrors, FieldPath, Resolver, UseFormReturn } from "react-hook-form";
import { set } from "react-hook-form";
import { factsOf } from "@/components/trpc/errors.ts";
import type { ContractForm } from "./contract-form.ts";
import { formPath, problemsOf, ruleMessage } from "./contract-problems.ts";

/** Reads the form by the service's own schema, and says what is wrong at the path of each field. */
export const readForm: Resolver<ContractForm> = (values) => {
  const errors: FieldErrors<ContractForm> = {};
  for (const { path, message } of problemsOf(values)) set(errors, path, { type: "invalid", message });
  return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
};

/**
 * Puts what the service refused beside its field; what has none, and every other failure, above the buttons.
 * Answers the places of the rules that something is wrong with.
 */
export function placeProblems(form: UseFormReturn<ContractForm>, error: unknown): number[] {
  const { message, errors, code, requestId } = factsOf(error);
  const fields = Object.keys(form.getValues());
  const homeless: string[] = [];
  const inRules = new Set<number>();
  for (const each of errors) {
    const path = formPath(each.path);
    const rule = /^rules\.(\d+)\./.exec(path)?.[1];
    if (rule !== undefined) inRules.add(Number(rule));
    if (fields.includes(path.split(".")[0] ?? ""))
      form.setError(path as FieldPath<ContractForm>, {
        type: "service",
        message: ruleMessage(each.message),
      });
    else homeless.push(`${each.path} ${each.message}`);
  }
  if (errors.length > 0 && homeless.length === 0) return [...inRules];
  const quoted = code === "INTERNAL_SERVER_ERROR" && requestId ? ` (request ${requestId})` : "";
  form.setError("root", { type: "service", message: homeless.join("; ") || `${message}${quoted}` });
  return [...inRules];
}

/** The places of the rules that something is wrong with. */
export function rulesWithProblems({ rules }: FieldErrors<ContractForm>): number[] {
  if (!rules) return [];
  return Object.keys(rules)
    .filter((key) => /^\d+$/.test(key) && rules[Number(key)] !== undefined)
    .map(Number);
}
