import type { Facts } from "@/components/trpc/errors.ts";
import { wordsOfPath } from "./result-panel.tsx";
import { unplacedProblems } from "./step-problems.ts";

/** The message above the buttons after a failed save; errors shown on fields are only referred to. */
export function saveFailure({ code, message, errors, requestId }: Facts): string {
  if (code === "INTERNAL_SERVER_ERROR" && requestId) return `${message} (request ${requestId})`;
  if (errors.length === 0) return message;
  const homeless = unplacedProblems(errors);
  if (homeless.length === 0) return "Some values are not valid yet; see the messages beside them.";
  return homeless.map(({ path, message: wrong }) => `${wordsOfPath(path)} ${wrong}`.trim()).join("; ");
}
