import { plainMessage } from "@/components/trpc/plain-message.ts";
import { createContractInput } from "@/server/data-quality/schema.ts";
import { type ContractForm, contractInputOf } from "./contract-form.ts";

export type Problem = { path: string; message: string };

/**
 * What the service would refuse, by the same schema that it reads with. Paths are those of the form.
 *
 * The schema looks into the rules' configurations only when everything else is in order. So they are read once
 * more with a target and a schedule that are in order, and a person sees all that is missing at once.
 */
export function problemsOf(form: ContractForm): Problem[] {
  const input = contractInputOf(form);
  const found = new Map<string, Problem>();
  for (const each of [input, { ...inOrder, rules: input.rules.map((rule) => ({ ...rule, weight: 1 })) }]) {
    const read = createContractInput.safeParse(each);
    for (const issue of read.success ? [] : read.error.issues) {
      const path = formPath(issue.path.join("."));
      // The first thing that is wrong with a value is the one to say.
      if (!found.has(path)) found.set(path, { path, message: ruleMessage(issue.message) });
    }
  }
  return [...found.values()];
}

const inOrder = { name: "A name", dataSourceId: 1, tableName: "a_table", cronExpression: "0 0 * * *" };

/** A rule's column is one field here, wherever the service names it. */
export function formPath(path: string): string {
  return path.replace(/^(rules\.\d+)\.column$/, "$1.configuration.column");
}

/** A message in the words of the form. */
export function ruleMessage(message: string): string {
  return boundMessages[message] ?? plainMessage(message);
}

/** What the schema says of two values by their keys, said of the two fields that a person sees. */
const boundMessages: Record<string, string> = {
  "min or max is required": "One of the two bounds is required",
  "minRows or maxRows is required": "One of the two bounds is required",
  "must not be above max": "must not be above the upper bound",
  "must not be above maxRows": "must not be above the upper bound",
};
