import { type SQL, sql } from "drizzle-orm";
import { actors, plans } from "../../actors/tables.ts";
import { grants } from "../../auth/permissions.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contracts, evaluations } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { shownFrom } from "../../findings/judge.ts";
import { findings } from "../../findings/tables.ts";
import { failingDays } from "../../notifications/schema.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { queries, queryApprovals, queryVersions } from "../../queries/tables.ts";
import { stalledAfterMinutes } from "../../subscriptions/limits.ts";
import {
  anomalies,
  executions,
  subscriptionIncidents,
  subscriptionState,
  subscriptions,
} from "../../subscriptions/tables.ts";
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
  const isIn = (column: Parameters<typeof inVisibleProject>[1]) =>
    sql`(${chosen}::int is null or ${column} = ${chosen}) and ${(principal && inVisibleProject(principal, column)) ?? sql`true`}`;
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
      where ${isFailedDelivery} and ${isIn(deliveries.projectId)}
      group by ${deliveries.projectId}, ${deliveries.recipientId}, ${deliveries.userId}`,
  ];
  if (principal && grants("plans:decide", principal))
    parts.push(sql`
      select 'Plan', ${plans.id}, ${actors.projectId}, 'Plan', null, 'Nobody', ${plans.proposedAt}
      from ${plans} join ${actors} on ${actors.id} = ${plans.actorId}
      where ${plans.status} = 'PendingApproval' and ${actors.archivedAt} is null and ${isIn(actors.projectId)}`);
  if (principal && grants("query-changes:decide", principal))
    parts.push(sql`
      select 'QueryChange', ${queryApprovals.id}, ${queries.projectId}, 'QueryChange', null, 'Nobody', ${queryApprovals.createdAt}
      from ${queryApprovals} join ${queries} on ${queries.id} = ${queryApprovals.queryId}
      join ${queryVersions} on ${queryVersions.id} = ${queryApprovals.versionId}
      where ${queryApprovals.status} = 'Pending' and ${queries.archivedAt} is null and ${isIn(queries.projectId)}
        ${hasFourEyes ? sql`and not ${isByMe(me)}` : sql``}`);
  return sql`
    ${subscriptionParts(isIn(subscriptions.projectId))},
    ${contractParts(isIn(dataSources.projectId))},
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

/** With four eyes on, nobody decides about their own work; see approvals. */
const isByMe = (me: number) => sql`coalesce(${queryApprovals.requestedById} = ${me}
  or (${queryApprovals.kind} = 'FirstRun' and ${queryVersions.createdById} = ${me}), false)`;

/**
 * Subscriptions that are on and not silenced, with their last run that has ended. A run in progress says nothing yet,
 * so until it ends, the one before counts.
 */
const subscriptionParts = (isIn: SQL) => sql`
  watched as (
    select id, project_id, condition_kind, created_at from ${subscriptions}
    where archived_at is null and enabled and coalesce(silenced_until <= now(), true) and ${isIn}
  ),
  ended as (
    select state.subscription_id, state.last_execution_id as execution_id, state.last_status as status, state.last_at as at
    from ${subscriptionState} as state where state.last_status <> 'Created'
    union all
    select state.subscription_id, former.id, former.status, former.executed_at
    from ${subscriptionState} as state
    cross join lateral (
      select execution.id, execution.status, execution.executed_at from ${executions} as execution
      where execution.subscription_id = state.subscription_id and execution.status <> 'Created'
      order by execution.executed_at desc, execution.id desc limit 1
    ) as former
    where state.last_status = 'Created'
  ),
  incident as (
    select subscription_id, bool_or(kind = 'Failing') as failing, bool_or(kind = 'Stalled') as stalled,
      -- Until then, its failed deliveries are items of their own.
      bool_or(kind = 'Undeliverable' and opened_at < now() - ${failingDays} * interval '1 day') as undeliverable,
      max(opened_at) as opened_at
    from ${subscriptionIncidents} where closed_at is null group by subscription_id
  ),
  seen as (
    select watched.id, watched.project_id, watched.condition_kind, ended.status, ended.at, incident.opened_at,
      incident.failing, incident.stalled, incident.undeliverable, anomaly.severity,
      -- What it found is then the task's.
      exists (
        select from ${tasks} as task where task.subscription_id = watched.id and task.status = 'Open'
      ) as has_task
    from watched
    left join ended on ended.subscription_id = watched.id
    left join incident on incident.subscription_id = watched.id
    left join ${anomalies} as anomaly on anomaly.execution_id = ended.execution_id and anomaly.acknowledged_at is null
  ),
  judged as (
    select id, project_id, severity::text, coalesce(at, opened_at) as at, case
      when failing then 'Failing'
      when stalled then 'Stalled'
      when status in ('Failed', 'Timeout') then 'CouldNotRun'
      when severity is not null and not has_task then 'Unusual'
      when status in ('NotificationSent', 'NotificationSilenced') and condition_kind <> 'Always' and not has_task then 'Found'
      when undeliverable then 'CannotNotify' end as concern
    from seen
  )`;

const subscriptionsNeeding = sql`
  select 'Subscription', id, project_id, concern, case concern when 'Unusual' then severity end, 'Nobody', at
  from judged where concern is not null`;

/** Contracts that are on and not silenced, with their last evaluation. */
const contractParts = (isIn: SQL) => sql`
  contract as (
    select ${contracts.id}, ${dataSources.projectId}, ${contracts.failureThreshold}, ${contracts.createdAt}, ${contracts.nextRunAt},
      latest.overall_score, latest.evaluated_at, latest.not_evaluated_because,
      -- What it found is then the task's.
      exists (
        select from ${tasks} as task where task.contract_id = ${contracts.id} and task.status = 'Open'
      ) as has_task
    from ${contracts} join ${dataSources} on ${dataSources.id} = ${contracts.dataSourceId}
    left join lateral (
      select evaluation.overall_score, evaluation.evaluated_at, evaluation.not_evaluated_because
      from ${evaluations} as evaluation
      where evaluation.contract_id = ${contracts.id} and evaluation.evaluated_at is not null
      order by evaluation.evaluated_at desc, evaluation.id desc limit 1
    ) as latest on true
    where ${contracts.archivedAt} is null and ${contracts.enabled}
      and coalesce(${contracts.silencedUntil} <= now(), true) and ${isIn}
  ),
  scored as (
    select id, project_id, coalesce(evaluated_at, created_at) as at, case
      when not_evaluated_because is not null then 'NotEvaluated'
      when overall_score < failure_threshold and not has_task then 'BelowThreshold'
      when evaluated_at is null and (created_at < now() - interval '1 day'
        or next_run_at < now() - ${stalledAfterMinutes} * interval '1 minute') then 'NeverEvaluated' end as concern
    from contract
  )`;

const contractsNeeding = sql`
  select 'Contract', id, project_id, concern, null, 'Nobody', at from scored where concern is not null`;
