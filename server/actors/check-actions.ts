import { timezone } from "../db/schema-parts.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import type { OwnedQuery } from "../queries/service/owned-queries.ts";
import { isContractAction } from "./contract-actions.ts";
import type { ProposedAction } from "./proposal.ts";
import type { ActionFacts } from "./tables.ts";

/** What an actor has and may do; proposals are checked against it. */
export type Bounds = {
  maxQueries: number;
  maxSubscriptionsPerQuery: number;
  hasRecipients: boolean;
  dataSourceId: number;
  /** Its own queries, including locked ones. */
  queries: readonly OwnedQuery[];
  subscriptions: readonly { id: number; queryId: number; queryName: string }[];
};

export type CheckedAction = {
  proposed: ProposedAction;
  facts: ActionFacts;
  /** Why it can't be done; empty if it can. */
  errors: string[];
};

/** The SQL of a query with a single step on the data source; null if people have extended it. */
export function soleSql({ steps }: Pick<OwnedQuery, "steps">, dataSourceId: number): string | null {
  const [only, ...more] = steps;
  return more.length === 0 && only?.dataSourceId === dataSourceId ? (only.sql ?? null) : null;
}

/**
 * Checks actions in order, as if the earlier ones had been done: whether they respect the actor's limits and only touch
 * its own queries and subscriptions. Checked again when each one runs; this is for the reviewer.
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
      : { query: null, errors: [`Query ${id} does not belong to this actor`] };
  };

  function check(action: ProposedAction): Omit<CheckedAction, "proposed"> {
    switch (action.kind) {
      case "CreateQuery": {
        const name = action.name.trim();
        const errors = [];
        if (name === "") errors.push("The query has no name");
        if (name.length > 200) errors.push("The query's name is longer than 200 characters");
        const isTaken = created.has(name) || [...queries.values()].some((query) => query.name === name);
        if (isTaken) errors.push("The actor already has a query with this name");
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
            errors: [...errors, "It must name either a query of this plan or an existing one"],
          };
        if (queryName !== null && !created.has(queryName.trim()))
          errors.push("No earlier action creates a query with this name");
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
              ? ["A user gave this query several steps, and actors only change queries with one step"]
              : []),
            ...(currentSql?.trim() === action.sql.trim()
              ? ["The SQL is the same as in the active version"]
              : []),
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
          return {
            facts: {},
            errors: [`Subscription ${action.subscriptionId} does not belong to this actor`],
          };
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
      case "CreateContract":
      case "AddRules":
        // Their rules are tried, which finds all that is wrong with them.
        return { facts: {}, errors: [] };
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

/** The texts that name the tables an action is about: its SQL, or a contract's table and the SQL of its rules. */
export function textsOf({ proposed, facts }: Pick<CheckedAction, "proposed" | "facts">): string[] {
  if (!isContractAction(proposed)) return [sqlOf(proposed) ?? []].flat();
  const { tableName } = proposed.kind === "CreateContract" ? proposed : facts;
  const sqls = proposed.rules.map(({ configuration }) => JSON.stringify(configuration));
  return [...(tableName ? [tableName] : []), ...sqls];
}

/** The SQL an action would store; null if none. */
export const sqlOf = (action: ProposedAction): string | null =>
  action.kind === "CreateQuery" || action.kind === "RefineQuery" ? action.sql : null;
