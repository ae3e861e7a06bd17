import type { SignedIn } from "../../auth/principal.ts";
import { type Bounds, type CheckedAction, checkActions, sqlOf } from "../check-actions.ts";
import type { Proposal } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import type { Evidence } from "../schema.ts";
import { gatherEvidence } from "./gather-evidence.ts";

export type ProvedAction = Omit<CheckedAction, "errors"> & { evidence: Evidence | null };

/**
 * Puts evidence beside what is proposed, before any person sees it: whether it keeps to the limits, and of each SQL
 * what the gates, the engine and a small run say. `known` keeps what was said of a text, so that it is asked once.
 */
export async function withEvidence(
  ctx: SignedIn,
  proposal: Proposal,
  bounds: Bounds,
  known: Map<string, Evidence>,
): Promise<ProvedAction[]> {
  const proved: ProvedAction[] = [];
  for (const { proposed, facts, errors } of checkActions(proposal.actions, bounds)) {
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

/** What goes back to the model; null when nothing has failed. */
export function repairOf(proposal: Proposal, actions: readonly ProvedAction[]): Repair | null {
  const faults = actions.flatMap(({ evidence }, index) =>
    evidence && !evidence.valid ? [{ index, errors: evidence.issues.map(({ error }) => error) }] : [],
  );
  return faults.length === 0 ? null : { proposal, faults };
}
