import type { Facts } from "@/components/trpc/errors.ts";
import { wordsOfPath } from "./result-panel.tsx";
import { homelessProblems } from "./step-problems.ts";

/** What is said above the buttons when saving has failed; what a field says for itself is only pointed to. */
export function saveFailure({ code, message, errors, requestId }: Facts): string {
  if (code === "INTERNAL_SERVER_ERROR" && requestId) return `${message} (request ${requestId})`;
  if (errors.length === 0) return message;
  const homeless = homelessProblems(errors);
  if (homeless.length === 0) return "Some values cannot be used yet; each says why.";
  return homeless.map(({ path, message: wrong }) => `${wordsOfPath(path)} ${wrong}`.trim()).join("; ");
}
