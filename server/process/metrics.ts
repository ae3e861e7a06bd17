import { createHash, timingSafeEqual } from "node:crypto";
import type { Gauge } from "prom-client";
import { authorize } from "../auth/principal.ts";
import { countConnections, measuring } from "../db/connections.ts";
import { createContext } from "../doors/context.ts";
import { problemResponse } from "../doors/rest/problem-response.ts";
import { env } from "../env.ts";
import { schedules } from "../job-functions.ts";
import { measureBacklog, measureLateness } from "../jobs/backlog.ts";
import { isEmbedded } from "../jobs/client.ts";
import { countQueued } from "../notifications/service/count-queued.ts";
import { log } from "../telemetry/log.ts";
import { metrics } from "../telemetry/metrics.ts";

/**
 * Metrics of this process and the database, in Prometheus text format. For Admins, and for METRICS_TOKEN if it is
 * set.
 */
export async function handleMetrics(request: Request): Promise<Response> {
  try {
    if (!hasMetricsToken(request.headers)) authorize(await createContext(request.headers), "metrics:read");
    await measured();
    const { registry } = metrics;
    return new Response(await registry.metrics(), {
      headers: { "content-type": registry.contentType, "cache-control": "no-store" },
    });
  } catch (error) {
    return problemResponse(error);
  }
}

/** Whether the caller has the metrics token. Compares hashes, in constant time. */
function hasMetricsToken(headers: Headers): boolean {
  const { METRICS_TOKEN: token } = env();
  if (token === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.get("authorization") ?? ""), digest(`Bearer ${token}`));
}

const keptMs = 5_000;

let kept: { until: number; done: Promise<void> } | undefined;

/** Database gauges are refreshed at most every five seconds, however often they are read. */
export function measured(): Promise<void> {
  if (!kept || kept.until <= Date.now()) {
    const measuring = { until: Number.POSITIVE_INFINITY, done: measureDatabase() };
    kept = measuring;
    void measuring.done.finally(() => {
      measuring.until = Date.now() + keptMs;
    });
  }
  return kept.done;
}

/** State that all processes share, so each of them reports the same. Missing while the database is down. */
async function measureDatabase(): Promise<void> {
  try {
    await measuring(async (tx) => {
      show(metrics.databaseConnections, await countConnections(tx));
      metrics.queuedDeliveries.set(await countQueued(tx));
      const lateness = schedules.map(async (schedule) => ({
        kind: schedule.kind,
        count: await measureLateness(schedule, tx),
      }));
      show(metrics.overdueSchedules, await Promise.all(lateness));
      if (isEmbedded()) {
        const { jobs, oldestDueSeconds, failedLastDay } = await measureBacklog(tx);
        show(metrics.jobs, jobs);
        metrics.oldestDueJob.set(oldestDueSeconds);
        metrics.failedJobs.set(failedLastDay);
      }
    });
    metrics.databaseUp.set(1);
  } catch (err) {
    log.warn({ err }, "Database metrics could not be read");
    for (const gauge of [metrics.databaseConnections, metrics.jobs, metrics.overdueSchedules]) gauge.reset();
    for (const gauge of [metrics.oldestDueJob, metrics.failedJobs, metrics.queuedDeliveries]) gauge.remove();
    metrics.databaseUp.set(0);
  }
}

/** Replaces a gauge's values, so that labels that no longer exist disappear. */
function show<L extends string>(gauge: Gauge<L>, rows: ({ count: number } & Record<L, string>)[]): void {
  gauge.reset();
  for (const { count, ...labels } of rows) gauge.set(labels as unknown as Record<L, string>, count);
}
