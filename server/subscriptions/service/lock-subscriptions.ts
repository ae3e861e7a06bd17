import { sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { idsOf, isOneOf } from "../../db/gathered.ts";
import { inOneGo } from "../../db/in-one-go.ts";
import { subscriptionRecipients, subscriptionState, subscriptions } from "../tables.ts";

/**
 * The current subscriptions, locked to store results. Results of one subscription are stored one at a time, because its
 * task, anomalies, and incidents depend on the previous ones. Those that others have locked are waited for, or left out.
 */
export async function lockSubscriptions(
  tx: Transaction,
  ids: readonly number[],
  ifLocked: "wait" | "skip",
): Promise<ReadonlyMap<number, JudgedSubscription>> {
  const [locked, rows] = await inOneGo(
    tx.execute<{ id: number }>(sql`
      select subscription_id as id from ${subscriptionState} where subscription_id = any(${idsOf(ids).ids}::integer[])
      order by subscription_id for update ${sql.raw(ifLocked === "skip" ? "skip locked" : "")}`),
    tx
      .select({
        subscription: subscriptions,
        isSilenced: sql<boolean>`coalesce(${subscriptions.silencedUntil} > clock_timestamp(), false)`,
        recipientIds: sql<number[]>`array(
          select ${subscriptionRecipients.recipientId} from ${subscriptionRecipients}
          where ${subscriptionRecipients.subscriptionId} = ${subscriptions.id} order by 1)`,
      })
      .from(subscriptions)
      .where(isOneOf(subscriptions.id, ids)),
  );
  const ours = new Set(locked.map(({ id }) => id));
  return new Map(
    rows
      .filter(({ subscription }) => ours.has(subscription.id))
      .map((row) => [row.subscription.id, asJudged(row)]),
  );
}

type Row = { subscription: typeof subscriptions.$inferSelect; isSilenced: boolean; recipientIds: number[] };

const asJudged = ({ subscription, isSilenced, recipientIds }: Row) => ({
  ...subscription,
  isSilenced,
  condition: { kind: subscription.conditionKind, threshold: subscription.conditionThreshold },
  // Nobody is notified about an archived subscription.
  recipientIds: subscription.archivedAt === null ? recipientIds : [],
});

export type JudgedSubscription = ReturnType<typeof asJudged>;
