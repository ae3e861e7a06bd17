import { z } from "zod";
import type { ContractAction } from "./contract-actions.ts";

/**
 * A model's response: its analysis and the actions that it proposes. Every property is required, and null if there is
 * nothing to say, because servers with structured output require that.
 *
 * Nothing in it is trusted. Texts are shown as data, identifiers are only looked up among the actor's own objects, and
 * SQL passes the same gates as a person's.
 */
const reasoning = z.string().describe("Why, in one or two sentences that a reviewer can check");
const sql = z.string().describe("One read-only statement, in the data source's dialect");
export const severities = ["Low", "Medium", "High", "Critical"] as const;

export const modelActions = [
  z.strictObject({
    kind: z.literal("CreateQuery"),
    reasoning,
    name: z.string(),
    description: z.string(),
    sql,
  }),
  z.strictObject({
    kind: z.literal("CreateSubscription"),
    reasoning,
    queryName: z.string().nullable().describe("Of a query that this proposal creates, or null"),
    queryId: z.int().nullable().describe("Of one of your existing queries, or null"),
    cronExpression: z.string().describe("Five fields: minute, hour, day of month, month, day of week"),
    timezone: z.string().describe("An IANA time zone, such as UTC or Europe/Berlin"),
  }),
  z.strictObject({ kind: z.literal("RefineQuery"), reasoning, queryId: z.int(), sql }),
  z.strictObject({ kind: z.literal("ArchiveQuery"), reasoning, queryId: z.int() }),
  z.strictObject({ kind: z.literal("ArchiveSubscription"), reasoning, subscriptionId: z.int() }),
  z.strictObject({
    kind: z.literal("SendNotification"),
    reasoning,
    subject: z.string(),
    body: z.string(),
    severity: z.enum(severities),
  }),
] as const;
export const modelActionSchema = z.discriminatedUnion("kind", modelActions);

/** What may be proposed: by a model, or by an assistant too. */
export type ProposedAction = z.output<typeof modelActionSchema> | ContractAction;

export const proposalSchema = z.strictObject({
  summary: z.string().describe("The decision in one sentence"),
  analysis: z.string().describe("What you found and what follows from it, in Markdown"),
  keyFindings: z.array(z.string()).describe("The facts that matter most, each in one sentence"),
  actions: z.array(modelActionSchema).describe("In execution order; may be empty"),
  answers: z
    .array(
      z.strictObject({
        clause: z.int().describe("The number of what was asked"),
        done: z.boolean(),
        because: z.string().nullable().describe("If not done: why, in one short sentence; else null"),
      }),
    )
    // Answers that were stored by an earlier version have none.
    .default([])
    .describe("One for each clause of what is asked; empty if nothing is asked"),
  notification: z
    .strictObject({ subject: z.string(), body: z.string(), severity: z.enum(severities) })
    .nullable()
    .describe("What people must know immediately, or null if nothing is that urgent"),
});
export type Proposal = Omit<z.output<typeof proposalSchema>, "actions"> & { actions: ProposedAction[] };
