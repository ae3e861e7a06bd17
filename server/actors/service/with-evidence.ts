import type { SignedIn } from "../../auth/principal.ts";
import { type Bounds, type CheckedAction, checkActions, sqlOf } from "../check-actions.ts";
import { isContractAction } from "../contract-actions.ts";
import type { Proposal } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import type { Evidence } from "../schema.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { proveContractAction } from "./prove-contract-action.ts";

export type ProvedAction = Omit<CheckedAction, "errors"> & { evidence: Evidence | null };

/**
 * Adds evidence to proposed actions, before any person sees them: whether they respect the limits, and for each SQL the
 * results of the gates, the engine, and a small run. `known` caches results by text, so that each text is run once.
 */
export async function withEvidence(
  ctx: SignedIn,
  proposal: Proposal,
  bounds: Bounds,
  known: Map<string, Evidence>,
): Promise<ProvedAction[]> {
  const proved: ProvedAction[] = [];
  for (const { proposed, facts, errors } of checkActions(proposal.actions, bounds)) {
    if (isContractAction(proposed)) {
      const { evidence, ...proof } = await proveContractAction(ctx, bounds.dataSourceId, proposed);
      proved.push({ proposed, facts: proof.facts, evidence: withErrors(evidence, proof.errors) });
      continue;
    }
    const sql = sqlOf(proposed);
    const found =
      sql === null ? null : (known.get(sql) ?? (await gatherEvidence(ctx, bounds.dataSourceId, sql)));
    if (sql !== null && found) known.set(sql, found);
    proved.push({ proposed, facts, evidence: withErrors(found, errors) });
  }
  return proved;
}

function withErrors(found: Evidence | null, errors: readonly string[]): Evidence | null {
  if (errors.length === 0) return found;
  const issues = errors.map((error) => ({ gate: "limits" as const, error }));
  return { ...found, valid: false, issues: [...issues, ...(found?.issues ?? [])] };
}

/** What is sent back to the model; null if nothing has failed. */
export function repairOf(proposal: Proposal, actions: readonly ProvedAction[]): Repair | null {
  const faults = actions.flatMap(({ evidence }, index) =>
    evidence && !evidence.valid ? [{ index, errors: evidence.issues.map(({ error }) => error) }] : [],
  );
  return faults.length === 0 ? null : { proposal, faults };
}
