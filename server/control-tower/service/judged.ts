import { type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { runPrepared } from "../../db/prepared.ts";
import { queries, queryFolders, querySteps, queryVersions } from "../../queries/tables.ts";
import { successfulStatuses } from "../../subscriptions/kinds.ts";
import {
  anomalies,
  executions,
  subscriptionDay,
  subscriptionState,
  subscriptions,
} from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import type { HealthFilter } from "../schema.ts";
import type { Window } from "../window.ts";

/**
 * The calculation shared by statistics and rows: common table expressions, the last of which, `judged`, has a row for
 * each subscription matching the filters, with its counts in the time range and its status:
 *
 * `id, query_id, total, ok, anomalies, open_tasks, status`
 *
 * The cost grows with the number of subscriptions, not with their history: a time range is the counter of all executions
 * minus the counter at a midnight, adjusted by the executions between that midnight and the start of the range. These
 * are all collected and summed at once, which is cheaper than joining them, and only then assigned to their
 * subscriptions.
 */
export function judgedSubscriptions(
  { principal }: SignedIn,
  filter: HealthFilter,
  window: Window,
  now: Date,
): SQL {
  const visible = inVisibleProject(principal, subscriptions.projectId) ?? sql`true`;
  const chosen = chosenByQuery(filter);
  // Bound values are not part of the SQL text, so there are few distinct statements.
  const [projectId, healthStatus] = [filter.projectId ?? null, filter.healthStatus ?? null];
  const sign = sql`${window.isEdgeInside ? 1 : -1}::int`;
  const [from, to] = [window.edge.from.toISOString(), window.edge.to.toISOString()];
  // An array is one value, looked at once.
  const successful = sql`any(${`{${successfulStatuses.join(",")}}`}::execution_status[])`;
  return sql`
    scope as (
      select id, query_id, created_at from ${subscriptions}
      where archived_at is null and ${visible}
        and (${projectId}::int is null or project_id = ${projectId})
        and ${sql.join([sql`true`, ...chosen], sql` and `)}
    ),
    -- What is made beforehand is read by one process: workers would take longer to start than they help.
    open as materialized (select subscription_id from ${tasks} where status = 'Open'),
    parts as (
      select subscription_id, total, ok, anomalies, 0 as open_tasks, 0 as days from ${subscriptionState}
      union all
      select subscription_id, -total, -ok, -anomalies, 0, 1 from ${subscriptionDay} where day = ${window.countedTo}
      union all
      select subscription_id, ${sign} * count(*)::int, ${sign} * (count(*) filter (where status = ${successful}))::int, 0, 0, 0
      from ${executions} where executed_at >= ${from} and executed_at < ${to}
      group by subscription_id
      union all
      select subscription_id, 0, 0, ${sign}, 0, 0
      from ${anomalies} where detected_at >= ${from} and detected_at < ${to}
      union all
      select subscription_id, 0, 0, 0, 1, 0 from open
    ),
    summed as (
      select subscription_id, sum(total)::int as total, sum(ok)::int as ok, sum(anomalies)::int as anomalies,
        sum(open_tasks)::int as open_tasks, sum(days) as days
      from parts
      where ${chosen.length === 0 ? sql`true` : sql`subscription_id in (select id from scope)`}
      group by subscription_id
    ),
    counted as (
      select scope.id, scope.query_id, scope.created_at,
        coalesce(summed.total, 0) - coalesce(earlier.total, 0) as total,
        coalesce(summed.ok, 0) - coalesce(earlier.ok, 0) as ok,
        coalesce(summed.anomalies, 0) - coalesce(earlier.anomalies, 0) as anomalies,
        coalesce(summed.open_tasks, 0) as open_tasks
      from scope
      left join summed on summed.subscription_id = scope.id
      -- Most ran on that very day, and are in the sum; only for the others is the day before it looked up.
      left join lateral (
        select day.total, day.ok, day.anomalies from ${subscriptionDay} as day
        where summed.days = 0 and day.subscription_id = scope.id and day.day < ${window.countedTo}
        order by day.day desc limit 1
      ) as earlier on true
    ),
    every as (
      select id, query_id, total, ok, anomalies, open_tasks, case
        when total = 0 and created_at < ${now.toISOString()}::timestamptz - interval '1 day' then 'Stalled'
        when total = 0 or ok * 10 >= total * 9 then 'Green'
        when ok * 10 >= total * 7 then 'Amber'
        else 'Red' end as status
      -- With an offset, what is worked out here is not worked out again wherever it is named.
      from counted offset 0
    ),
    judged as (
      select * from every
      where (${healthStatus}::text is null or status = ${healthStatus})
        and open_tasks >= ${filter.hasUnresolvedTasks ? 1 : 0}::int
    )`;
}

/**
 * Runs a statement that uses the judgments. The most common ones stay prepared; the others are too many, since each one
 * takes a third of a megabyte per connection.
 */
export async function runJudged<Row extends Record<string, unknown>>(
  { principal: { projectIds } }: SignedIn,
  filter: HealthFilter,
  statement: SQL,
): Promise<Row[]> {
  const isOfFew = chosenByQuery(filter).length === 0 && (projectIds === null || projectIds.length === 1);
  if (isOfFew) return runPrepared<Row>(statement);
  return [...(await db.execute(statement))] as Row[];
}

/** Filters on the query, and on the subscription's own name, which usually leave few subscriptions. */
function chosenByQuery({ folderId, dataSourceId, searchKeyword }: HealthFilter): SQL[] {
  const conditions: SQL[] = [];
  if (folderId !== undefined)
    conditions.push(sql`${subscriptions.queryId} in (
      with recursive below as (
        select id from ${queryFolders} where id = ${folderId}
        union
        select folder.id from ${queryFolders} as folder join below on folder.parent_id = below.id
      )
      select query.id from ${queries} as query where query.folder_id in (select id from below)
    )`);
  if (dataSourceId !== undefined)
    conditions.push(sql`${subscriptions.queryId} in (
      select version.query_id from ${queryVersions} as version join ${querySteps} as step on step.version_id = version.id
      where version.status = 'Active' and step.data_source_id = ${dataSourceId}
    )`);
  // strpos has no wildcards: the search is plain text.
  if (searchKeyword !== undefined && searchKeyword !== "")
    conditions.push(sql`(strpos(lower(${subscriptions.name}), lower(${searchKeyword})) > 0
      or ${subscriptions.queryId} in (
        select query.id from ${queries} as query where strpos(lower(query.name), lower(${searchKeyword})) > 0
      ))`);
  return conditions;
}
