import { asc, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { listEdits } from "../../edits/service.ts";
import { subscriptionRecipients, subscriptions } from "../tables.ts";
import { getSubscriptionRow, subscriptionNotFound } from "./load-subscriptions.ts";

/** A subscription's edits, oldest first; after a revision, or all that are kept. Throws not_found. */
export async function listSubscriptionEdits(
  ctx: SignedIn,
  { id, since }: { id: number; since?: number | undefined },
) {
  await getSubscriptionRow(ctx, id);
  return { items: await listEdits(db, { kind: "Subscription", id }, since) };
}

/** Everything an edit writes, as stored, under the names of the request body. */
export async function editedState(tx: Transaction, id: number) {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!row) throw subscriptionNotFound();
  const recipients = await tx
    .select({ id: subscriptionRecipients.recipientId })
    .from(subscriptionRecipients)
    .where(eq(subscriptionRecipients.subscriptionId, id))
    .orderBy(asc(subscriptionRecipients.recipientId));
  const { name, cronExpression, timezone, enabled, parameters, timeoutSeconds, createTasks, silencedUntil } =
    row;
  return {
    ...{ name, cronExpression, timezone, enabled, parameters, timeoutSeconds, createTasks, silencedUntil },
    condition: [row.conditionKind, row.conditionThreshold],
    anomalyDetection: [row.anomalyEnabled, row.anomalyMethod, row.anomalySensitivity, row.anomalyMetric],
    recipientIds: recipients.map((recipient) => recipient.id),
  };
}
