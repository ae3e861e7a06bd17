import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { isOneOf } from "../../db/gathered.ts";
import { runPrepared } from "../../db/prepared.ts";
import { sparkRuns } from "../limits.ts";
import type { RecentValues } from "../schema.ts";
import { anomalies, executions, subscriptions } from "../tables.ts";

type Row = {
  id: number;
  metric: RecentValues["metric"];
  values: RecentValues["values"];
  anomalies: RecentValues["anomalies"];
};

/**
 * The judged number of each subscription's latest runs that have ended, oldest first, in one statement that reads
 * only those runs. Omits subscriptions that are unknown, archived, or in a project the caller cannot see.
 */
export async function listRecentValues(
  { principal }: SignedIn,
  ids: readonly number[],
): Promise<{ items: RecentValues[] }> {
  const rows = await runPrepared<Row>(sql`
    select chosen.id, chosen.metric, coalesce(recent.values, '[]') as values,
      coalesce(recent.anomalies, '[]') as anomalies
    from (
      select ${subscriptions.id} as id, case when ${subscriptions.anomalyEnabled}
        then ${subscriptions.anomalyMetric} else 'RowCount' end as metric
      from ${subscriptions}
      where ${isOneOf(subscriptions.id, ids)} and ${subscriptions.archivedAt} is null
        and ${inVisibleProject(principal, subscriptions.projectId) ?? sql`true`}
    ) as chosen
    cross join lateral (
      select jsonb_agg(run.value order by run.executed_at, run.id) as values,
        jsonb_agg(exists (
          select from ${anomalies} as anomaly where anomaly.execution_id = run.id and anomaly.metric = chosen.metric)
          order by run.executed_at, run.id) as anomalies
      from (
        select execution.id, execution.executed_at, case chosen.metric
          when 'RowCount' then execution.row_count::float8 else execution.metric_value end as value
        from ${executions} as execution
        where execution.subscription_id = chosen.id and execution.status <> 'Created'
        order by execution.executed_at desc nulls first, execution.id desc nulls first
        limit ${sparkRuns}
      ) as run
    ) as recent`);
  return { items: rows.map(({ id, ...values }) => ({ subscriptionId: id, ...values })) };
}
