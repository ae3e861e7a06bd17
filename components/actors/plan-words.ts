import { plural } from "@/components/ui/format.ts";
import type { ActorExecution, Plan } from "@/server/actors/schema.ts";
import { evidenceOf } from "./action-words.ts";

/** The plan's title: why it exists. */
export function planTitle(plan: Pick<Plan, "trigger" | "userInstruction">): string {
  if (plan.trigger === "InitialSetup") return "Initial setup";
  if (isByAssistant(plan)) return "Proposed by an assistant";
  return plan.trigger === "UserInstruction" ? "Plan from an instruction" : "Plan after a think cycle";
}

/** An assistant proposes at someone's wish, and nobody tells the actor anything. */
const isByAssistant = ({ trigger, userInstruction }: Pick<Plan, "trigger" | "userInstruction">) =>
  trigger === "UserInstruction" && !userInstruction;

/** "7 actions, 1 without valid evidence". */
export function planSummary({ actions }: Pick<Plan, "actions">): string {
  const failing = actions.filter((action) => evidenceOf(action) === "failing").length;
  if (actions.length === 0) return "No action";
  const count = plural(actions.length, "action");
  return failing === 0 ? count : `${count}, ${failing === actions.length ? "all" : failing} failing`;
}

/** Why an actor started something. */
export function occasionWords(
  execution: Pick<ActorExecution, "kind" | "trigger" | "userInstruction" | "requestedBy">,
): string {
  const { kind, trigger, userInstruction, requestedBy } = execution;
  const who = requestedBy ? ` by ${requestedBy.name}` : "";
  if (kind === "PlanRun") return `Plan approved${who}`;
  if (isByAssistant(execution))
    return `Proposed by an assistant${requestedBy ? ` of ${requestedBy.name}` : ""}`;
  if (userInstruction && trigger !== "UserInstruction") return `Plan sent back${who}`;
  if (trigger === "InitialSetup") return `Initial setup${requestedBy ? `, begun${who}` : ""}`;
  if (userInstruction) return `Told what to change${who}`;
  return requestedBy ? `Asked to think${who}` : "After its subscriptions ran";
}
