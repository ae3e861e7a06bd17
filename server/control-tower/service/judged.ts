import { type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { isInVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { queries, queryFolders, querySteps, queryVersions } from "../../queries/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import type { HealthFilter } from "../schema.ts";
import { statusOf } from "../status.ts";
import type { Window } from "../window.ts";
import type { Counts } from "./counts.ts";
import { currentCounts } from "./current-counts.ts";

/** The calculation shared by statistics and rows. */
export type Judged = {
  /** Each subscription that the caller may see and that matches the filters, in no order. To be read at once: it may change. */
  matching: readonly Counts[];
  /** The moment of which this is true, in milliseconds: it decides which have stalled. */
  now: number;
  window: Window;
};

/** Without filters, nothing is copied: there may be a hundred thousand. */
export async function judgedSubscriptions(ctx: SignedIn, filter: HealthFilter): Promise<Judged> {
  const chosen = await chosenIds(filter);
  const { counts, moment, window } = await currentCounts(filter.timeRangeDays);
  const now = moment.now.getTime();
  const some = chosen === null ? counts.all : chosen.flatMap((id) => counts.get(id) ?? []);
  const all = conditionsOf(ctx, filter, now);
  const matching = all.length === 0 ? some : some.filter((each) => all.every((isMet) => isMet(each)));
  return { matching, now, window };
}

type Condition = (each: Counts) => boolean;

function conditionsOf({ principal }: SignedIn, filter: HealthFilter, now: number): Condition[] {
  const { projectId, hasUnresolvedTasks, healthStatus } = filter;
  const all: Condition[] = [];
  const isVisible = isInVisibleProject(principal);
  if (isVisible) all.push((each) => isVisible(each.projectId));
  if (projectId !== undefined) all.push((each) => each.projectId === projectId);
  if (hasUnresolvedTasks) all.push(({ openTasks }) => openTasks > 0);
  if (healthStatus !== undefined) all.push((each) => statusOf(each, now) === healthStatus);
  return all;
}

/** The subscriptions that match the filters on names, folders, and data sources; null if there are none of these. */
async function chosenIds(filter: HealthFilter): Promise<number[] | null> {
  const all = conditionsInSql(filter);
  if (all.length === 0) return null;
  const rows = await db.execute<{ id: number }>(sql`
    select id from ${subscriptions} where archived_at is null and ${sql.join(all, sql` and `)}`);
  return rows.map(({ id }) => id);
}

/** Conditions on the query, and on the subscription's own name, which usually leave few subscriptions. */
function conditionsInSql({ folderId, dataSourceId, searchKeyword }: HealthFilter): SQL[] {
  const all: SQL[] = [];
  if (folderId !== undefined)
    all.push(sql`${subscriptions.queryId} in (
      with recursive below as (
        select id from ${queryFolders} where id = ${folderId}
        union
        select folder.id from ${queryFolders} as folder join below on folder.parent_id = below.id
      )
      select query.id from ${queries} as query where query.folder_id in (select id from below)
    )`);
  if (dataSourceId !== undefined)
    all.push(sql`${subscriptions.queryId} in (
      select version.query_id from ${queryVersions} as version join ${querySteps} as step on step.version_id = version.id
      where version.status = 'Active' and step.data_source_id = ${dataSourceId}
    )`);
  // strpos has no wildcards: the search is plain text.
  if (searchKeyword !== undefined && searchKeyword !== "")
    all.push(sql`(strpos(lower(${subscriptions.name}), lower(${searchKeyword})) > 0
      or ${subscriptions.queryId} in (
        select query.id from ${queries} as query where strpos(lower(query.name), lower(${searchKeyword})) > 0
      ))`);
  return all;
}
