import { z } from "zod";
import { identifier, momentOut, name, pageOf, paging, searching, sorting, text } from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { contentSchema } from "./content.ts";
import { deliveryStatuses, failingDays } from "./delivery-kinds.ts";
import { type DestinationType, destinations } from "./destinations.ts";

export const recipientTypes = [
  "Email",
  "Slack",
  "Teams",
  "Webhook",
  "PagerDuty",
  "Opsgenie",
  "Discord",
  "GoogleChat",
  "Ntfy",
  "Sms",
  "Jira",
] as const satisfies DestinationType[];

/** The source of a notification: an execution, an evaluation, a monitor itself, or a test. */
export const causeKinds = [
  "Execution",
  "Evaluation",
  "Monitor",
  "Actor",
  "Approval",
  "Task",
  "Plan",
  "Incident",
  "Digest",
  "PersonalDigest",
  "Test",
] as const;
export type CauseKind = (typeof causeKinds)[number];

export const recipientSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    type: z.enum(recipientTypes),
    destination: z.string().meta({
      description:
        "Of PagerDuty, Opsgenie, Discord, Google Chat, SMS, and Jira, only where it leads and its end: the rest is a secret",
    }),
    enabled: z.boolean(),
    decisions: z.boolean().meta({
      description: "Whether it is also sent plans and query changes that wait for a decision in its project",
    }),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
  })
  .meta({ id: "Recipient" });
export type Recipient = z.output<typeof recipientSchema>;

export type RecipientWrite = {
  name: string;
  type: Recipient["type"];
  destination: string;
  enabled?: boolean | undefined;
  decisions?: boolean | undefined;
};

const recipientFields = z.strictObject({
  projectId: identifier,
  name,
  type: z.enum(recipientTypes),
  destination: text(2000).trim().min(1, "is required"),
  enabled: z.boolean().optional(),
  decisions: z.boolean().optional(),
});

/** What is shown of a stored secret may be sent back, which keeps it. */
const isShown = (text: string) => text.includes("…") || / (to \+\d+|project [A-Z][A-Z0-9_]*)$/.test(text);

const destinationFits = (
  recipient: { id?: number; type: (typeof recipientTypes)[number]; destination: string },
  context: z.RefinementCtx,
) => {
  const { schema, isSecret } = destinations[recipient.type];
  if (isSecret && recipient.id !== undefined && isShown(recipient.destination)) return;
  const parsed = schema.safeParse(recipient.destination);
  if (!parsed.success)
    context.addIssue({
      code: "custom",
      path: ["destination"],
      message: parsed.error.issues[0]?.message ?? "does not fit the type",
    });
};

export const createRecipientInput = recipientFields.superRefine(destinationFits);
export const updateRecipientInput = recipientFields
  .omit({ projectId: true })
  .extend({ id: identifier, baseRevision })
  .superRefine(destinationFits);

/**
 * The response of creating a Webhook, or moving one to another host, with its new `signingSecret` (`whsec_…`), which
 * is shown only once.
 */
export const createdRecipientSchema = recipientSchema
  .extend({ signingSecret: z.string().optional() })
  .meta({ id: "CreatedRecipient" });

export const listRecipientsInput = z.strictObject({ projectId: identifier.optional() });

/** Whether a test message was sent; if not, `message` says why. */
export const recipientTestSchema = z.object({ ok: z.boolean(), message: z.string().optional() });

export const deliverySchema = z
  .object({
    id: identifier,
    notificationId: identifier.meta({
      description: "The notification; deliveries to other recipients share it",
    }),
    projectId: identifier
      .nullable()
      .meta({ description: "null for a user's digest of all projects, which only they and Admins see" }),
    recipient: z.object({
      id: identifier.nullable().meta({ description: "null for a user who is notified at their own address" }),
      name: z.string().meta({ description: "The name when this was queued" }),
    }),
    channel: z.enum(recipientTypes),
    subject: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    lastError: z.string().nullable().meta({ description: "Why the latest attempt failed" }),
    answer: z
      .string()
      .nullable()
      .meta({ description: "What the receiver answered when it accepted the message: `HTTP 200`, `250 OK`" }),
    nextAttemptAt: momentOut
      .nullable()
      .meta({ description: "null once it is sent or has failed permanently" }),
    createdAt: momentOut,
    sentAt: momentOut.nullable(),
    cause: z.object({ kind: z.enum(causeKinds), id: identifier }),
    link: z
      .object({ label: z.string(), path: z.string() })
      .nullable()
      .meta({ description: "The page that it links to, relative to the service's address" }),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.output<typeof deliverySchema>;

/** A delivery with its message, whose rows are masked. */
export const deliveryDetailSchema = deliverySchema
  .extend({
    message: contentSchema.omit({ moments: true, buttons: true }).extend({
      maskedColumns: z
        .array(z.string())
        .meta({ description: "Columns whose values were sent, but are not shown" }),
    }),
    attachment: z
      .object({ name: z.string(), isKept: z.boolean() })
      .nullable()
      .meta({ description: "The file with all rows, which is kept for seven days" }),
  })
  .meta({ id: "DeliveryDetail" });
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;

export const deliverySorts = ["Queued", "Recipient", "Attempts"] as const;
export type DeliverySort = (typeof deliverySorts)[number];

export const listDeliveriesInput = z.strictObject({
  ...paging,
  status: z.enum(deliveryStatuses).optional(),
  failing: z
    .boolean()
    .optional()
    .meta({
      description: `true: failed in the last ${failingDays} days, or queued again after a failed attempt, without tests; false does not filter`,
    }),
  recipientId: identifier.optional(),
  projectId: identifier.optional(),
  executionId: identifier.optional().meta({ description: "Of a subscription" }),
  ...searching("the subject or the recipient's name"),
  ...sorting(deliverySorts, "Queued", {
    description: "Queued: newest first. Recipient: by name. Attempts: most first",
  }),
});
export type ListDeliveries = z.output<typeof listDeliveriesInput>;

export const deliveriesSchema = pageOf(deliverySchema);
