import type { Proposal } from "./proposal.ts";

/** What of a proposal failed its evidence: sent back to the model once, which then proposes anew. */
export type Repair = {
  proposal: Proposal;
  /** `index` is the action's place in `proposal.actions`. */
  faults: { index: number; errors: string[] }[];
};
