import { z } from "zod";
import { bulkProcedure } from "../bulk.ts";
import { identifier } from "../db/schema-parts.ts";
import { silenceFields } from "../notifications/silence.ts";
import { findQueryNames } from "../queries/service/query-names.ts";
import { addRecipientRow, archiveSubscription, enableRow, silenceRow } from "./service/subscriptions.ts";

const about = { object: "subscription", tag: "Subscriptions" };

/** Subscriptions are called by their queries in the audit log. */
const named = async ({ queryId }: { queryId: number }) => ({
  name: (await findQueryNames([queryId])).get(queryId) ?? "",
});

/** What can be done to many subscriptions at once. */
export const bulkProcedures = {
  silenceMany: bulkProcedure(
    "subscriptions:run",
    {
      ...about,
      path: "/bulk/subscriptions/silence",
      summary: "Silence subscriptions until a given time, or end their silences",
    },
    silenceFields,
    async (ctx, input) => named(await silenceRow(ctx, input)),
  ),

  enableMany: bulkProcedure(
    "subscriptions:configure",
    {
      ...about,
      path: "/bulk/subscriptions/enable",
      summary: "Turn the schedules of subscriptions on or off",
    },
    { enabled: z.boolean() },
    async (ctx, input) => named(await enableRow(ctx, input)),
  ),

  addRecipientToMany: bulkProcedure(
    "subscriptions:configure",
    { ...about, path: "/bulk/subscriptions/add-recipient", summary: "Add a recipient to subscriptions" },
    { recipientId: identifier },
    async (ctx, input) => named(await addRecipientRow(ctx, input)),
  ),

  archiveMany: bulkProcedure(
    "subscriptions:configure",
    { ...about, path: "/bulk/subscriptions/archive", summary: "Archive subscriptions and unschedule them" },
    {},
    async (ctx, { id }) => named(await archiveSubscription(ctx, id)),
  ),
};
