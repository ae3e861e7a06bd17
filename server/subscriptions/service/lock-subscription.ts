import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { inOneGo } from "../../db/in-one-go.ts";
import { subscriptionRecipients, subscriptions } from "../tables.ts";

/**
 * The current subscription, locked to store a result. Results of one subscription are stored one at a time, because its
 * task, anomalies, and incidents depend on the previous ones.
 */
export async function lockSubscription(tx: Transaction, id: number) {
  const [, [row]] = await inOneGo(
    tx.execute(sql`select from subscription_state where subscription_id = ${id} for update`),
    tx
      .select({
        subscription: subscriptions,
        isSilenced: sql<boolean>`coalesce(${subscriptions.silencedUntil} > clock_timestamp(), false)`,
        recipientIds: sql<number[]>`array(
          select ${subscriptionRecipients.recipientId} from ${subscriptionRecipients}
          where ${subscriptionRecipients.subscriptionId} = ${subscriptions.id} order by 1)`,
      })
      .from(subscriptions)
      .where(eq(subscriptions.id, id)),
  );
  if (!row) throw new Error("An execution is of a subscription");
  const { subscription, isSilenced, recipientIds } = row;
  return {
    ...subscription,
    isSilenced,
    condition: { kind: subscription.conditionKind, threshold: subscription.conditionThreshold },
    // Nobody is notified about an archived subscription.
    recipientIds: subscription.archivedAt === null ? recipientIds : [],
  };
}

export type JudgedSubscription = Awaited<ReturnType<typeof lockSubscription>>;
