import { sql } from "drizzle-orm";
import { groupDb } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled.ts";
import { anyOf } from "../../db/gathered.ts";
import type { Lease } from "../../jobs/leases.ts";
import type { ExecutionStatus } from "../kinds.ts";
import { storable } from "../storable.ts";
import { executions } from "../tables.ts";
import { type Detecting, type JudgedMetric, judgedColumn, whatWasUsual } from "./detect-anomaly.ts";

/** What is stored in the row of an execution that has ended. */
type Completed = {
  lease: Lease;
  subscription: Detecting;
  status: ExecutionStatus;
  rowCount: number | null;
  measured: { column: string; value: number } | null;
  metric: JudgedMetric | null;
  /** Until when nobody is notified of it; null if someone is. */
  quietUntil: Date | null;
  executionTimeMs: number;
  /** Why it failed; null if it did not. */
  failure: string | null;
};

/** Completes, in the open transaction, those executions whose leases are held; returns the tokens of these. */
export async function completeExecutions(all: readonly Completed[]): Promise<ReadonlySet<string>> {
  const rows = all.map(({ lease, subscription, measured, metric, ...ended }) => {
    const { judgedMetric, usualLow, usualHigh } = whatWasUsual(metric);
    return {
      ...{ id: lease.id, token: lease.token, status: ended.status, row_count: ended.rowCount },
      ...{ metric_value: measured?.value ?? null, metric_column: judgedColumn(subscription, measured) },
      ...{ judged_metric: judgedMetric, usual_low: usualLow, usual_high: usualHigh },
      ...{ silenced_until: ended.quietUntil, execution_time_ms: ended.executionTimeMs },
      error_message: ended.failure === null ? null : storable(ended.failure),
    };
  });
  const held = await completeHeld({ runs: JSON.stringify(rows) });
  return new Set(held.map(({ token }) => token));
}

const completeHeld = compiledStatement<{ token: string }, { runs: string }>(
  groupDb,
  () => sql`
    with given as materialized (
      select * from json_to_recordset(${sql.placeholder("runs")}::json) as given (
        id integer, token uuid, status execution_status, row_count integer, metric_value float8, metric_column text,
        judged_metric anomaly_metric, usual_low float8, usual_high float8, silenced_until timestamptz,
        execution_time_ms integer, error_message text)
    )
    update ${executions} as e set
      status = given.status, row_count = given.row_count, metric_value = given.metric_value,
      metric_column = given.metric_column, judged_metric = given.judged_metric, usual_low = given.usual_low,
      usual_high = given.usual_high, silenced_until = given.silenced_until,
      execution_time_ms = given.execution_time_ms, error_message = given.error_message,
      finished_at = clock_timestamp()
    from given
    where e.id = given.id and e.id = ${anyOf("given", "id")} and e.lease_token = given.token and e.status = 'Created'
    returning given.token`,
);
