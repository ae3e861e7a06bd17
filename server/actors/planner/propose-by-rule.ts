import type { Briefing } from "../briefing.ts";
import type { Proposal } from "../proposal.ts";
import type { Repair } from "../repair.ts";

/** What rules propose about a briefing; pure. Of a proposal that is sent back, only what did not fail is kept. */
export function proposeByRule(_briefing: Briefing, repair: Repair | null): Proposal {
  const failed = new Set(repair?.faults.map(({ index }) => index));
  return {
    summary: "Nothing is proposed.",
    analysis: "No rule applies.",
    keyFindings: [],
    notification: null,
    ...repair?.proposal,
    actions: repair?.proposal.actions.filter((_, index) => !failed.has(index)) ?? [],
  };
}
