import { Cron } from "croner";
import type { Sql } from "postgres";

/** A cron and its zone, and the number of subscriptions that have them. */
export type Kind = { cron: string; zone: string; count: number };

/**
 * Creates the subscriptions of a thousand projects, none due before the given time. Of a thousand subscriptions, one
 * runs every minute, 4 every five minutes, 15 every quarter of an hour, 150 hourly (half of them on the hour), 750
 * daily (two fifths of them at six), 50 weekly and 30 monthly; four of five in UTC and the others in the zones of three
 * cities.
 */
export async function makeSchedules(sql: Sql, count: number, from: Date): Promise<Kind[]> {
  await sql`insert into projects (name) select 'Project ' || i from generate_series(1, 1000) as i`;
  await sql`insert into queries (project_id, name) select id, 'Query' from projects`;
  await sql`create temporary table planned (i int, minute int, hour int, part int, zone text)`;
  await sql`
    insert into planned
    select i, i * 7919::bigint % 12 * 5, i * 104729::bigint % 24, i * 31::bigint % 1000,
      (array['UTC', 'UTC', 'UTC', 'UTC', 'UTC', 'UTC', 'UTC', 'UTC', 'UTC', 'UTC', 'UTC', 'UTC',
        'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])[1 + i / 1000 % 15]
    from generate_series(1, ${count}::int) as i`;
  await sql`
    insert into subscriptions (query_id, project_id, cron_expression, timezone, timeout_seconds, condition_kind,
      create_tasks, anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric)
    select q.id, q.project_id, case
        when part < 1 then '* * * * *'
        when part < 5 then '*/5 * * * *'
        when part < 20 then '*/15 * * * *'
        when part < 95 then '0 * * * *'
        when part < 170 then minute || ' * * * *'
        when part < 470 then '0 6 * * *'
        when part < 920 then minute || ' ' || hour || ' * * *'
        when part < 970 then minute || ' ' || hour || ' * * ' || i % 7
        else minute || ' ' || hour || ' ' || 1 + i % 28 || ' * *' end,
      zone, 60, 'RowsFound', true, true, 'StandardDeviation', 2.5, 'RowCount'
    from planned join queries q on q.id = 1 + i % 1000`;
  const kinds = await sql<Kind[]>`
    select cron_expression as cron, timezone as zone, count(*)::int as count from subscriptions group by 1, 2`;
  const first = kinds.map(({ cron, zone }) => ({
    cron,
    zone,
    at: new Cron(cron, { timezone: zone, paused: true }).nextRun(from),
  }));
  await sql`
    update subscriptions set next_run_at = first.at
    from jsonb_to_recordset(${sql.json(first as never)}) as first (cron text, zone text, at timestamptz)
    where cron_expression = cron and timezone = zone`;
  await sql`vacuum analyze subscriptions`;
  return [...kinds];
}

/** The times of a cron after one time and up to another, according to croner: the reference for the service. */
export function timesOf({ cron, zone }: Pick<Kind, "cron" | "zone">, after: Date, until: Date): Date[] {
  const times: Date[] = [];
  const pattern = new Cron(cron, { timezone: zone, paused: true });
  for (let at = pattern.nextRun(after); at && at <= until; at = pattern.nextRun(at)) times.push(at);
  return times;
}
