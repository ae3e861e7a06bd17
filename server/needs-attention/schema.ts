import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { identifier, momentOut, pageOf, paging } from "../db/schema-parts.ts";

/** What an item is about. */
export const attentionKinds = [
  "Incident",
  "Subscription",
  "Contract",
  "Findings",
  "Task",
  "Delivery",
  "Plan",
  "QueryChange",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** Why it needs a person. Of several reasons, an item has the worst. */
export const concerns = [
  "Incident",
  "Failing",
  "NotEvaluated",
  "Stalled",
  "CouldNotRun",
  "BelowThreshold",
  "Undelivered",
  "Unusual",
  "Found",
  "Task",
  "Findings",
  "Plan",
  "QueryChange",
  "CannotNotify",
  "NeverEvaluated",
] as const;
export type Concern = (typeof concerns)[number];

/** Most to least urgent. */
export const urgencies = ["Critical", "High", "Medium", "Low"] as const;
export type Urgency = (typeof urgencies)[number];

/** The one thing to do about an item that the caller may do. */
export const attentionActions = [
  "RunNow",
  "Evaluate",
  "Retry",
  "Review",
  "Open",
  "Silence",
  "Acknowledge",
  "AssignToMe",
] as const;
export type AttentionAction = (typeof attentionActions)[number];

/** How many failed deliveries one action retries at most. */
export const maxRetried = 20;

export const attentionItemSchema = z
  .object({
    kind: z.enum(attentionKinds),
    id: identifier.meta({
      description:
        "The ID of its kind; for Findings that of the table's worst finding, for Delivery that of the recipient's latest failed delivery",
    }),
    concern: z.enum(concerns),
    urgency: z.enum(urgencies),
    title: z.string(),
    reason: z.string(),
    since: momentOut,
    owner: userReference.nullable(),
    projectId: identifier,
    projectName: z.string(),
    path: z.string().meta({ description: "Its page in the console" }),
    action: z.object({
      kind: z.enum(attentionActions),
      ids: z.array(identifier).meta({
        description: `What it acts on: one, or for Retry up to ${maxRetried} failed deliveries`,
      }),
    }),
  })
  .meta({ id: "AttentionItem" });
export type AttentionItem = z.output<typeof attentionItemSchema>;

export const attentionPageSchema = pageOf(attentionItemSchema);

const ofProject = { projectId: identifier.optional() };

export const listAttentionInput = z.strictObject({
  ...ofProject,
  kind: z.enum(attentionKinds).optional(),
  ...paging,
});
export type ListAttention = z.output<typeof listAttentionInput>;

export const countAttentionInput = z.strictObject(ofProject);

export const attentionCountSchema = z
  .object({
    total: z.int(),
    byKind: z.record(z.enum(attentionKinds), z.int()),
  })
  .meta({ id: "AttentionCount" });
export type AttentionCount = z.output<typeof attentionCountSchema>;

/** For an empty list. */
export const allClearSchema = z.object({
  /** Since when nothing has needed the caller's attention; null if that is not known yet. */
  since: momentOut.nullable(),
  /** The time of the last run or evaluation; null if there was none. */
  lastCheckAt: momentOut.nullable(),
});
