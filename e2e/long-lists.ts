import type { Sql } from "postgres";

/** Nobody connects to it. */
const connection = { host: "127.0.0.1", port: 5432, database: "shop", user: "reader", ssl: false };

/**
 * A data source of so many tables, each with a contract, a score of its own, and 29 before it, and a load that stopped: all of
 * them are late, which is one incident.
 */
export async function buildLongLists(sql: Sql, tables: number): Promise<void> {
  const [project] = await sql`insert into projects (name) values ('Lake') returning id`;
  const [source] = await sql`
    insert into data_sources (project_id, name, kind, connection)
    values (${project?.id}, 'Lake', 'PostgreSql', ${sql.json(connection)}) returning id`;
  await sql`
    insert into contracts (data_source_id, name, schema_name, table_name, cron_expression, next_run_at)
    select ${source?.id}, 'Table ' || i, 'loaded', 'table_' || i, '0 6 * * *', now() + interval '1 day'
    from generate_series(1, ${tables}::int) as i`;
  await sql`
    insert into evaluations (contract_id, data_source_id, schema_name, table_name, trigger, status, overall_score,
      started_at, evaluated_at, lease_token, lease_until)
    select id, data_source_id, schema_name, table_name, 'Scheduled', 'Completed', 80 + id % 21, now(), now(),
      gen_random_uuid(), now()
    from contracts where data_source_id = ${source?.id}`;
  await sql`
    insert into table_scores (data_source_id, schema_name, table_name, current_score, trend, evaluation_id, evaluated_at,
      history)
    select data_source_id, schema_name, table_name, overall_score, 'Stable', id, evaluated_at, (
      select jsonb_agg(jsonb_build_object(
        'evaluatedAt', to_char(evaluated_at at time zone 'UTC' - (30 - i) * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'score', case when i = 30 then overall_score else 70 + (id + i) % 31 end, 'couldNotEvaluate', false) order by i)
      from generate_series(1, 30) as i)
    from evaluations where data_source_id = ${source?.id}`;
  await sql`
    insert into watches (id, cron_expression, timezone, night_hour, budget_seconds, next_night_at)
    values (${source?.id}, '0 6 * * *', 'UTC', 2, 900, now() + interval '1 day')`;
  await sql`
    with made as (
      insert into watched_tables (data_source_id, schema_name, table_name, columns)
      select ${source?.id}, 'loaded', 'table_' || i, '[]' from generate_series(1, ${tables}::int) as i returning id
    )
    insert into table_alerts (table_id, kind, sentence, opened_at, last_seen_at)
    select id, 'Late', 'No change for 3 hours, usually within 1 hour', now() - interval '1 hour', now() from made`;
}
