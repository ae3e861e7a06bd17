import { type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { queries, queryFolders, querySteps, queryVersions } from "../../queries/tables.ts";
import { successfulStatuses } from "../../subscriptions/schema.ts";
import { executions, subscriptionDay, subscriptionState, subscriptions } from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import type { HealthFilter } from "../schema.ts";
import type { Window } from "../window.ts";

/**
 * The one calculation that statistics and rows come from: common table expressions, of which the last, `judged`, has
 * a row for each subscription that fits the filters, with its counts in the window and its status:
 *
 * `id, query_id, query_name, folder_id, project_id, ai_actor_id, anomaly_enabled, total, ok, open_tasks,
 * last_status, last_at, status`
 *
 * What it costs grows with subscriptions and not with their history: a window is the counter of all executions less
 * the counter at a midnight, give or take the executions between that midnight and the window's beginning.
 */
export function judgedSubscriptions(
  { principal }: SignedIn,
  filter: HealthFilter,
  window: Window,
  now: Date,
): SQL {
  const visible = inVisibleProject(principal, subscriptions.projectId) ?? sql`true`;
  const sign = window.isEdgeInside ? sql`+` : sql`-`;
  const successful = sql.join(
    successfulStatuses.map((status) => sql`${status}`),
    sql`, `,
  );
  return sql`
    scope as (
      select ${subscriptions.id} as id, ${subscriptions.queryId} as query_id, ${queries.name} as query_name,
        ${queries.folderId} as folder_id, ${subscriptions.projectId} as project_id,
        ${subscriptions.aiActorId} as ai_actor_id, ${subscriptions.anomalyEnabled} as anomaly_enabled,
        ${subscriptions.createdAt} as created_at
      from ${subscriptions} join ${queries} on ${queries.id} = ${subscriptions.queryId}
      where ${subscriptions.archivedAt} is null and ${visible}
        and ${sql.join(conditionsOf(filter), sql` and `)}
    ),
    edge as (
      select subscription_id, count(*)::int as total,
        (count(*) filter (where status in (${successful})))::int as ok
      from ${executions}
      where executed_at >= ${window.edge.from.toISOString()} and executed_at < ${window.edge.to.toISOString()}
      group by subscription_id
    ),
    counted as (
      select scope.*,
        coalesce(state.total, 0) - coalesce(before.total, earlier.total, 0) ${sign} coalesce(edge.total, 0) as total,
        coalesce(state.ok, 0) - coalesce(before.ok, earlier.ok, 0) ${sign} coalesce(edge.ok, 0) as ok,
        (task.id is not null)::int as open_tasks, state.last_status, state.last_at
      from scope
      left join ${subscriptionState} as state on state.subscription_id = scope.id
      -- Most ran on that very day, and are found together; only the others are looked up one by one.
      left join ${subscriptionDay} as before on before.subscription_id = scope.id and before.day = ${window.countedTo}
      left join lateral (
        select day.total, day.ok from ${subscriptionDay} as day
        where before.day is null and day.subscription_id = scope.id and day.day < ${window.countedTo}
        order by day.day desc limit 1
      ) as earlier on true
      left join edge on edge.subscription_id = scope.id
      left join ${tasks} as task on task.subscription_id = scope.id and task.status = 'Open'
    ),
    every as (
      select counted.*, case
        when total = 0 and created_at < ${now.toISOString()}::timestamptz - interval '1 day' then 'Stalled'
        when total = 0 or ok * 10 >= total * 9 then 'Green'
        when ok * 10 >= total * 7 then 'Amber'
        else 'Red' end as status
      from counted
    ),
    judged as (
      select * from every
      where ${filter.healthStatus === undefined ? sql`true` : sql`status = ${filter.healthStatus}`}
        and ${filter.hasUnresolvedTasks ? sql`open_tasks > 0` : sql`true`}
    )`;
}

/** On what a subscription is, rather than on how it is. */
function conditionsOf({ projectId, folderId, dataSourceId, searchKeyword }: HealthFilter): SQL[] {
  const conditions = [sql`true`];
  if (projectId !== undefined) conditions.push(sql`${subscriptions.projectId} = ${projectId}`);
  if (folderId !== undefined)
    conditions.push(sql`${queries.folderId} in (
      with recursive below as (
        select id from ${queryFolders} where id = ${folderId}
        union
        select folder.id from ${queryFolders} as folder join below on folder.parent_id = below.id
      )
      select id from below
    )`);
  if (dataSourceId !== undefined)
    conditions.push(sql`${subscriptions.queryId} in (
      select version.query_id from ${queryVersions} as version join ${querySteps} as step on step.version_id = version.id
      where version.status = 'Active' and step.data_source_id = ${dataSourceId}
    )`);
  // strpos knows no wildcards: what somebody looks for is just text.
  if (searchKeyword !== undefined && searchKeyword !== "")
    conditions.push(sql`strpos(lower(${queries.name}), lower(${searchKeyword})) > 0`);
  return conditions;
}
