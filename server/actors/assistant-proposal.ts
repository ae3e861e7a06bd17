import { z } from "zod";
import { identifier, text } from "../db/schema-parts.ts";
import { plural } from "../text.ts";
import { assistantContractActions } from "./contract-actions.ts";
import { modelActions } from "./proposal.ts";

/** What an assistant proposes in the name of an actor: the same actions, each checked like one of a model. */

/** Kept short for the list of tools; what an action lacks is said when it is checked. */
const actionsInWords =
  "In order, each { kind, reasoning, … }: CreateQuery name, description, sql; CreateSubscription queryName (of this plan) or queryId, cronExpression, timezone; RefineQuery queryId, sql; ArchiveQuery queryId; ArchiveSubscription subscriptionId; SendNotification subject, body, severity (Low to Critical); CreateContract name, schemaName, tableName, cronExpression, timezone, rules; AddRules contractId, rules. A rule: { name, type, column, severity, configuration } as in get_contract, or { findingId }";

/** What assistants like to leave out. */
const usual: Record<string, Record<string, unknown>> = {
  CreateQuery: { description: "" },
  CreateSubscription: { queryName: null, queryId: null, timezone: "UTC" },
  CreateContract: { timezone: "UTC" },
};

export const maxProposedActions = 20;

export const assistantProposalInput = z.strictObject({
  actorId: identifier,
  analysis: text(20_000).trim().min(1, "is required").meta({ description: "What you found, in Markdown" }),
  actions: z
    .array(z.record(z.string(), z.unknown()))
    .min(1, "needs at least one action")
    .max(maxProposedActions)
    .meta({ description: actionsInWords })
    .transform((actions) => actions.map((action) => ({ ...usual[String(action.kind)], ...action })))
    .pipe(z.array(z.discriminatedUnion("kind", [...modelActions, ...assistantContractActions]))),
});
export type AssistantProposal = z.output<typeof assistantProposalInput>;

/** What the person in front of an assistant is asked before it proposes; null for what will be refused anyway. */
export function proposalQuestion(input: unknown): string | null {
  const { data } = assistantProposalInput.safeParse(input);
  if (!data) return null;
  const lines = data.actions.map((action) => `- ${action.kind}: ${subjectOf(action)}`);
  return ["Propose this plan? Nothing is done until someone approves it in Plumbline.", ...lines].join("\n");
}

function subjectOf(action: AssistantProposal["actions"][number]): string {
  switch (action.kind) {
    case "CreateQuery":
      return action.name;
    case "CreateSubscription":
      return `${action.queryName ?? `query ${action.queryId}`}, ${action.cronExpression} ${action.timezone}`;
    case "RefineQuery":
    case "ArchiveQuery":
      return `query ${action.queryId}`;
    case "ArchiveSubscription":
      return `subscription ${action.subscriptionId}`;
    case "SendNotification":
      return action.subject;
    case "CreateContract":
      return `${action.name}, of ${action.schemaName}.${action.tableName}: ${plural(action.rules.length, "rule")}`;
    case "AddRules":
      return `contract ${action.contractId}: ${plural(action.rules.length, "rule")}`;
  }
}
