import type { Action, Actor, ActorDetail } from "@/server/actors/schema.ts";

type Owned = Pick<Actor, "maxQueries" | "maxSubscriptionsPerQuery"> & {
  queries: readonly Pick<ActorDetail["queries"][number], "id" | "name" | "subscriptionCount">[];
  subscriptions: readonly Pick<ActorDetail["subscriptions"][number], "id" | "queryId">[];
};

export type LimitTaken = { whose: string; what: string; count: number; limit: number };

export type PlanLimits = {
  queries: { before: number; after: number; limit: number };
  /** How much of a limit each action uses, by index; only actions that use some. */
  byIndex: ReadonlyMap<number, LimitTaken>;
};

/** How much of its actor's limits a plan uses, action by action in order. */
export function planLimits(actions: readonly Action[], actor: Owned): PlanLimits {
  const byIndex = new Map<number, LimitTaken>();
  const subscriptions = new Map(
    actor.queries.map(({ id, subscriptionCount }) => [String(id), subscriptionCount]),
  );
  const add = (key: string, count: number) => {
    const next = (subscriptions.get(key) ?? 0) + count;
    subscriptions.set(key, next);
    return next;
  };
  let queries = actor.queries.length;
  for (const action of actions) {
    if (action.kind === "CreateQuery") {
      queries += 1;
      byIndex.set(action.index, {
        whose: "The actor",
        what: "queries",
        count: queries,
        limit: actor.maxQueries,
      });
    } else if (action.kind === "ArchiveQuery") queries -= 1;
    else if (action.kind === "CreateSubscription") {
      const count = add(action.queryId === null ? `${action.queryName}` : String(action.queryId), 1);
      byIndex.set(action.index, {
        ...{ whose: "The query", what: "subscriptions", count, limit: actor.maxSubscriptionsPerQuery },
      });
    } else if (action.kind === "ArchiveSubscription") {
      const owner = actor.subscriptions.find(({ id }) => id === action.subscriptionId);
      if (owner) add(String(owner.queryId), -1);
    }
  }
  return { queries: { before: actor.queries.length, after: queries, limit: actor.maxQueries }, byIndex };
}
