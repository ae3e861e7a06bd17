import { createContractInput } from "@/server/data-quality/schema.ts";
import { type ContractForm, contractInputOf } from "./contract-form.ts";
import { formPath, ruleMessage } from "./form-paths.ts";

export type Problem = { path: string; message: string };

/**
 * Validation errors, by the same schema that the server uses. Paths are form paths.
 *
 * The schema checks rule configurations only if everything else is valid. So they are checked again with a valid
 * target and schedule, and people see all problems at once.
 */
export function problemsOf(form: ContractForm): Problem[] {
  if (form.rulesText !== null)
    return [{ path: "rules", message: "The YAML is not valid yet; see the lines above." }];
  const input = contractInputOf(form);
  const found = new Map<string, Problem>();
  for (const each of [input, { ...inOrder, rules: input.rules.map((rule) => ({ ...rule, weight: 1 })) }]) {
    const read = createContractInput.safeParse(each);
    for (const issue of read.success ? [] : read.error.issues) {
      const path = formPath(issue.path.join("."));
      // Report only the first problem of each field.
      if (!found.has(path)) found.set(path, { path, message: ruleMessage(issue.message) });
    }
  }
  return [...found.values()];
}

const inOrder = { name: "A name", dataSourceId: 1, tableName: "a_table", cronExpression: "0 0 * * *" };
