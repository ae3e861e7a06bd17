import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * Metrics of this process, for Prometheus. Label values come from the code and the settings, never from a caller, so
 * that their number is bounded. Times are in seconds.
 */
const short = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const long = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `plumbline_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
    new Histogram({ name: `plumbline_${name}`, help, labelNames, buckets, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `plumbline_${name}`, help, labelNames, registers });

  return {
    registry,
    requests: counter("http_requests_total", "HTTP requests completed or aborted.", [
      "method",
      "route",
      "status",
    ]),
    requestSeconds: histogram(
      "http_request_duration_seconds",
      "From the arrival of a request to the end of its response.",
      ["method", "route"],
      short,
    ),
    jobRuns: counter("job_runs_total", "Job steps, by outcome.", ["job", "outcome"]),
    jobRunSeconds: histogram("job_run_duration_seconds", "Duration of a job step.", ["job"], long),
    evaluations: counter("evaluations_total", "Evaluations of data contracts.", ["trigger", "outcome"]),
    evaluationSeconds: histogram(
      "evaluation_duration_seconds",
      "Duration of an evaluation, until it was stored.",
      [],
      long,
    ),
    executions: counter("executions_total", "Executions of subscriptions, by their final status.", [
      "trigger",
      "status",
    ]),
    executionSeconds: histogram(
      "execution_duration_seconds",
      "Duration of an execution, until it was stored.",
      [],
      long,
    ),
    sourceQueries: counter("source_queries_total", "Statements and requests sent to data sources.", [
      "engine",
      "outcome",
    ]),
    sourceQuerySeconds: histogram(
      "source_query_duration_seconds",
      "Duration of a statement or request.",
      ["engine"],
      long,
    ),
    deliveries: counter("deliveries_total", "Attempts to deliver a notification.", ["channel", "outcome"]),
    deliverySeconds: histogram(
      "delivery_duration_seconds",
      "Duration of a delivery attempt.",
      ["channel"],
      short,
    ),
    llmCalls: counter("llm_calls_total", "Calls to the language model.", ["model", "outcome"]),
    llmSeconds: histogram(
      "llm_call_duration_seconds",
      "Duration of a call to the language model.",
      ["model"],
      long,
    ),
    llmTokens: counter("llm_tokens_total", "Input and output tokens of the language model.", [
      "model",
      "direction",
    ]),
    llmCost: counter(
      "llm_cost_dollars_total",
      "Estimated cost of the language model in US dollars, if its price is known.",
      ["model"],
    ),
    databaseUp: gauge("database_up", "1 if the service's database responded to this scrape, else 0."),
    databaseConnections: gauge(
      "database_connections",
      "Connections of all processes to the service's database.",
      ["state"],
    ),
    jobs: gauge("jobs", "Unfinished jobs of the embedded engine, across all processes.", ["job", "state"]),
    oldestDueJob: gauge(
      "jobs_oldest_due_seconds",
      "How long the oldest waiting job has been due; 0 if none is waiting.",
    ),
    failedJobs: gauge(
      "jobs_failed_last_day",
      "Jobs of the embedded engine that failed in the last 24 hours.",
    ),
    overdueSchedules: gauge(
      "schedules_overdue_seconds",
      "How overdue the most overdue schedule is; up to a minute is normal.",
      ["kind"],
    ),
    queuedDeliveries: gauge("deliveries_queued", "Notifications that are not yet delivered or given up."),
  };
}

export const metrics: ReturnType<typeof makeMetrics> = makeMetrics();

/** Adds prom-client's metrics of the process: memory, CPU, garbage collection, event loop lag. */
export function measureProcess(): void {
  if (!metrics.registry.getSingleMetric("process_cpu_user_seconds_total"))
    collectDefaultMetrics({ register: metrics.registry });
}

/** Starts a clock; calling the result returns the seconds since then. */
export function clock(): () => number {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1000;
}
