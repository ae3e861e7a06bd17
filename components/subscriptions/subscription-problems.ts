import { plainMessage } from "@/components/trpc/plain-message.ts";
import { createSubscriptionInput } from "@/server/subscriptions/schema.ts";
import {
  numberIn,
  type ParameterForm,
  type SubscriptionForm,
  subscriptionInputOf,
} from "./subscription-form.ts";

export type Problem = { path: string; message: string };

/** Validation errors, by the same schema that the server uses, plus likely mistakes. */
export function problemsOf(form: SubscriptionForm): Problem[] {
  const found = new Map<string, string>();
  for (const [name, parameter] of Object.entries(form.parameters)) {
    const message = parameterProblem(parameter);
    if (message) found.set(`parameters.${name}.typed`, message);
  }
  const read = createSubscriptionInput.safeParse({ ...subscriptionInputOf(form), parameters: {} });
  for (const issue of read.success ? [] : read.error.issues) {
    const path = issue.path.join(".");
    // Report only the first problem of each field.
    if (!found.has(path)) found.set(path, plainMessage(issue.message));
  }
  return [...found].map(([path, message]) => ({ path, message }));
}

/** An omitted value would be bound as an empty text, and the query would never find anything. */
function parameterProblem({ kind, typed }: ParameterForm): string | null {
  if (kind === "null" || kind === "empty") return null;
  if (typed.trim() === "") return "is required";
  if (kind === "number" && typeof numberIn(typed) !== "number") return "must be a number";
  if (kind === "text" && typed.length > 10_000) return "must have at most 10000 characters";
  return null;
}

/** The server reports a parameter; its form field is the typed value. */
export function formPath(path: string): string {
  return path.replace(/^(parameters\.[^.]+)$/, "$1.typed");
}
