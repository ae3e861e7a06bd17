import { type SQL, sql } from "drizzle-orm";
import { actors } from "../../actors/tables.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { runPrepared } from "../../db/prepared.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { listFolders } from "../../queries/service/folders.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { queries, querySteps, queryVersions } from "../../queries/tables.ts";
import { loadLastExecutions } from "../../subscriptions/service/outcomes.ts";
import { anomalies, subscriptionState, subscriptions } from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { percentOf } from "../percent.ts";
import type { HealthQuery, HealthSort, HealthStatus } from "../schema.ts";
import { daysFrom, type Window, windowBefore } from "../window.ts";
import { judgedSubscriptions, runJudged } from "./judged.ts";

type Judged = {
  id: number;
  status: HealthStatus;
  query_id: number;
  query_name: string;
  folder_id: number | null;
  total: number;
  ok: number;
  open_tasks: number;
};

/** A page of subscriptions matching the filters, in the requested order; empty beyond the last page. */
export async function listHealth(ctx: SignedIn, query: HealthQuery) {
  const { page, pageSize } = query;
  const now = await databaseNow(db);
  const window = windowBefore(now, query.timeRangeDays);
  const { first, byName } = orderOf(query);
  const whole = sql.join([...first, byName], sql`, `);
  const skipped = page * pageSize;
  const untilPageEnds = sql`
    order by ${sql.join(first, sql`, `)} fetch first (${skipped + pageSize}::bigint) rows with ties`;
  // Without a filter on health or tasks, counting doesn't need the judgment.
  const counted = query.healthStatus || query.hasUnresolvedTasks ? sql`judged` : sql`scope`;
  const statement = sql`
    with ${judgedSubscriptions(ctx, query, window, now)},
    -- Names are looked up for those alone that may be on the page, with all that are equal to the last of them.
    foremost as (
      ${query.sortBy === "LastExecution" ? withLastAt : sql`select * from judged`}
      ${first.length > 0 ? untilPageEnds : sql``}
    ),
    page as (
      select foremost.*, named.query_name, named.shown_name, named.folder_id
      from foremost join ${first.length > 0 ? eachName : allNames}
      order by ${whole} limit ${pageSize} offset ${skipped}
    )
    select counts.total_count, page.*
    from (select count(*)::int as total_count from ${counted}) as counts left join page on true
    order by ${whole}`;
  const rows = await runJudged<{ total_count: number } & (Judged | Record<keyof Judged, null>)>(
    ctx,
    query,
    statement,
  );
  const judged = rows.flatMap((row) => (row.id === null ? [] : [row as Judged]));
  return {
    items: await shown(ctx, judged, window, now),
    page,
    pageSize,
    totalCount: rows[0]?.total_count ?? 0,
  };
}

const name = sql`
  select subscription.id as subscription_id, query.name as query_name,
    coalesce(subscription.name, query.name) as shown_name, query.folder_id
  from ${subscriptions} as subscription join ${queries} as query on query.id = subscription.query_id`;
const allNames = sql`(${name}) as named on named.subscription_id = foremost.id`;
/** A lateral lookup per row: the planner can't know how few names a page needs. */
const eachName = sql`lateral (${name} where subscription.id = foremost.id offset 0) as named on true`;

const withLastAt = sql`
  select judged.*, state.last_at
  from judged left join ${subscriptionState} as state on state.subscription_id = judged.id`;

const rate = sql`ok::float8 / nullif(total, 0)`;

/** Stalled has no rank, so it comes last in both directions. */
const urgency = sql`case status when 'Red' then 3 when 'Amber' then 2 when 'Green' then 1 end`;

// Most open tasks, then the lowest rate, which is negated.
const worst = [sql`open_tasks`, sql`-(${rate})`];

/** Each order's leading expressions and default direction. */
const sorts: Record<HealthSort, { by: readonly SQL[]; natural: "Asc" | "Desc" }> = {
  Name: { by: [], natural: "Asc" },
  SuccessRate: { by: [rate], natural: "Asc" },
  Executions: { by: [sql`total`], natural: "Desc" },
  OpenTasks: { by: [sql`open_tasks`], natural: "Desc" },
  Anomalies: { by: [sql`anomalies`], natural: "Desc" },
  LastExecution: { by: [sql`last_at`], natural: "Desc" },
  WorstFirst: { by: worst, natural: "Desc" },
  Status: { by: [urgency, ...worst], natural: "Desc" },
};

/** Missing values come last in both directions; ties are sorted by name, then by ID. */
function orderOf({ sortBy, sortDirection }: HealthQuery): { first: SQL[]; byName: SQL } {
  const { by, natural } = sorts[sortBy];
  const direction = (sortDirection ?? natural) === "Asc" ? sql`asc` : sql`desc`;
  return {
    first: by.map((each) => sql`${each} ${direction} nulls last`),
    byName: sql`lower(shown_name) ${sortBy === "Name" ? direction : sql`asc`}, shown_name, id`,
  };
}

/** A page's rows, with details looked up only for them. */
async function shown(ctx: SignedIn, rows: Judged[], window: Window, now: Date) {
  const ids = rows.map(({ id }) => id);
  const [details, titles, lastOf, anomaliesOf, sources, folders] = await Promise.all([
    detailsOf(ids),
    findSubscriptionTitles(ids),
    loadLastExecutions(ids),
    anomaliesByDay(ids, window, now),
    firstSources(rows.map((row) => row.query_id)),
    folderPaths(ctx),
  ]);
  return rows.map((row) => {
    const byDay = anomaliesOf(row.id);
    const source = sources.get(row.query_id);
    const more = details.get(row.id);
    return {
      subscriptionId: row.id,
      status: row.status,
      queryId: row.query_id,
      queryName: row.query_name,
      subscriptionName: titles.get(row.id) ?? row.query_name,
      folderPath: folders.get(row.folder_id ?? 0) ?? null,
      dataSourceId: source?.id ?? null,
      dataSourceName: source?.name ?? null,
      hasAiActor: more?.ai_actor_id != null,
      aiActorName: more?.ai_actor_name ?? null,
      anomalyDetectionEnabled: more?.anomaly_enabled ?? false,
      successRate: percentOf(row.ok, row.total),
      totalExecutions: row.total,
      failedCount: row.total - row.ok,
      openTaskCount: row.open_tasks,
      totalTaskCount: more?.tasks ?? 0,
      anomalyCount: byDay.reduce((sum, { count }) => sum + count, 0),
      anomaliesByDay: byDay,
      lastExecution: lastOf.get(row.id) ?? null,
    };
  });
}

const among = (ids: readonly number[]) => sql`any(${`{${ids.join(",")}}`}::int[])`;

async function anomaliesByDay(ids: readonly number[], { from }: Window, now: Date) {
  const found = await runPrepared<{ id: number; day: string; count: number }>(sql`
    select subscription_id as id, ((detected_at at time zone 'UTC')::date)::text as day, count(*)::int as count
    from ${anomalies}
    where subscription_id = ${among(ids)} and detected_at >= ${from.toISOString()}
    group by 1, 2`);
  const counts = new Map(found.map(({ id, day, count }) => [`${id} ${day}`, count]));
  const days = daysFrom(from, now);
  return (id: number) => days.map((date) => ({ date, count: counts.get(`${id} ${date}`) ?? 0 }));
}

type Details = {
  id: number;
  ai_actor_id: number | null;
  ai_actor_name: string | null;
  anomaly_enabled: boolean;
  tasks: number;
};

async function detailsOf(ids: readonly number[]): Promise<Map<number, Details>> {
  const rows = await runPrepared<Details>(sql`
    select subscription.id, subscription.ai_actor_id, actor.name as ai_actor_name, subscription.anomaly_enabled,
      (select count(*)::int from ${tasks} as task where task.subscription_id = subscription.id) as tasks
    from ${subscriptions} as subscription
    left join ${actors} as actor on actor.id = subscription.ai_actor_id
    where subscription.id = ${among(ids)}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** By query, the data source of the first step that has one. */
async function firstSources(queryIds: readonly number[]) {
  const rows = await runPrepared<{ query_id: number; id: number; name: string }>(sql`
    select distinct on (version.query_id) version.query_id, source.id, source.name
    from ${queryVersions} as version
    join ${querySteps} as step on step.version_id = version.id
    join ${dataSources} as source on source.id = step.data_source_id
    where version.query_id = ${among(queryIds)} and version.status = 'Active'
    order by version.query_id, step.order`);
  return new Map(rows.map(({ query_id, id, name }) => [query_id, { id, name }]));
}

async function folderPaths(ctx: SignedIn): Promise<Map<number, string>> {
  const { items } = await listFolders(ctx);
  return new Map(items.map(({ id, path }) => [id, path]));
}
