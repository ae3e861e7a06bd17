import { type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { listFolders } from "../../queries/service/folders.ts";
import { querySteps, queryVersions } from "../../queries/tables.ts";
import type { ExecutionStatus } from "../../subscriptions/schema.ts";
import { anomalies } from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { percentOf } from "../percent.ts";
import type { HealthQuery, HealthSort, HealthStatus } from "../schema.ts";
import { daysFrom, type Window, windowBefore } from "../window.ts";
import { judgedSubscriptions } from "./judged.ts";

type Judged = {
  id: number;
  query_id: number;
  query_name: string;
  folder_id: number | null;
  ai_actor_id: number | null;
  anomaly_enabled: boolean;
  total: number;
  ok: number;
  open_tasks: number;
  last_status: ExecutionStatus | null;
  last_at: string | null;
  status: HealthStatus;
};

/** A page of the subscriptions that fit the filters, in the order asked for; beyond the last page it is empty. */
export async function listHealth(ctx: SignedIn, query: HealthQuery) {
  const { page, pageSize } = query;
  const now = await databaseNow(db);
  const window = windowBefore(now, query.timeRangeDays);
  const rows = await db.execute<{ total_count: number } & (Judged | Record<keyof Judged, null>)>(sql`
    with ${judgedSubscriptions(ctx, query, window, now)},
    page as (
      select judged.* ${query.sortBy === "Anomalies" ? sql`, anomalies` : sql``}
      from judged ${query.sortBy === "Anomalies" ? countedAnomalies(window) : sql``}
      order by ${orderOf(query)} limit ${pageSize} offset ${page * pageSize}
    )
    select counts.total_count, page.*
    from (select count(*)::int as total_count from judged) as counts left join page on true
    order by ${orderOf(query)}`);
  const judged = rows.flatMap((row) => (row.id === null ? [] : [row as Judged]));
  return {
    items: await shown(ctx, judged, window, now),
    page,
    pageSize,
    totalCount: rows[0]?.total_count ?? 0,
  };
}

const countedAnomalies = ({ from }: Window) => sql`
  left join (
    select subscription_id, count(*) as anomalies from ${anomalies}
    where detected_at >= ${from.toISOString()} group by subscription_id
  ) as found on found.subscription_id = judged.id`;

const rate = sql`ok::float8 / nullif(total, 0)`;

/** What each order looks at first, and which way round it is by itself. */
const sorts: Record<HealthSort, { by: readonly SQL[]; natural: "Asc" | "Desc" }> = {
  Name: { by: [], natural: "Asc" },
  SuccessRate: { by: [rate], natural: "Asc" },
  Executions: { by: [sql`total`], natural: "Desc" },
  OpenTasks: { by: [sql`open_tasks`], natural: "Desc" },
  Anomalies: { by: [sql`coalesce(anomalies, 0)`], natural: "Desc" },
  LastExecution: { by: [sql`last_at`], natural: "Desc" },
  // Worst first is most open tasks, then the lowest rate: its rate is turned round.
  WorstFirst: { by: [sql`open_tasks`, sql`-(${rate})`], natural: "Desc" },
};

/** What has no value comes last either way; ties are in the order of their names, then of their ids. */
function orderOf({ sortBy, sortDirection }: HealthQuery): SQL {
  const { by, natural } = sorts[sortBy];
  const direction = (sortDirection ?? natural) === "Asc" ? sql`asc` : sql`desc`;
  const byName = sql`lower(query_name) ${sortBy === "Name" ? direction : sql`asc`}, query_name, id`;
  return sql.join([...by.map((each) => sql`${each} ${direction} nulls last`), byName], sql`, `);
}

/** The rows of a page with what is looked up for them alone. */
async function shown(ctx: SignedIn, rows: Judged[], window: Window, now: Date) {
  const ids = rows.map(({ id }) => id);
  const [anomaliesOf, taskCounts, sources, folders] = await Promise.all([
    anomaliesByDay(ids, window, now),
    countTasks(ids),
    firstSources(rows.map((row) => row.query_id)),
    folderPaths(ctx),
  ]);
  return rows.map((row) => {
    const byDay = anomaliesOf(row.id);
    const source = sources.get(row.query_id);
    return {
      subscriptionId: row.id,
      status: row.status,
      queryId: row.query_id,
      queryName: row.query_name,
      folderPath: folders.get(row.folder_id ?? 0) ?? null,
      dataSourceId: source?.id ?? null,
      dataSourceName: source?.name ?? null,
      hasAiActor: row.ai_actor_id !== null,
      aiActorName: null,
      anomalyDetectionEnabled: row.anomaly_enabled,
      successRate: percentOf(row.ok, row.total),
      totalExecutions: row.total,
      failedCount: row.total - row.ok,
      openTaskCount: row.open_tasks,
      totalTaskCount: taskCounts.get(row.id) ?? 0,
      anomalyCount: byDay.reduce((sum, { count }) => sum + count, 0),
      anomaliesByDay: byDay,
      lastExecution:
        row.last_status === null || row.last_at === null
          ? null
          : { status: row.last_status, executedAt: new Date(row.last_at) },
    };
  });
}

const among = (ids: readonly number[]) => sql`any(${`{${ids.join(",")}}`}::int[])`;

async function anomaliesByDay(ids: readonly number[], { from }: Window, now: Date) {
  const found = await db.execute<{ id: number; day: string; count: number }>(sql`
    select subscription_id as id, ((detected_at at time zone 'UTC')::date)::text as day, count(*)::int as count
    from ${anomalies}
    where subscription_id = ${among(ids)} and detected_at >= ${from.toISOString()}
    group by 1, 2`);
  const counts = new Map(found.map(({ id, day, count }) => [`${id} ${day}`, count]));
  const days = daysFrom(from, now);
  return (id: number) => days.map((date) => ({ date, count: counts.get(`${id} ${date}`) ?? 0 }));
}

async function countTasks(ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.execute<{ id: number; count: number }>(sql`
    select subscription_id as id, count(*)::int as count from ${tasks}
    where subscription_id = ${among(ids)} group by 1`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The data source of the first step that has one, by query. */
async function firstSources(queryIds: readonly number[]) {
  const rows = await db.execute<{ query_id: number; id: number; name: string }>(sql`
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
