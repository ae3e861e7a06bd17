import type { Sql } from "postgres";

export type Size = { subscriptions: number; executions: number; tasks: number; anomalies: number };

/**
 * Subscriptions with 90 days of history, generated deterministically: most are healthy, every tenth fails in one of
 * five runs, every fiftieth in most of them, and every hundredth has not run for 40 days.
 */
export async function buildHistory(sql: Sql, size: Size): Promise<void> {
  const [project] = await sql`insert into projects (name) values ('Bench') returning id`;
  const [source] = await sql`
    insert into data_sources (project_id, name, kind, connection)
    values (${project?.id}, 'Warehouse', 'PostgreSql', '{}') returning id`;
  const folders = await sql`
    insert into query_folders (project_id, name) select ${project?.id}, 'Folder ' || i
    from generate_series(1, 50) as i returning id`;
  await sql`
    insert into queries (project_id, folder_id, name)
    select ${project?.id}, ${folders[0]?.id}::int + i % 50, 'Query ' || i from generate_series(1, ${size.subscriptions}::int) as i`;
  await sql`
    insert into query_versions (query_id, number, status) select id, 1, 'Active' from queries`;
  await sql`
    insert into query_steps (version_id, "order", name, data_source_id, sql)
    select id, 1, 'Step 1', ${source?.id}, 'select 1' from query_versions`;
  await sql`
    insert into subscriptions (query_id, project_id, cron_expression, timeout_seconds, condition_kind, create_tasks,
      anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric, created_at)
    select id, project_id, '0 6 * * *', 60, 'RowsFound', true, true, 'StandardDeviation', 2.5, 'RowCount', now() - interval '200 days'
    from queries`;
  await addExecutions(sql, size.executions);
  await sql`
    insert into tasks (subscription_id, query_id, project_id, status, latest_row_count, created_at, resolved_at)
    select s.id, s.query_id, s.project_id,
      (case when i <= ${size.subscriptions}::int and i % 5 = 0 then 'Open' else 'Resolved' end)::task_status, 3,
      now() - i % 90 * interval '1 day', now()
    from generate_series(1, ${size.tasks}::int) as i
    join subscriptions s on s.id = 1 + (i - 1) % ${size.subscriptions}::int`;
  await sql`
    insert into anomalies (subscription_id, execution_id, detected_at, severity, method, metric, detected_value, explanation)
    select e.subscription_id, e.id, e.executed_at, 'High', 'StandardDeviation', 'RowCount', 200, 'Above the usual'
    from executions e order by e.id % 97, e.id limit ${size.anomalies}`;
}

const byTime = "executions_time_idx";

/**
 * Adds executions spread over the last 90 days, stored in the order in which they would have occurred. Indexes are
 * created afterwards, which takes a fraction of the time and leaves them as if built in that order.
 */
export async function addExecutions(sql: Sql, executions: number): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'executions'::regclass and not indisprimary
    order by indexrelid::regclass::text <> ${byTime}`;
  await sql`set maintenance_work_mem = '512MB'`;
  // Looking up the subscription of each would take most of the time.
  await sql`set session_replication_role = replica`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await sql`
    insert into executions (subscription_id, status, trigger, executed_at, finished_at, row_count, execution_time_ms, query_version)
    select subscription,
      (case
        when subscription % 50 = 0 and run % 10 < 6 then 'Failed'
        when subscription % 10 = 0 and run % 10 < 2 then 'Timeout'
        when run % 3 = 0 then 'NoResults'
        else 'NotificationSent' end)::execution_status,
      'Scheduled', at, at, run % 100, 20, 1
    from (
      select 1 + (i * 7919) % size.subscriptions as subscription, i / size.subscriptions as run,
        now() - (i * 104729 % 7776000) * interval '1 second' as at
      from generate_series(1, ${executions}::bigint) as i, (select count(*) as subscriptions from subscriptions) as size
    ) as each
    where subscription % 100 <> 0 or at < now() - interval '40 days'`;
  await sql`set session_replication_role = origin`;
  for (const { name, definition } of indexes) {
    await sql.unsafe(definition);
    if (name === byTime) await sql.unsafe(`cluster executions using ${name}`);
  }
}
