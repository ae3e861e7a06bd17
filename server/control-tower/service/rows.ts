import { sql } from "drizzle-orm";
import { actors } from "../../actors/tables.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { runPrepared } from "../../db/prepared.ts";
import { listFolders } from "../../queries/service/folders.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { queries, querySteps, queryVersions } from "../../queries/tables.ts";
import { loadLastExecutions } from "../../subscriptions/service/outcomes.ts";
import { anomalies, subscriptions } from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { percentOf } from "../percent.ts";
import { statusOf } from "../status.ts";
import { daysFrom, type Window } from "../window.ts";
import type { Counts } from "./counts.ts";
import type { Judged } from "./judged.ts";

/** These subscriptions' rows, in the same order. Details are looked up only for them. */
export async function rowsOf(ctx: SignedIn, page: readonly Counts[], { now, window }: Judged) {
  const ids = page.map(({ id }) => id);
  const [details, titles, lastOf, anomaliesOf, sources, folders] = await Promise.all([
    detailsOf(ids),
    findSubscriptionTitles(ids),
    loadLastExecutions(ids),
    anomaliesByDay(ids, window, now),
    firstSources(page.map(({ queryId }) => queryId)),
    folderPaths(ctx),
  ]);
  return page.flatMap((row) => {
    const byDay = anomaliesOf(row.id);
    const source = sources.get(row.queryId);
    const more = details.get(row.id);
    // Deleted by hand since.
    if (!more) return [];
    return {
      subscriptionId: row.id,
      status: statusOf(row, now),
      queryId: row.queryId,
      queryName: more.query_name,
      subscriptionName: titles.get(row.id) ?? more.query_name,
      folderPath: folders.get(more.folder_id ?? 0) ?? null,
      dataSourceId: source?.id ?? null,
      dataSourceName: source?.name ?? null,
      hasAiActor: more.ai_actor_id !== null,
      aiActorName: more.ai_actor_name,
      anomalyDetectionEnabled: more.anomaly_enabled,
      successRate: percentOf(row.ok, row.total),
      totalExecutions: row.total,
      failedCount: row.total - row.ok,
      openTaskCount: row.openTasks,
      totalTaskCount: more.tasks,
      anomalyCount: byDay.reduce((sum, { count }) => sum + count, 0),
      anomaliesByDay: byDay,
      lastExecution: lastOf.get(row.id) ?? null,
    };
  });
}

const among = (ids: readonly number[]) => sql`any(${`{${ids.join(",")}}`}::int[])`;

async function anomaliesByDay(ids: readonly number[], { from }: Window, now: number) {
  const found = await runPrepared<{ id: number; day: string; count: number }>(sql`
    select subscription_id as id, ((detected_at at time zone 'UTC')::date)::text as day, count(*)::int as count
    from ${anomalies}
    where subscription_id = ${among(ids)} and detected_at >= ${from.toISOString()}
    group by 1, 2`);
  const counts = new Map(found.map(({ id, day, count }) => [`${id} ${day}`, count]));
  const days = daysFrom(from, new Date(now));
  return (id: number) => days.map((date) => ({ date, count: counts.get(`${id} ${date}`) ?? 0 }));
}

type Details = {
  id: number;
  query_name: string;
  folder_id: number | null;
  ai_actor_id: number | null;
  ai_actor_name: string | null;
  anomaly_enabled: boolean;
  tasks: number;
};

async function detailsOf(ids: readonly number[]): Promise<Map<number, Details>> {
  const rows = await runPrepared<Details>(sql`
    select subscription.id, query.name as query_name, query.folder_id, subscription.ai_actor_id, actor.name as ai_actor_name, subscription.anomaly_enabled,
      (select count(*)::int from ${tasks} as task where task.subscription_id = subscription.id) as tasks
    from ${subscriptions} as subscription
    join ${queries} as query on query.id = subscription.query_id
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
