import type { SignedIn } from "../../auth/principal.ts";
import { env } from "../../env.ts";
import { kept } from "../../kept.ts";
import { percentOf } from "../percent.ts";
import type { HealthFilter, HealthStatus, Statistics } from "../schema.ts";
import { statusOf } from "../status.ts";
import { judgedSubscriptions } from "./judged.ts";

/** `notRunYetSubscriptions` is only for the page: REST returns what the specification defines. */
type Counted = Statistics & { notRunYetSubscriptions: number };

/** The statistics for these filters, up to STATISTICS_CACHE_S seconds old, cached for callers with the same access. */
export async function getStatistics(ctx: SignedIn, filter: HealthFilter): Promise<Counted> {
  const { projectIds } = ctx.principal;
  const key = JSON.stringify([projectIds?.toSorted((a, b) => a - b) ?? null, Object.entries(filter).sort()]);
  return kept(key, env().STATISTICS_CACHE_S * 1000, () => calculateStatistics(ctx, filter));
}

export async function calculateStatistics(ctx: SignedIn, filter: HealthFilter): Promise<Counted> {
  const { matching, now } = await judgedSubscriptions(ctx, filter);
  const of: Record<HealthStatus, number> = { Green: 0, Amber: 0, Red: 0, Stalled: 0 };
  const sums = { total: 0, ok: 0, anomalies: 0, openTasks: 0, notRunYet: 0 };
  for (const each of matching) {
    const status = statusOf(each, now);
    of[status] += 1;
    sums.total += each.total;
    sums.ok += each.ok;
    sums.anomalies += each.anomalies;
    sums.openTasks += each.openTasks;
    if (status === "Green" && each.total === 0) sums.notRunYet += 1;
  }
  return {
    totalSubscriptions: matching.length,
    healthySubscriptions: of.Green,
    warningSubscriptions: of.Amber,
    criticalSubscriptions: of.Red,
    stalledSubscriptions: of.Stalled,
    notRunYetSubscriptions: sums.notRunYet,
    totalUnresolvedTasks: sums.openTasks,
    totalAnomalies30Days: sums.anomalies,
    overallSuccessRate: percentOf(sums.ok, sums.total) ?? 100,
    timeRangeDays: filter.timeRangeDays,
  };
}
