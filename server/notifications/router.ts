import { z } from "zod";
import { bulkProcedure } from "../bulk.ts";
import { byId, listOf } from "../db/schema-parts.ts";
import { anonymousProcedure, procedureFor, recordRun, router } from "../trpc.ts";
import { isMailConfigured } from "./mail-configured.ts";
import { preferencesSchema, unsubscribeInput } from "./personal.ts";
import {
  createdRecipientSchema,
  createRecipientInput,
  deliveriesSchema,
  deliveryDetailSchema,
  deliverySchema,
  listDeliveriesInput,
  listRecipientsInput,
  recipientSchema,
  recipientTestSchema,
  updateRecipientInput,
} from "./schema.ts";
import { getDeliveryDetail, listDeliveries, retryDelivery } from "./service/ledger.ts";
import { getPreferences, setPreferences } from "./service/preferences.ts";
import { createRecipient, deleteRecipient, listRecipients, updateRecipient } from "./service/recipients.ts";
import { testRecipient } from "./service/test-recipient.ts";
import { isSubscribed, unsubscribe } from "./service/unsubscribe.ts";

const tag = "Recipients";

export const recipientsRouter = router({
  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/recipients", tag, summary: "List notification recipients" } })
    .input(listRecipientsInput)
    .output(listOf(recipientSchema))
    .query(({ ctx, input }) => listRecipients(ctx, input)),

  create: procedureFor("recipients:configure")
    .meta({
      audit: "recipient",
      rest: {
        method: "POST",
        path: "/recipients",
        tag,
        summary: "Create a recipient",
        problems: ["not_found"],
        description:
          "Creating a Webhook returns its `signingSecret` (Standard Webhooks), which is not shown again.",
        status: 201,
      },
    })
    .input(createRecipientInput)
    .output(createdRecipientSchema)
    .mutation(({ ctx, input }) => createRecipient(ctx, input)),

  update: procedureFor("recipients:configure")
    .meta({
      audit: "recipient",
      rest: {
        method: "PUT",
        path: "/recipients/{id}",
        tag,
        summary: "Update a recipient",
        description:
          "A Webhook whose host changes gets a new `signingSecret`, returned only once; the old one stops working.",
        problems: ["conflict", "rejected"],
      },
    })
    .input(updateRecipientInput)
    .output(createdRecipientSchema)
    .mutation(({ ctx, input }) => updateRecipient(ctx, input)),

  delete: procedureFor("recipients:configure")
    .meta({
      audit: "recipient",
      rest: {
        method: "DELETE",
        path: "/recipients/{id}",
        tag,
        summary: "Archive a recipient",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => deleteRecipient(ctx, input.id)),

  test: procedureFor("recipients:configure")
    .meta({
      audit: "recipient",
      auditAs: "run",
      auditOutcome: ({ ok }: { ok: boolean }) => (ok ? "The test was sent" : "The test could not be sent"),
      rest: {
        method: "POST",
        path: "/recipients/{id}/test",
        tag,
        summary: "Send a recipient a test message",
        description:
          "Returns within 15 seconds whether the message was sent; 200 in both cases. Disabled recipients can be tested.",
      },
    })
    .input(byId)
    .use(recordRun())
    .output(recipientTestSchema)
    .mutation(({ ctx, input }) => testRecipient(ctx, input.id)),
});

const ledgerTag = "Notifications";

export const notificationsRouter = router({
  preferences: procedureFor("own-profile:change")
    .meta({
      rest: {
        method: "GET",
        path: "/auth/me/notifications",
        tag: ledgerTag,
        summary: "What you are notified about at your own address",
      },
    })
    .output(preferencesSchema)
    .query(({ ctx }) => getPreferences(ctx)),

  setPreferences: procedureFor("own-profile:change")
    .meta({
      audit: "user",
      rest: {
        method: "PUT",
        path: "/auth/me/notifications",
        tag: ledgerTag,
        summary: "Change what you are notified about at your own address",
        description:
          "Replaces all of it. What comes during your quiet hours is sent when they end. Deliveries that are queued already are not affected.",
      },
    })
    .input(preferencesSchema)
    .output(preferencesSchema)
    .mutation(({ ctx, input }) => setPreferences(ctx, input)),

  /** For the browser: whether emails can be sent at all. */
  mail: procedureFor("everything:read")
    .output(z.object({ isConfigured: z.boolean() }))
    .query(() => ({ isConfigured: isMailConfigured() })),

  isSubscribed: anonymousProcedure
    .input(unsubscribeInput)
    .output(z.object({ isOn: z.boolean() }))
    .query(({ input }) => isSubscribed(input.token)),

  unsubscribe: anonymousProcedure
    .meta({ audit: "user", auditDetail: () => "daily digest" })
    .input(unsubscribeInput)
    .mutation(({ input }) => unsubscribe(input.token)),

  retryMany: bulkProcedure(
    "deliveries:retry",
    {
      ...{ object: "delivery", tag: ledgerTag },
      ...{ path: "/bulk/notifications/retry", summary: "Retry failed deliveries" },
    },
    {},
    async (ctx, { id }) => {
      const { subject, recipient } = await retryDelivery(ctx, id);
      return { name: `${subject}, to ${recipient.name}` };
    },
  ),

  list: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/notifications",
        tag: ledgerTag,
        summary: "Deliveries of notifications, newest first",
        description:
          "One per recipient of a notification. Failed attempts are retried for about a day, unless retrying cannot help.",
      },
    })
    .input(listDeliveriesInput)
    .output(deliveriesSchema)
    .query(({ ctx, input }) => listDeliveries(ctx, input)),

  get: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/notifications/{id}",
        tag: ledgerTag,
        summary: "A delivery: what was sent, and what the receiver answered",
        description: "Personal data and secrets in its rows are masked, whatever was sent.",
      },
    })
    .input(byId)
    .output(deliveryDetailSchema)
    .query(({ ctx, input }) => getDeliveryDetail(ctx, input.id)),

  retry: procedureFor("deliveries:retry")
    .meta({
      audit: "delivery",
      auditDetail: ({ subject }: { subject: string }) => subject,
      rest: {
        method: "POST",
        path: "/notifications/{id}/retry",
        tag: ledgerTag,
        summary: "Retry a failed delivery, or send what a webhook has received once more",
        description: "Queues it under the same `webhook-id`; the delivery list shows the outcome.",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => retryDelivery(ctx, input.id)),
});
