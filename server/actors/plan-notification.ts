import type { NotificationRequest } from "../notifications/service/enqueue.ts";
import { plural, shortened } from "../text.ts";
import { planHash } from "./action-hash.ts";
import { type ResolvedRule, sentenceOf } from "./contract-actions.ts";
import type { ProposedAction } from "./proposal.ts";
import type { ActionFacts } from "./tables.ts";

/** What people are told by email about an actor's plans. A model wrote the analysis, which is sent as plain text. Pure. */

/** Of the message that a plan waits; withdrawn once none of the actor does. */
export const waitsKey = "waits";

type Actor = { id: number; name: string; projectId: number };

type Waiting = { id: number; analysis: string; actions: readonly ShownAction[] };
type ShownAction = { proposed: ProposedAction; facts: ActionFacts };

export function planNotification(
  actor: Actor,
  { id, analysis, actions }: Waiting,
): Omit<NotificationRequest, "userIds"> {
  const groups = actions.map(actionGroup);
  // Nobody approves by a button what the message does not show.
  const isShown = groups.length <= maxShown && groups.every((group) => group !== null);
  const hash = planHash(actions);
  return {
    projectId: actor.projectId,
    cause: { kind: "Plan", id },
    dedupeKey: waitsKey,
    content: {
      title: `A plan waits for your decision: ${actor.name}`,
      tone: "Info",
      summary: shortened(analysis.trim(), 600),
      facts: [
        { label: "AI actor", value: actor.name },
        { label: "It proposes", value: plural(actions.length, "action") },
      ],
      ...(isShown && actions.length > 0 && { groups: groups.filter((group) => group !== null) }),
      link: { label: "Review the plan", path: `/ai-actors/${actor.id}` },
      buttons: [
        ...(isShown ? [{ deed: "approve-plan" as const, id, hash }] : []),
        { deed: "reject-plan", id, hash },
      ],
      ...(!isShown && { note: "It is too long to show here: open it to approve it." }),
    },
    isDecision: true,
    topic: "Approvals",
  };
}

/** What fits into a chat message. */
const maxShown = 10;
const maxText = 900;

/** An action and all that it will do; null if that is too long. */
function actionGroup({ proposed, facts }: ShownAction) {
  const told = (title: string, ...given: [label: string, value: string][]) =>
    title.length <= 200 && given.every(([, value]) => value.length <= maxText)
      ? { title, facts: given.map(([label, value]) => ({ label, value })) }
      : null;
  const queryName = facts.queryName ?? "";
  switch (proposed.kind) {
    case "CreateQuery":
      return told(`Create the query ${proposed.name}`, ["SQL", proposed.sql]);
    case "RefineQuery":
      return told(`Change the query ${queryName}`, ["SQL", proposed.sql]);
    case "CreateSubscription":
      return told(`Subscribe to ${proposed.queryName ?? queryName}`, [
        "Schedule",
        `${proposed.cronExpression} ${proposed.timezone}`,
      ]);
    case "ArchiveQuery":
      return told(`Archive the query ${queryName}`);
    case "ArchiveSubscription":
      return told(`Archive the subscription to ${queryName}`);
    case "SendNotification":
      return told(`Send “${proposed.subject}”`, ["Message", proposed.body]);
    case "CreateContract":
      return told(
        `Create the contract ${proposed.name} of ${proposed.schemaName}.${proposed.tableName}`,
        ["Schedule", `${proposed.cronExpression} ${proposed.timezone}`],
        ["Rules", rulesInWords(proposed.rules)],
      );
    case "AddRules":
      return told(`Add rules to the contract ${facts.contractName}`, ["Rules", rulesInWords(proposed.rules)]);
  }
}

const rulesInWords = (rules: readonly ResolvedRule[]) =>
  rules.map((rule) => `${rule.name}: ${sentenceOf(rule)}`).join("\n");

export type PlanDecision = { event: "approve" | "reject" | "requestRevision"; reason: string | null };

const done: Record<PlanDecision["event"], { words: string; tone: "Good" | "Warning" }> = {
  approve: { words: "was approved", tone: "Good" },
  reject: { words: "was rejected", tone: "Warning" },
  requestRevision: { words: "is being revised", tone: "Warning" },
};

export function decidedPlanNotification(
  decider: { name: string },
  actor: Actor,
  plan: { id: number },
  { event, reason }: PlanDecision,
): Omit<NotificationRequest, "userIds"> {
  const { words, tone } = done[event];
  return {
    projectId: actor.projectId,
    cause: { kind: "Plan", id: plan.id },
    dedupeKey: "decision",
    content: {
      title: `A plan ${words}: ${actor.name}`,
      tone,
      summary: reason ?? `${decider.name} approved it.`,
      facts: [
        { label: "By", value: decider.name },
        { label: "AI actor", value: actor.name },
      ],
      link: { label: "Open the plan", path: `/ai-actors/plans/${plan.id}` },
    },
    topic: "Decisions",
  };
}
