import { cronExpression, timezone } from "../jobs/cron.ts";
import type { OwnedQuery } from "../queries/service/owned-queries.ts";
import type { ProposedAction } from "./proposal.ts";
import type { ActionFacts } from "./tables.ts";

/** What an actor has and may do, by which its proposals are judged. */
export type Bounds = {
  maxQueries: number;
  maxSubscriptionsPerQuery: number;
  hasRecipients: boolean;
  dataSourceId: number;
  /** Its own queries, those that are locked included. */
  queries: readonly OwnedQuery[];
  subscriptions: readonly { id: number; queryId: number; queryName: string }[];
};

export type CheckedAction = {
  proposed: ProposedAction;
  facts: ActionFacts;
  /** What keeps it from being done, in words; none when nothing does. */
  errors: string[];
};

/** The one SQL of a query that is a single step on the data source; null for what people have built further. */
export function soleSql({ steps }: Pick<OwnedQuery, "steps">, dataSourceId: number): string | null {
  const [only, ...more] = steps;
  return more.length === 0 && only?.dataSourceId === dataSourceId ? (only.sql ?? null) : null;
}

/**
 * Judges actions one after another, as if each before had been done: whether they keep to the actor's limits and to
 * its own queries and subscriptions. The same is checked again when each is done; here a reviewer sees it before.
 */
export function checkActions(actions: readonly ProposedAction[], bounds: Bounds): CheckedAction[] {
  const queries = new Map(bounds.queries.map((query) => [query.id, query]));
  const subscriptions = new Map(bounds.subscriptions.map((each) => [each.id, each]));
  const countOf = new Map<string, number>();
  for (const { queryId } of bounds.subscriptions)
    countOf.set(`#${queryId}`, (countOf.get(`#${queryId}`) ?? 0) + 1);
  const created = new Set<string>();
  let queryCount = queries.size;

  const ownQuery = (id: number) => {
    const query = queries.get(id);
    return query
      ? { query, errors: [] }
      : { query: null, errors: [`Query ${id} is not one of this actor's`] };
  };

  function check(action: ProposedAction): Omit<CheckedAction, "proposed"> {
    switch (action.kind) {
      case "CreateQuery": {
        const name = action.name.trim();
        const errors = [];
        if (name === "") errors.push("The query has no name");
        if (name.length > 200) errors.push("The query's name is longer than 200 characters");
        const isTaken = created.has(name) || [...queries.values()].some((query) => query.name === name);
        if (isTaken) errors.push("The actor has a query of this name already");
        queryCount += 1;
        if (queryCount > bounds.maxQueries) errors.push(`MaxQueries is ${bounds.maxQueries}`);
        created.add(name);
        return { facts: {}, errors };
      }
      case "CreateSubscription": {
        const { queryName, queryId } = action;
        const errors = scheduleErrors(action);
        const facts: ActionFacts = {};
        if ((queryName === null) === (queryId === null))
          return {
            facts,
            errors: [...errors, "It must name either a query of this plan or one that exists"],
          };
        if (queryName !== null && !created.has(queryName.trim()))
          errors.push("No query of this name is created before it");
        if (queryId !== null) {
          const { query, errors: foreign } = ownQuery(queryId);
          errors.push(...foreign);
          if (query) facts.queryName = query.name;
        }
        const key = queryId === null ? (queryName ?? "").trim() : `#${queryId}`;
        const count = (countOf.get(key) ?? 0) + 1;
        countOf.set(key, count);
        if (count > bounds.maxSubscriptionsPerQuery)
          errors.push(`MaxSubscriptionsPerQuery is ${bounds.maxSubscriptionsPerQuery}`);
        return { facts, errors };
      }
      case "RefineQuery": {
        const { query, errors } = ownQuery(action.queryId);
        if (!query) return { facts: {}, errors };
        const currentSql = soleSql(query, bounds.dataSourceId);
        const facts = {
          queryName: query.name,
          currentSql: currentSql ?? "",
          baseVersion: query.activeVersion,
        };
        return {
          facts,
          errors: [
            ...(query.isLocked ? ["Query is locked"] : []),
            ...(currentSql === null
              ? ["People gave this query several steps, which an actor does not change"]
              : []),
            ...(currentSql?.trim() === action.sql.trim() ? ["The SQL is the one that runs already"] : []),
          ],
        };
      }
      case "ArchiveQuery": {
        const { query, errors } = ownQuery(action.queryId);
        if (!query) return { facts: {}, errors };
        queries.delete(query.id);
        queryCount -= 1;
        for (const each of subscriptions.values())
          if (each.queryId === query.id) subscriptions.delete(each.id);
        return { facts: { queryName: query.name }, errors: query.isLocked ? ["Query is locked"] : [] };
      }
      case "ArchiveSubscription": {
        const found = subscriptions.get(action.subscriptionId);
        if (!found)
          return { facts: {}, errors: [`Subscription ${action.subscriptionId} is not one of this actor's`] };
        subscriptions.delete(found.id);
        countOf.set(`#${found.queryId}`, (countOf.get(`#${found.queryId}`) ?? 1) - 1);
        return { facts: { queryName: found.queryName }, errors: [] };
      }
      case "SendNotification": {
        const errors = [];
        if (action.subject.trim() === "") errors.push("The notification has no subject");
        if (!bounds.hasRecipients) errors.push("The actor has no default recipients");
        return { facts: {}, errors };
      }
    }
  }

  return actions.map((proposed) => ({ proposed, ...check(proposed) }));
}

function scheduleErrors(action: { cronExpression: string; timezone: string }): string[] {
  return [
    ...messagesOf(cronExpression.safeParse(action.cronExpression), "The cron expression"),
    ...messagesOf(timezone.safeParse(action.timezone), "The time zone"),
  ];
}

type Parsed = { success: boolean; error?: { issues: readonly { message: string }[] } | undefined };

const messagesOf = ({ success, error }: Parsed, what: string): string[] =>
  success ? [] : (error?.issues.map(({ message }) => `${what} ${message}`) ?? []);

/** The SQL that an action would bring into the world; null where it brings none. */
export const sqlOf = (action: ProposedAction): string | null =>
  action.kind === "CreateQuery" || action.kind === "RefineQuery" ? action.sql : null;
