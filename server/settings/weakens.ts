type Approvals = { approvalWorkflow: boolean; fourEyes: boolean };

/**
 * Whether a settings change needs a second Admin: with four eyes on, turning either setting off would let one person
 * approve their own changes, or skip approval.
 */
export const weakens = (from: Approvals, to: Approvals): boolean =>
  from.fourEyes && (!to.fourEyes || (from.approvalWorkflow && !to.approvalWorkflow));
