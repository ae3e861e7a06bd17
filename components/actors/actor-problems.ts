import { plainMessage } from "@/components/trpc/plain-message.ts";
import { createActorInput } from "@/server/actors/schema.ts";
import { type ActorForm, actorInputOf } from "./actor-form.ts";

export type Problem = { path: string; message: string };

/** Validation errors, by the same schema that the server uses. */
export function actorProblems(form: ActorForm): Problem[] {
  const read = createActorInput.safeParse(actorInputOf(form));
  const found = new Map<string, string>();
  for (const issue of read.success ? [] : read.error.issues) {
    const path = issue.path.join(".");
    // Report only the first problem of each field.
    if (!found.has(path)) found.set(path, plainMessage(issue.message));
  }
  return [...found].map(([path, message]) => ({ path, message }));
}
