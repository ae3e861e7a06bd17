import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  createdRecipientSchema,
  createRecipientInput,
  listRecipientsInput,
  recipientSchema,
  updateRecipientInput,
} from "./schema.ts";
import { createRecipient, deleteRecipient, listRecipients, updateRecipient } from "./service/recipients.ts";

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
          "Creating a Webhook answers its `signingSecret` (Standard Webhooks), which is not shown again.",
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
        summary: "Change a recipient",
        problems: ["rejected"],
      },
    })
    .input(updateRecipientInput)
    .output(recipientSchema)
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
});
