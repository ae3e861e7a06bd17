import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { kept } from "../../kept.ts";
import { percentOf } from "../percent.ts";
import type { HealthFilter, Statistics } from "../schema.ts";
import { windowBefore } from "../window.ts";
import { judgedSubscriptions, runJudged } from "./judged.ts";

/** `notRunYetSubscriptions` is only for the page: REST returns what the specification defines. */
type Counted = Statistics & { notRunYetSubscriptions: number };

/** The statistics for these filters, up to STATISTICS_CACHE_S seconds old, cached for callers with the same access. */
export async function getStatistics(ctx: SignedIn, filter: HealthFilter): Promise<Counted> {
  const { projectIds } = ctx.principal;
  const key = JSON.stringify([projectIds?.toSorted((a, b) => a - b) ?? null, Object.entries(filter).sort()]);
  return kept(key, env().STATISTICS_CACHE_S * 1000, () => calculateStatistics(ctx, filter));
}

type Counts = Record<
  | "subscriptions"
  | "healthy"
  | "warning"
  | "critical"
  | "stalled"
  | "not_run_yet"
  | "tasks"
  | "anomalies"
  | "total"
  | "ok",
  number
>;

export async function calculateStatistics(ctx: SignedIn, filter: HealthFilter): Promise<Counted> {
  const now = await databaseNow(db);
  const window = windowBefore(now, filter.timeRangeDays);
  const statement = sql`
    with ${judgedSubscriptions(ctx, filter, window, now)}
    select count(*)::int as subscriptions,
      (count(*) filter (where status = 'Green'))::int as healthy,
      (count(*) filter (where status = 'Amber'))::int as warning,
      (count(*) filter (where status = 'Red'))::int as critical,
      (count(*) filter (where status = 'Stalled'))::int as stalled,
      (count(*) filter (where status = 'Green' and total = 0))::int as not_run_yet,
      coalesce(sum(open_tasks), 0)::int as tasks,
      coalesce(sum(anomalies), 0)::int as anomalies,
      coalesce(sum(total), 0)::float8 as total,
      coalesce(sum(ok), 0)::float8 as ok
    from judged`;
  const [counts] = await runJudged<Counts>(ctx, filter, statement);
  if (!counts) throw new Error("An aggregate has one row");
  return {
    totalSubscriptions: counts.subscriptions,
    healthySubscriptions: counts.healthy,
    warningSubscriptions: counts.warning,
    criticalSubscriptions: counts.critical,
    stalledSubscriptions: counts.stalled,
    notRunYetSubscriptions: counts.not_run_yet,
    totalUnresolvedTasks: counts.tasks,
    totalAnomalies30Days: counts.anomalies,
    overallSuccessRate: percentOf(counts.ok, counts.total) ?? 100,
    timeRangeDays: filter.timeRangeDays,
  };
}
