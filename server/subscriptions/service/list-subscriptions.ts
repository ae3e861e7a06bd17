import { and, eq, exists, gt, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { hasFailedDelivery } from "../../notifications/service/delivery-tallies.ts";
import { queryNames } from "../../queries/service/query-names.ts";
import type { ListSubscriptions, SubscriptionSort } from "../schema.ts";
import { subscriptionIncidents, subscriptionState, subscriptions } from "../tables.ts";
import { shownSubscriptions } from "./load-subscriptions.ts";

type Filter = Partial<Omit<ListSubscriptions, keyof Paging>>;

const names = queryNames();

/** A page of the subscriptions visible to the caller that match the filters; oldest first by default. */
export async function listSubscriptions({ principal }: SignedIn, input: Filter & Paging) {
  const fits = and(
    isNull(subscriptions.archivedAt),
    inVisibleProject(principal, subscriptions.projectId),
    input.projectId === undefined ? undefined : eq(subscriptions.projectId, input.projectId),
    input.queryId === undefined ? undefined : eq(subscriptions.queryId, input.queryId),
    input.enabled === undefined ? undefined : eq(subscriptions.enabled, input.enabled),
    ifAsked(input.hasIncident, hasIncident),
    ifAsked(input.silenced, sql`coalesce(${gt(subscriptions.silencedUntil, sql`now()`)}, false)`),
    ...wordsIn(input.search ?? "").map(holds),
  );
  return paged(
    input,
    () => count(fits),
    async ({ limit, offset }) => {
      const rows = await db
        .select({ subscription: subscriptions })
        .from(subscriptions)
        .innerJoin(names, eq(names.id, subscriptions.queryId))
        .leftJoin(subscriptionState, eq(subscriptionState.subscriptionId, subscriptions.id))
        .where(fits)
        .orderBy(...orderOf(input))
        .limit(limit)
        .offset(offset);
      return shownSubscriptions(rows.map(({ subscription }) => subscription));
    },
  );
}

async function count(fits: SQL | undefined): Promise<number> {
  const [counted] = await db
    .select({ subscriptions: sql<number>`count(*)::int` })
    .from(subscriptions)
    .innerJoin(names, eq(names.id, subscriptions.queryId))
    .where(fits);
  return counted?.subscriptions ?? 0;
}

const hasIncident = exists(
  db
    .select({ one: sql`1` })
    .from(subscriptionIncidents)
    .where(
      and(eq(subscriptionIncidents.subscriptionId, subscriptions.id), isNull(subscriptionIncidents.closedAt)),
    ),
);

const ifAsked = (asked: boolean | undefined, condition: SQL) =>
  asked === undefined ? undefined : asked ? condition : not(condition);

/** Whether its own name, the query's name, or one of the parameter values contains a word. */
const holds = (word: string) =>
  or(
    containsWord(names.name, word),
    containsWord(subscriptions.name, word),
    sql`exists (select from jsonb_each_text(${subscriptions.parameters}) as given
      where ${containsWord(sql`given.value`, word)})`,
  );

/**
 * Subscriptions with an open incident first, then those whose last run failed or did not reach all recipients, then the
 * others; disabled ones last.
 */
const attention = sql`case
  when ${hasIncident} then 0
  when not ${subscriptions.enabled} then 3
  when ${subscriptionState.lastStatus} in ('Failed', 'Timeout')
    or ${hasFailedDelivery("Execution", subscriptionState.lastExecutionId)} then 1
  else 2 end`;

const shownName = sql`coalesce(${subscriptions.name}, ${names.name})`;
const byName = [sql`lower(${shownName})`, shownName];
const byId = sql`${subscriptions.id}`;

/** Each sort order's expression and default direction. */
const sorts: Record<SubscriptionSort, { by: readonly SQL[]; natural: "Asc" | "Desc" }> = {
  Created: { by: [byId], natural: "Asc" },
  Attention: { by: [attention], natural: "Asc" },
  Name: { by: byName, natural: "Asc" },
  LastExecution: { by: [sql`${subscriptionState.lastAt}`], natural: "Desc" },
  NextRun: { by: [sql`${subscriptions.nextRunAt}`], natural: "Asc" },
};

/** Missing values come last in both directions; ties are by name, then id. */
function orderOf({ sortBy = "Created", sortDirection }: Filter): SQL[] {
  const { by, natural } = sorts[sortBy];
  const direction = (sortDirection ?? natural) === "Asc" ? sql`asc` : sql`desc`;
  return [...by.map((each) => sql`${each} ${direction} nulls last`), ...byName, byId];
}
