import type { Briefing } from "../briefing.ts";
import type { Proposal } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { isNote } from "../wish-words.ts";
import { followWishes } from "./follow-wishes.ts";
import { proposeSetup } from "./propose-setup.ts";
import { repairProposal } from "./repair-proposal.ts";
import { reviewExecutions } from "./review-executions.ts";

/**
 * The proposals made by rules if no language model is configured. Pure: the same briefing gives the same proposal.
 *
 * A setup watches what matters most; choices in a request, or for the next version of a plan, are followed; and
 * executions are reviewed for what they found and why they failed. Text is never read, and the plan says so. A proposal
 * whose evidence failed is repaired.
 */
export function proposeByRule(briefing: Briefing, repair: Repair | null): Proposal {
  if (repair) return repairProposal(repair, briefing);
  return withUnreadText(proposalFor(briefing), briefing);
}

function proposalFor(briefing: Briefing): Proposal {
  const { trigger, wishes, revision } = briefing.occasion;
  if (revision || wishes) return followWishes(briefing);
  if (trigger === "InitialSetup") return proposeSetup(briefing);
  return isFirstPlan(briefing)
    ? proposeSetup(briefing, "There is nothing to watch.")
    : reviewExecutions(briefing);
}

/** Whether nothing exists yet that a plan could change. */
export function isFirstPlan({
  occasion: { trigger, revision },
  queries,
  pendingActions,
}: Pick<Briefing, "occasion" | "queries" | "pendingActions">): boolean {
  if (revision) return false;
  return trigger === "InitialSetup" || (queries.length === 0 && pendingActions.length === 0);
}

/** Unread text is mentioned once: in the response to a request too, otherwise only in the plan. */
function withUnreadText(proposal: Proposal, { occasion, actor }: Briefing): Proposal {
  const { trigger, instruction, revision, wishes, finishedExecutionIds } = occasion;
  const isRequested = isNote(revision?.feedback ?? instruction, wishes);
  const isAfterwards = trigger === "SubscriptionExecution" && finishedExecutionIds.length > 0;
  // An actor's own instructions are not worth mentioning again every time something has run.
  if (!isRequested && (wishes || revision || isAfterwards)) return proposal;
  const what = isRequested ? "Your note was" : "The instructions were";
  const follows = (isRequested ? wishes : actor.wishes) ? "The plan follows the fields" : "Use the fields";
  const unread = occasion.clauses.flatMap(({ choice }, index) =>
    choice
      ? []
      : [{ clause: index + 1, done: false, because: "no language model is configured to read notes" }],
  );
  const said = `${what} not read: no language model is configured. ${follows} for tables, checks and schedule.`;
  return {
    ...proposal,
    summary: isRequested ? `${proposal.summary} ${said}` : proposal.summary,
    analysis: `${said}\n\n${proposal.analysis}`,
    answers: [...proposal.answers, ...unread],
  };
}
