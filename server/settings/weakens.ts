type Approvals = { approvalWorkflow: boolean; fourEyes: boolean };

/**
 * Whether a change of the settings needs a second Admin: while four eyes are on, switching either setting off would
 * let one person alone approve their own change, or have none to approve.
 */
export const weakens = (from: Approvals, to: Approvals): boolean =>
  from.fourEyes && (!to.fourEyes || (from.approvalWorkflow && !to.approvalWorkflow));
