import type { Proposal } from "./proposal.ts";

/** The parts of a proposal whose evidence failed, sent back to the model once for a new proposal. */
export type Repair = {
  proposal: Proposal;
  /** `index` is the action's position in `proposal.actions`. */
  faults: { index: number; errors: string[] }[];
};
