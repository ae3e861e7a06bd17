import type { SignedIn } from "../../auth/principal.ts";
import { dryRunDetail } from "../../data-quality/dry-run-detail.ts";
import { saysTheSame, withRules } from "../../data-quality/service/add-rules.ts";
import { getContract } from "../../data-quality/service/contracts.ts";
import { dryRunContract } from "../../data-quality/service/dry-run.ts";
import { getSchema } from "../../data-sources/service/read-schema.ts";
import { db } from "../../db/client.ts";
import { problemIn, problems } from "../../errors.ts";
import { rejectManaged } from "../../stacks/service.ts";
import { type ContractAction, contractOf, ruleWriteOf } from "../contract-actions.ts";
import type { Evidence } from "../schema.ts";
import type { ActionFacts } from "../tables.ts";

type Proved = { facts: ActionFacts; errors: string[]; evidence: Evidence | null };
type Draft = Parameters<typeof dryRunContract>[1];

const refused = (errors: string[], facts: ActionFacts = {}): Proved => ({ facts, errors, evidence: null });

/**
 * What a reviewer needs to know about rules that an assistant proposes: whether a contract can have them, and what each
 * says today. Throws what a data source that does not answer throws.
 */
export async function proveContractAction(
  ctx: SignedIn,
  dataSourceId: number,
  action: ContractAction,
): Promise<Proved> {
  return action.kind === "CreateContract"
    ? proveNew(ctx, dataSourceId, action)
    : proveAdded(ctx, dataSourceId, action);
}

type Of<Kind extends ContractAction["kind"]> = Extract<ContractAction, { kind: Kind }>;

async function proveNew(ctx: SignedIn, dataSourceId: number, action: Of<"CreateContract">): Promise<Proved> {
  const { write, errors } = contractOf(action, { dataSourceId, recipientIds: [] });
  if (!write) return refused(errors);
  const { items } = await getSchema(ctx, dataSourceId);
  const { schemaName, tableName } = action;
  const isThere = items.some(
    (schema) =>
      schema.schemaName === schemaName && schema.tables.some((table) => table.tableName === tableName),
  );
  if (!isThere) return refused([`The data source has no table ${schemaName}.${tableName}`]);
  return tried(ctx, write, {});
}

async function proveAdded(ctx: SignedIn, dataSourceId: number, action: Of<"AddRules">): Promise<Proved> {
  const { contractId: id, rules } = action;
  try {
    const contract = await getContract(ctx, id);
    if (contract.dataSourceId !== dataSourceId)
      return refused([`Contract ${id} is not of the actor's data source`]);
    const { name: contractName, schemaName, tableName } = contract;
    const facts = { contractName, schemaName, tableName };
    await rejectManaged(db, ctx, { kind: "Contract", id });
    const update = withRules(contract, rules.map(ruleWriteOf));
    const added = update.rules.slice(-rules.length);
    const twice = added.find((rule) => contract.rules.some((each) => saysTheSame(each, rule)));
    if (twice) return refused([`The contract has a rule that checks the same as “${twice.name}”`], facts);
    return tried(ctx, { ...update, rules: added }, facts);
  } catch (error) {
    const problem = problemIn(error);
    if (!problem || !["not_found", "conflict", "rejected", "invalid"].includes(problem.code)) throw error;
    const errors = problem.more.errors?.map(({ path, message }) => `${ownPath(path)} ${message}`);
    return refused(errors ?? [problem.detail]);
  }
}

/** Counted from the contract's first rule, a place says nothing about those that are added. */
const ownPath = (path: string) => path.replace(/^rules\.\d+\./, "");

/** Tries the rules once. One that fails today may be why it is proposed; one that cannot run is none. */
async function tried(ctx: SignedIn, draft: Draft, facts: ActionFacts): Promise<Proved> {
  const end = await ctx.beginRun?.({
    ...{ action: "dataQuality.dryRunContract", objectKind: "dataSource", objectId: draft.dataSourceId },
    detail: dryRunDetail(draft.rules),
  });
  try {
    const { ruleResults } = await dryRunContract(ctx, { ...draft, samples: "Off" });
    await end?.(`${ruleResults.filter(({ passed }) => passed).length} of ${ruleResults.length} passed`);
    const broken = ruleResults.filter(({ couldRun }) => !couldRun);
    const issues = broken.map(({ ruleName, message }) => ({
      ...{ gate: "run" as const, error: `${ruleName}: ${message ?? "could not run"}` },
    }));
    const rules = ruleResults.map(({ ruleName, passed, score, expectedValue, actualValue, message }) => ({
      ...{ name: ruleName, passed, score, expectedValue, actualValue, message },
    }));
    return { facts, errors: [], evidence: { valid: issues.length === 0, issues, rules } };
  } catch (error) {
    const problem = problemIn(error);
    await end?.(problem ? problems[problem.code].title : "Ended in an error");
    throw error;
  }
}
