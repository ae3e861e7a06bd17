import { type SQL, sql } from "drizzle-orm";
import { actors, plans } from "../../actors/tables.ts";
import { grants, type Permission } from "../../auth/permissions.ts";
import { type SignedIn, within } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { shownFrom } from "../../findings/judge.ts";
import { findings } from "../../findings/tables.ts";
import { contractsNow, subscriptionsNow } from "../../incidents/service/checks-now.ts";
import { incidentProblems, incidents } from "../../incidents/tables.ts";
import { failingDays } from "../../notifications/delivery-kinds.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { queries, queryApprovals, queryVersions } from "../../queries/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { everyStanding, rankOf, standingKey } from "../rank.ts";

/** The ranks of all standings, which the rows are sorted by. */
const keys = everyStanding.map(standingKey).join(",");
const places = everyStanding.map(rankOf).join(",");

/** Who looks; without a principal the service itself, which sees every project and decides about nothing. */
type Viewer = { principal: SignedIn["principal"] | null };

/**
 * What needs a person, as common table expressions, the last of which, `needing`, has a row for each item:
 *
 * `kind, id, project_id, concern, severity, holder, at, rank`
 *
 * One statement over indexes and kept counters, whatever the number of subscriptions: their history is not read.
 */
export function whatNeedsAttention(
  { principal }: Viewer,
  { projectId, hasFourEyes }: { projectId: number | undefined; hasFourEyes: boolean },
): SQL {
  const chosen = projectId ?? null;
  const isIn = (
    column: Parameters<typeof inVisibleProject>[1],
    permission: Permission = "everything:read",
  ) => {
    const isVisible = principal && inVisibleProject(within(permission, principal), column);
    return sql`(${chosen}::int is null or ${column} = ${chosen}) and ${isVisible ?? sql`true`}`;
  };
  const me = principal?.userId ?? 0;
  const parts = [
    subscriptionsNeeding,
    contractsNeeding,
    sql`
      select 'Findings' as kind, (array_agg(finding.id order by finding.rank desc, finding.id))[1] as id, finding.project_id,
        'Findings' as concern, (array_agg(finding.severity order by finding.rank desc, finding.id))[1]::text as severity,
        'Nobody' as holder, min(finding.first_seen_at) as at
      from (
        select ${findings.id}, ${findings.dataSourceId}, ${findings.schemaName}, ${findings.tableName}, ${findings.rank},
          ${findings.severity}, ${findings.firstSeenAt}, ${dataSources.projectId}
        from ${findings} join ${dataSources} on ${dataSources.id} = ${findings.dataSourceId}
        where ${findings.status} = 'Open' and ${findings.confidence} >= ${shownFrom} and ${isIn(dataSources.projectId)}
      ) as finding
      group by finding.project_id, finding.data_source_id, finding.schema_name, finding.table_name`,
    sql`
      select 'Task', ${tasks.id}, ${tasks.projectId}, 'Task',
        case ${tasks.priority} when 'Normal' then 'Medium' else ${tasks.priority}::text end,
        case ${tasks.assigneeId} when ${me} then 'Mine' else case when ${tasks.assigneeId} is null then 'Nobody' else 'Other' end end,
        ${tasks.createdAt}
      from ${tasks} left join ${subscriptions} on ${subscriptions.id} = ${tasks.subscriptionId}
      left join ${contracts} on ${contracts.id} = ${tasks.contractId}
      where ${tasks.status} = 'Open' and coalesce(${tasks.snoozedUntil} <= now(), true)
        and coalesce(${subscriptions.archivedAt}, ${contracts.archivedAt}) is null and ${isIn(tasks.projectId)}`,
    sql`
      select 'Delivery', max(${deliveries.id}), ${deliveries.projectId}, 'Undelivered', null, 'Nobody', min(${deliveries.failedAt})
      from ${deliveries} join ${notifications} on ${notifications.id} = ${deliveries.notificationId}
      where ${isFailedDelivery} and ${deliveries.projectId} is not null and ${isIn(deliveries.projectId)}
      group by ${deliveries.projectId}, ${deliveries.recipientId}, ${deliveries.userId}`,
    // What is wrong is listed by itself, but for watched tables; of incidents, those that somebody has taken are that person's
    // work.
    sql`
      select 'Incident', ${incidents.id}, ${incidents.projectId}, 'Incident', ${incidents.severity}::text,
        case when ${incidents.assigneeId} is null then 'Nobody' else 'Mine' end, ${incidents.openedAt}
      from ${incidents}
      where ${incidents.state} <> 'Resolved'
        and (${incidents.assigneeId} = ${me} or (${incidents.assigneeId} is null and not exists (
          select from ${incidentProblems} as problem
          where problem.incident_id = ${incidents.id} and problem.ended_at is null and problem.table_id is null)))
        and coalesce(${incidents.silencedUntil} <= now(), true) and ${isIn(incidents.projectId)}`,
  ];
  if (principal && grants("plans:decide", principal))
    parts.push(sql`
      select 'Plan', ${plans.id}, ${actors.projectId}, 'Plan', null, 'Nobody', ${plans.proposedAt}
      from ${plans} join ${actors} on ${actors.id} = ${plans.actorId}
      where ${plans.status} = 'PendingApproval' and ${actors.archivedAt} is null and ${isIn(actors.projectId, "plans:decide")}`);
  if (principal && grants("query-changes:decide", principal))
    parts.push(sql`
      select 'QueryChange', ${queryApprovals.id}, ${queries.projectId}, 'QueryChange', null, 'Nobody', ${queryApprovals.createdAt}
      from ${queryApprovals} join ${queries} on ${queries.id} = ${queryApprovals.queryId}
      join ${queryVersions} on ${queryVersions.id} = ${queryApprovals.versionId}
      where ${queryApprovals.status} = 'Pending' and ${queries.archivedAt} is null and ${isIn(queries.projectId, "query-changes:decide")}
        ${hasFourEyes ? sql`and not ${isByMe(me)}` : sql``}`);
  return sql`
    ${subscriptionsNow(isIn(subscriptions.projectId))},
    ${contractsNow(isIn(dataSources.projectId))},
    every (kind, id, project_id, concern, severity, holder, at) as (${sql.join(parts, sql` union all `)}),
    ranks as (
      select * from unnest(string_to_array(${keys}, ','), string_to_array(${places}, ',')::int[]) as ranks (key, rank)
    ),
    needing as (
      select every.*, ranks.rank
      from every join ranks on ranks.key = every.concern || ' ' || coalesce(every.severity, '-') || ' ' || every.holder
    )`;
}

/**
 * It failed recently and nobody has retried it. Tests are excluded, because their outcome is shown directly. To be used
 * where deliveries are joined with their notifications.
 */
export const isFailedDelivery = sql`${deliveries.status} = 'Failed'
  and ${deliveries.failedAt} > now() - ${failingDays} * interval '1 day' and ${notifications.causeKind} <> 'Test'`;

/** With four eyes on, nobody decides about their own work, or that of a service account whose key they made; see approvals. */
const isByMe = (me: number) => sql`exists (
  select from (values (${queryApprovals.requestedById}),
    (case when ${queryApprovals.kind} = 'FirstRun' then ${queryVersions.createdById} end)) as author (id)
  where author.id = ${me} or author.id in (select user_id from api_keys where created_by_id = ${me}))`;

const subscriptionsNeeding = sql`
  select 'Subscription' as kind, id, project_id, concern, case concern when 'Unusual' then severity end as severity,
    'Nobody' as holder, at
  from (
    select *, case
      when problem is null or (problem in ('Unusual', 'Found') and has_task)
        then case when is_undeliverable then 'CannotNotify' end
      else problem end as concern
    from subscription_now where not is_silenced
  ) as judged
  where concern is not null`;

const contractsNeeding = sql`
  select 'Contract', id, project_id, concern, null, 'Nobody', at
  from (
    select *, case
      when problem = 'NotEvaluated' or not has_task then coalesce(problem, case when is_never_evaluated then 'NeverEvaluated' end)
      when is_never_evaluated then 'NeverEvaluated' end as concern
    from contract_now where not is_silenced
  ) as judged
  where concern is not null`;
