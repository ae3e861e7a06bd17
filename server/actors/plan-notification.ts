import type { NotificationRequest } from "../notifications/service/enqueue.ts";
import { plural, shortened } from "../text.ts";

/** What people are told by email about an actor's plans. A model wrote the analysis, which is sent as plain text. Pure. */

/** Of the message that a plan waits; withdrawn once none of the actor does. */
export const waitsKey = "waits";

type Actor = { id: number; name: string; projectId: number };

export function planNotification(
  actor: Actor,
  { id, analysis, actions }: { id: number; analysis: string; actions: number },
): Omit<NotificationRequest, "userIds"> {
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
        { label: "It proposes", value: plural(actions, "action") },
      ],
      link: { label: "Review the plan", path: `/ai-actors/${actor.id}` },
    },
    topic: "Approvals",
  };
}

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
