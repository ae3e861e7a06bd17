import { type SQL, sql } from "drizzle-orm";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { failingDays } from "../../notifications/delivery-kinds.ts";
import { stalledAfterMinutes } from "../../subscriptions/limits.ts";
import {
  anomalies,
  executions,
  subscriptionIncidents,
  subscriptionState,
  subscriptions,
} from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { tableAlerts, watchedTables, watches } from "../../watch/tables.ts";

/**
 * What is wrong with subscriptions, contracts, and watched tables now, by their last run, as common table expressions over indexes and kept
 * counters: their history is not read, whatever their number. `isIn` chooses by project.
 */

/**
 * Subscriptions that are on. `subscription_now` has a row for each:
 *
 * `id, project_id, at, problem, severity, is_silenced, has_task, is_undeliverable`
 *
 * A run in progress says nothing yet, so until it ends, the one before counts. A subscription that always reports has a
 * problem only if it cannot run or its result is unusual.
 */
export const subscriptionsNow = (isIn: SQL) => sql`
  watched as (
    select id, project_id, condition_kind, coalesce(silenced_until > now(), false) as is_silenced from ${subscriptions}
    where archived_at is null and enabled and ${isIn}
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
  hindered as (
    select subscription_id, bool_or(kind = 'Failing') as failing, bool_or(kind = 'Stalled') as stalled,
      -- Until then, its failed deliveries are items of their own.
      bool_or(kind = 'Undeliverable' and opened_at < now() - ${failingDays} * interval '1 day') as undeliverable,
      max(opened_at) as opened_at
    from ${subscriptionIncidents} where closed_at is null group by subscription_id
  ),
  subscription_now as (
    select watched.id, watched.project_id, coalesce(ended.at, hindered.opened_at) as at, watched.is_silenced,
      case
        when hindered.failing then 'Failing'
        when hindered.stalled then 'Stalled'
        when ended.status in ('Failed', 'Timeout') then 'CouldNotRun'
        when anomaly.severity is not null then 'Unusual'
        when ended.status in ('NotificationSent', 'NotificationSilenced') and watched.condition_kind <> 'Always' then 'Found'
      end as problem,
      anomaly.severity::text as severity, coalesce(hindered.undeliverable, false) as is_undeliverable,
      -- What it found is then the task's.
      exists (
        select from ${tasks} as task where task.subscription_id = watched.id and task.status = 'Open'
      ) as has_task
    from watched
    left join ended on ended.subscription_id = watched.id
    left join hindered on hindered.subscription_id = watched.id
    left join ${anomalies} as anomaly on anomaly.execution_id = ended.execution_id and anomaly.acknowledged_at is null
  )`;

/**
 * Contracts that are on, with their last evaluation. `contract_now` has a row for each:
 *
 * `id, project_id, at, problem, is_silenced, has_task, is_never_evaluated`
 */
export const contractsNow = (isIn: SQL) => sql`
  contract_now as (
    select ${contracts.id}, ${dataSources.projectId}, coalesce(latest.evaluated_at, ${contracts.createdAt}) as at,
      coalesce(${contracts.silencedUntil} > now(), false) as is_silenced,
      case
        when latest.not_evaluated_because is not null then 'NotEvaluated'
        when latest.overall_score < ${contracts.failureThreshold} then 'BelowThreshold'
      end as problem,
      latest.evaluated_at is null and (${contracts.createdAt} < now() - interval '1 day'
        or ${contracts.nextRunAt} < now() - ${stalledAfterMinutes} * interval '1 minute') as is_never_evaluated,
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
    where ${contracts.archivedAt} is null and ${contracts.enabled} and ${isIn}
  )`;

/**
 * Watched tables with something unusual that nobody has called expected. `table_now` has a row for each, by its worst alert:
 *
 * `id, project_id, at, problem, severity`
 */
export const tablesNow = (isIn: SQL) => sql`
  table_now as (
    select distinct on (${watchedTables.id}) ${watchedTables.id}, ${dataSources.projectId}, ${tableAlerts.openedAt} as at,
      case ${tableAlerts.kind} when 'Late' then 'Late' when 'Gone' then 'Changed' when 'Schema' then 'Changed' else 'Unusual' end as problem,
      case ${tableAlerts.kind} when 'Gone' then 'High' end as severity
    from ${tableAlerts}
    join ${watchedTables} on ${watchedTables.id} = ${tableAlerts.tableId}
    join ${watches} on ${watches.id} = ${watchedTables.dataSourceId}
    join ${dataSources} on ${dataSources.id} = ${watchedTables.dataSourceId}
    where ${tableAlerts.endedAt} is null and ${tableAlerts.expectedAt} is null and ${isIn}
    order by ${watchedTables.id}, ${tableAlerts.kind}, ${tableAlerts.openedAt} desc
  )`;
