import { plainMessage } from "@/components/trpc/plain-message.ts";

/** Where the server's problems are in the form, and in its words. A page loads this at once, and the schemas later. */

/** A rule's column is one field in the form, under whatever path the server reports it. */
export function formPath(path: string): string {
  return path.replace(/^(rules\.\d+)\.column$/, "$1.configuration.column");
}

/** A message in the form's terms. */
export function ruleMessage(message: string): string {
  return boundMessages[message] ?? plainMessage(message);
}

/** Messages about two configuration keys, reworded with their field labels. */
const boundMessages: Record<string, string> = {
  "min or max is required": "One of the two bounds is required",
  "minRows or maxRows is required": "One of the two bounds is required",
  "must not be above max": "must not be above the upper bound",
  "must not be above maxRows": "must not be above the upper bound",
};
