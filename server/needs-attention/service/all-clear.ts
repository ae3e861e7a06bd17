import { sql } from "drizzle-orm";
import { actors, plans } from "../../actors/tables.ts";
import { grants, type Permission } from "../../auth/permissions.ts";
import { type SignedIn, within } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { projects } from "../../projects/tables.ts";
import { queries, queryApprovals } from "../../queries/tables.ts";
import { subscriptionState, subscriptions } from "../../subscriptions/tables.ts";
import { clearProjects } from "../tables.ts";

/**
 * For an empty list: since when nothing has needed the caller's attention, and when something was last checked, so that
 * it is not mistaken for one that nobody fills. `since` is null while it is not known of every project, which is for a
 * minute after the last item has ended.
 */
export async function allClear(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined },
): Promise<{ since: Date | null; lastCheckAt: Date | null }> {
  const chosen = projectId ?? null;
  const isIn = (column: Parameters<typeof inVisibleProject>[1], permission: Permission = "everything:read") =>
    sql`(${chosen}::int is null or ${column} = ${chosen}) and ${inVisibleProject(within(permission, principal), column) ?? sql`true`}`;
  const decided = [
    grants("plans:decide", principal) &&
      sql`
        select max(${plans.decidedAt}) from ${plans} join ${actors} on ${actors.id} = ${plans.actorId}
        where ${isIn(actors.projectId, "plans:decide")}`,
    grants("query-changes:decide", principal) &&
      sql`
        select max(${queryApprovals.decidedAt}) from ${queryApprovals}
        join ${queries} on ${queries.id} = ${queryApprovals.queryId}
        where ${isIn(queries.projectId, "query-changes:decide")}`,
  ].flatMap((each) => (each === false ? [] : sql`, (${each})`));
  const [row] = await db.execute<{ since: string | null; at: string | null }>(sql`
    select (
      select case when bool_and(${clearProjects.since} is not null)
        then greatest(max(${clearProjects.since})${sql.join(decided)}) end
      from ${projects} left join ${clearProjects} on ${clearProjects.projectId} = ${projects.id}
      where ${isIn(projects.id)}
    ) as since, greatest(
      (
        select max(${subscriptionState.lastAt}) from ${subscriptions}
        join ${subscriptionState} on ${subscriptionState.subscriptionId} = ${subscriptions.id}
        where ${subscriptions.archivedAt} is null and ${isIn(subscriptions.projectId)}
      ),
      (
        select max(latest.evaluated_at) from ${contracts}
        join ${dataSources} on ${dataSources.id} = ${contracts.dataSourceId}
        cross join lateral (
          select evaluation.evaluated_at from ${evaluations} as evaluation
          where evaluation.contract_id = ${contracts.id} and evaluation.evaluated_at is not null
          order by evaluation.evaluated_at desc, evaluation.id desc limit 1
        ) as latest
        where ${contracts.archivedAt} is null and ${isIn(dataSources.projectId)}
      )
    ) as at`);
  const time = (at: string | null | undefined) => (at ? new Date(at) : null);
  return { since: time(row?.since), lastCheckAt: time(row?.at) };
}
