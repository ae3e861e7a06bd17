import type { Briefing } from "../briefing.ts";
import type { Proposal } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { followInstruction } from "./follow-instruction.ts";
import { proposeSetup } from "./propose-setup.ts";
import { repairProposal } from "./repair-proposal.ts";
import { reviewExecutions } from "./review-executions.ts";

/**
 * What rules propose where no language model is configured. Pure: the same briefing is the same proposal.
 *
 * A setup watches what matters most; a message, or feedback to a plan, is followed as far as its words are understood;
 * and executions are looked at for what they found and why they failed. A proposal whose evidence failed is repaired.
 */
export function proposeByRule(briefing: Briefing, repair: Repair | null): Proposal {
  if (repair) return repairProposal(repair, briefing);
  const { trigger, instruction, revision } = briefing.occasion;
  if (revision || instruction?.trim()) return followInstruction(briefing);
  if (trigger === "InitialSetup") return proposeSetup(briefing);
  const hasNothing = briefing.queries.length === 0 && briefing.pendingActions.length === 0;
  return hasNothing ? proposeSetup(briefing, "There is nothing to watch.") : reviewExecutions(briefing);
}
