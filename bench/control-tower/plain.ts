import type { Sql } from "postgres";

/** The obvious query: counts the executions of the window directly. */

const counted = `
  select s.id, q.name, s.created_at, count(e.id) as total,
    count(e.id) filter (where e.status in ('NotificationSent', 'NoResults', 'NotificationSilenced')) as ok,
    (select count(*) from tasks t where t.subscription_id = s.id and t.status = 'Open') as open_tasks
  from subscriptions s
  join queries q on q.id = s.query_id
  left join executions e on e.subscription_id = s.id and e.executed_at >= now() - interval '30 days'
  where s.archived_at is null
  group by s.id, q.name`;

const judged = `
  select *, case
    when total = 0 and created_at < now() - interval '1 day' then 'Stalled'
    when total = 0 or 100.0 * ok / total >= 90 then 'Green'
    when 100.0 * ok / total >= 70 then 'Amber'
    else 'Red' end as status
  from (${counted}) as counted`;

export type PlainStatistics = { total: number; green: number; amber: number; red: number; stalled: number };

export async function plainStatistics(sql: Sql): Promise<PlainStatistics> {
  const [row] = await sql.unsafe<PlainStatistics[]>(`
    select count(*)::int as total,
      (count(*) filter (where status = 'Green'))::int as green,
      (count(*) filter (where status = 'Amber'))::int as amber,
      (count(*) filter (where status = 'Red'))::int as red,
      (count(*) filter (where status = 'Stalled'))::int as stalled,
      sum(open_tasks), 100 * sum(ok) / sum(total),
      (select count(*) from anomalies where detected_at >= now() - interval '30 days')
    from (${judged}) as judged`);
  if (!row) throw new Error("An aggregate has one row");
  return row;
}

/** The worst hundred, with their last execution, anomalies and tasks. */
export async function plainWorstFirst(sql: Sql): Promise<void> {
  await sql.unsafe(`
    select judged.*, last.status as last_status, last.executed_at as last_at,
      (select count(*) from anomalies a where a.subscription_id = judged.id and a.detected_at >= now() - interval '30 days') as anomalies,
      (select count(*) from tasks t where t.subscription_id = judged.id) as tasks
    from (${judged}) as judged
    left join lateral (
      select status, executed_at from executions e where e.subscription_id = judged.id
      order by executed_at desc, id desc limit 1
    ) as last on true
    order by open_tasks desc, ok::float8 / nullif(total, 0) nulls last, name
    limit 100`);
}
