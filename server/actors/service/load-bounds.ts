import { listOwnedQueries } from "../../queries/service/owned-queries.ts";
import { listOwnedSubscriptions } from "../../subscriptions/service/owned-subscriptions.ts";
import { recipientIdsOf, type StoredActor } from "./load-actors.ts";

/** What an actor has and may do, which proposals in its name are checked against. */
export async function loadBounds(actor: StoredActor) {
  const [queries, subscriptions, recipientIds] = await Promise.all([
    listOwnedQueries([actor.id]),
    listOwnedSubscriptions(actor.id),
    recipientIdsOf(actor.id),
  ]);
  const { maxQueries, maxSubscriptionsPerQuery, dataSourceId } = actor;
  return {
    ...{ maxQueries, maxSubscriptionsPerQuery, dataSourceId, queries, subscriptions },
    hasRecipients: recipientIds.length > 0,
  };
}
