import { z } from "zod";
import { ruleFields } from "../data-quality/rule-schema.ts";
import { ruleSentence } from "../data-quality/rules/rule-sentence.ts";
import { createContractInput } from "../data-quality/schema.ts";
import { identifier } from "../db/schema-parts.ts";
import { fieldErrors } from "../trpc.ts";

/**
 * What only assistants propose: rules, of a new contract or of one that is there. Models that actors ask propose none,
 * since servers with structured output take no configuration that depends on a type.
 */

/** The API's names for it; what is the same in each contract's rules is left out. */
const ruleIn = ruleFields.omit({ key: true, enabled: true });

/** A rule, or the finding whose rule it is. */
const proposedRuleIn = ruleIn
  .partial({ name: true, type: true })
  .extend({ findingId: identifier.optional() })
  .superRefine(({ findingId, name, type, column, configuration }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (findingId === undefined) {
      if (name === undefined) issue("name", "is required without findingId");
      if (type === undefined) issue("type", "is required without findingId");
    } else if (
      name !== undefined ||
      type !== undefined ||
      column != null ||
      Object.keys(configuration).length > 0
    )
      issue("findingId", "says the whole rule");
  });

/** Each with a finding's rule in place of its id alone, as it is stored and run. */
const resolvedRule = ruleIn.extend({ findingId: identifier.nullable() });
export type ResolvedRule = z.output<typeof resolvedRule>;

const reasoning = z.string();
const createContract = {
  kind: z.literal("CreateContract"),
  reasoning,
  name: z.string(),
  schemaName: z.string(),
  tableName: z.string(),
  cronExpression: z.string(),
  timezone: z.string(),
};
const addRules = { kind: z.literal("AddRules"), reasoning, contractId: z.int() };

export const assistantContractActions = [
  z.strictObject({
    ...createContract,
    rules: z.array(proposedRuleIn).min(1, "needs at least one rule").max(50),
  }),
  z.strictObject({ ...addRules, rules: z.array(proposedRuleIn).min(1, "needs at least one rule").max(50) }),
] as const;

const contractAction = z.discriminatedUnion("kind", [
  z.strictObject({ ...createContract, rules: z.array(resolvedRule) }),
  z.strictObject({ ...addRules, rules: z.array(resolvedRule) }),
]);
export type ContractAction = z.output<typeof contractAction>;
export type AssistantContractAction = z.output<(typeof assistantContractActions)[number]>;

export const isContractAction = <Action extends { kind: string }>(
  action: Action,
): action is Extract<Action, { kind: "CreateContract" | "AddRules" }> =>
  action.kind === "CreateContract" || action.kind === "AddRules";

/** What a rule checks, in words. */
export function sentenceOf({ type, column, severity, weight, configuration }: ResolvedRule): string {
  const written = { ...(column != null && { column }), ...configuration };
  return ruleSentence({ type, severity, weight, configuration: written });
}

/** A rule as a contract takes it. */
export const ruleWriteOf = ({ findingId: _, ...rule }: ResolvedRule) => rule;

/** The contract that an action creates, or why there can be none: its path and message, of each field. */
export function contractOf(
  {
    name,
    schemaName,
    tableName,
    cronExpression,
    timezone,
    rules,
  }: Extract<ContractAction, { kind: "CreateContract" }>,
  { dataSourceId, recipientIds }: { dataSourceId: number; recipientIds: readonly number[] },
) {
  const parsed = createContractInput.safeParse({
    ...{ name: name.trim(), dataSourceId, schemaName, tableName, cronExpression, timezone },
    ...{ recipientIds: [...recipientIds], rules: rules.map(ruleWriteOf) },
  });
  return parsed.success
    ? { write: parsed.data, errors: [] }
    : { write: null, errors: fieldErrors(parsed.error).map(({ path, message }) => `${path} ${message}`) };
}
