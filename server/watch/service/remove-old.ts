import { and, isNotNull, lt, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { detailDays, historyDays, runDays } from "../limits.ts";
import { tableAlerts, watchPoints, watchRuns, watchSeries } from "../tables.ts";

/** Series with many points a day. */
const frequent = ["Interval", "HourRows"] as const;
const batch = 2000;

/**
 * Keeps history compact: of what is measured many times a day, only one point a day is kept after two months (the longest
 * interval, the sum of the rows), and nothing after a year. Returns how many months were made smaller.
 */
export async function compactHistory(): Promise<number> {
  await db
    .delete(watchPoints)
    .where(lt(watchPoints.month, sql`(now() - ${historyDays} * interval '1 day')::date - 31`));
  await db.delete(watchRuns).where(lt(watchRuns.startedAt, sql`now() - ${runDays} * interval '1 day'`));
  await db
    .delete(tableAlerts)
    .where(
      and(
        isNotNull(tableAlerts.endedAt),
        lt(tableAlerts.endedAt, sql`now() - ${historyDays} * interval '1 day'`),
      ),
    );
  let compacted = 0;
  for (let last = batch; last === batch; compacted += last) last = await compactSome();
  return compacted;
}

async function compactSome(): Promise<number> {
  const rows = await db.execute(sql`
    with full_months as (
      select points.series_id, points.month, series.measure, points.times, points.values
      from ${watchPoints} as points
      join ${watchSeries} as series on series.id = points.series_id
      where series.measure in ${frequent} and points.month < (now() - ${detailDays} * interval '1 day')::date - 31
        and cardinality(points.times) > 31
      limit ${batch}
    ),
    days as (
      select series_id, month, measure, point.second / 86400 as day, max(point.value) as longest, sum(point.value) as total
      from full_months, unnest(times, values) as point (second, value)
      group by series_id, month, measure, day
    ),
    compact as (
      select series_id, month, array_agg(day * 86400 order by day) as times,
        array_agg(case measure when 'Interval' then longest else total end order by day) as values
      from days group by series_id, month
    )
    update ${watchPoints} set times = compact.times, values = compact.values
    from compact where ${watchPoints.seriesId} = compact.series_id and ${watchPoints.month} = compact.month
    returning 1`);
  return rows.length;
}
