import type { SignedIn } from "../../auth/principal.ts";
import { type FieldError, problemIn } from "../../errors.ts";
import { ruleOfFinding } from "../../findings/service/decide-findings.ts";
import { getFinding } from "../../findings/service/list-findings.ts";
import type { AssistantProposal } from "../assistant-proposal.ts";
import { type AssistantContractAction, isContractAction, type ResolvedRule } from "../contract-actions.ts";
import type { ProposedAction } from "../proposal.ts";

/**
 * Assistants name a finding in place of its rule. The rule is taken here, so that it is what people see and approve, also
 * if the next scan says something else. What cannot be taken is named, with its path.
 */
export async function resolveFindings(
  ctx: SignedIn,
  dataSourceId: number,
  actions: AssistantProposal["actions"],
): Promise<{ actions: ProposedAction[]; errors: FieldError[] }> {
  const errors: FieldError[] = [];
  const resolved: ProposedAction[] = [];
  for (const [at, action] of actions.entries()) {
    if (!isContractAction(action)) {
      resolved.push(action);
      continue;
    }
    const rules: ResolvedRule[] = [];
    for (const [index, rule] of action.rules.entries()) {
      const found = await resolve(ctx, dataSourceId, rule, action);
      if (typeof found === "string") errors.push({ path: `actions.${at}.rules.${index}`, message: found });
      else rules.push(found);
    }
    resolved.push({ ...action, rules });
  }
  return { actions: resolved, errors };
}

/** The whole rule, or why there is none. */
async function resolve(
  ctx: SignedIn,
  dataSourceId: number,
  { findingId, name, type, ...rule }: AssistantContractAction["rules"][number],
  action: AssistantContractAction,
): Promise<ResolvedRule | string> {
  if (findingId === undefined)
    return name === undefined || type === undefined
      ? "needs a name and a type, or a findingId"
      : { ...rule, name, type, findingId: null };
  try {
    const finding = await getFinding(ctx, findingId);
    const { schemaName, tableName } = finding;
    if (finding.dataSourceId !== dataSourceId) return "is a finding of another data source";
    const isOther =
      action.kind === "CreateContract" &&
      (schemaName !== action.schemaName || tableName !== action.tableName);
    if (isOther) return `is a finding of ${schemaName}.${tableName}`;
    const added = ruleOfFinding(finding);
    return added ? { ...rule, ...added, findingId } : "is a finding that no rule can describe";
  } catch (error) {
    if (problemIn(error)?.code === "not_found") return `Finding ${findingId} was not found`;
    throw error;
  }
}
