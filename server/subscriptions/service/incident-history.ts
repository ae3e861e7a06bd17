import { desc, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { subscriptionIncidents } from "../tables.ts";
import { getSubscriptionRow } from "./load-subscriptions.ts";

/** The latest 100 incidents of a subscription, open ones included, newest first. Throws not_found. */
export async function listIncidents(ctx: SignedIn, subscriptionId: number) {
  await getSubscriptionRow(ctx, subscriptionId);
  const { kind, reason, openedAt, closedAt } = subscriptionIncidents;
  const items = await db
    .select({ kind, reason, openedAt, closedAt })
    .from(subscriptionIncidents)
    .where(eq(subscriptionIncidents.subscriptionId, subscriptionId))
    .orderBy(desc(subscriptionIncidents.id))
    .limit(100);
  return { items };
}
