import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { invalidRequest, Problem } from "../../errors.ts";
import { fieldErrors } from "../../trpc.ts";
import type { ruleFields } from "../rule-schema.ts";
import { type ContractUpdate, maxRules, updateContractInput } from "../schema.ts";
import { type getContract, updateContract } from "./contracts.ts";

type Contract = Awaited<ReturnType<typeof getContract>>;
export type AddedRule = z.input<typeof ruleFields>;

/**
 * A contract with more rules at its end, and otherwise as it is. Throws rejected for more rules than a contract may have,
 * and invalid for one that does not fit its type.
 */
export function withRules(contract: Contract, added: readonly AddedRule[]): ContractUpdate {
  const rules = contract.rules.map(({ id: _, ...each }) => each);
  if (rules.length + added.length > maxRules)
    throw new Problem("rejected", `A contract has at most ${maxRules} rules`);
  const { id, name, description, context, cronExpression, timezone, failureThreshold, enabled } = contract;
  const { dataSourceId, schemaName, tableName } = contract;
  const { alertOnFailure, reminderHours, createTasks, samples, recipients } = contract;
  const parsed = updateContractInput.safeParse({
    ...{ dataSourceId, schemaName, tableName },
    ...{ id, name, description, context, cronExpression, timezone, failureThreshold, enabled },
    ...{ alertOnFailure, reminderHours, createTasks, samples },
    recipientIds: recipients.map((each) => each.id),
    rules: [...rules, ...added],
  });
  if (parsed.success) return parsed.data;
  throw invalidRequest(fieldErrors(parsed.error));
}

/** Throws like `withRules` and `updateContract`. */
export const addRules = (ctx: SignedIn, contract: Contract, added: readonly AddedRule[]) =>
  updateContract(ctx, withRules(contract, added));

/** Whether a stored rule checks the same; where a rule's column stands is a matter of taste. */
export function saysTheSame(
  stored: { type: string; column: string | null; configuration: Record<string, unknown> },
  { type, configuration }: { type: string; configuration: Record<string, unknown> },
): boolean {
  const { column = null, ...own } = configuration;
  const { column: kept = stored.column, ...known } = stored.configuration;
  return stored.type === type && kept === column && isDeepStrictEqual(known, own);
}
