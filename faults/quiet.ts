import { setTimeout as delay } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";

/**
 * Unfinished work. None of it may remain once the kills stop: a lease ends after half a minute, leftover work is looked
 * for every minute, and what is then started takes its time.
 */
const open: Record<string, string> = {
  evaluations: "select id, contract_id, attempts, lease_until from evaluations where status = 'Running'",
  executions: "select id, subscription_id, attempts, lease_until from executions where status = 'Created'",
  "think cycles and runs of plans":
    "select id, kind, phase, attempts, lease_until from actor_executions where phase not in ('Completed', 'Failed')",
  "plans in Executing": "select id from plans where status = 'Executing'",
  "actors that are being set up": "select id, last_error from actors where status = 'Draft'",
  deliveries:
    "select id, attempts, next_attempt_at, lease_until, last_error from deliveries where status = 'Queued'",
  // They wait up to a quarter of an hour for an idle connection, and are then dropped.
  "failing rows to look at": `select id, attempts, lease_until from sample_requests
    where created_at < faults_clock.now() - interval '17 minutes'`,
  "events without runs": "select id, name from job_events where fanned_out_at is null",
  // The cron jobs come and go every minute.
  jobs: `select id, function_id, status, attempt, due_at, error from job_runs
    where finished_at is null and (function_id not in (select function_id from job_crons)
      or created_at < faults_clock.now() - interval '1 minute')`,
  "scheduled times that were not sent": "select * from occurrences where dispatched_at is null",
  "scheduled times that nobody works on": "select * from occurrences where claimed_at is null",
  // A row that is locked when the minute turns is claimed at the next one.
  "contracts that are overdue":
    "select id, next_run_at from contracts where next_run_at < faults_clock.now() - interval '70 seconds'",
  "subscriptions that are overdue":
    "select id, next_run_at from subscriptions where next_run_at < faults_clock.now() - interval '70 seconds'",
};

export type Open = { what: string; rows: unknown[] };

export async function findOpen(sql: Sql | TransactionSql): Promise<Open[]> {
  const found: Open[] = [];
  for (const [what, query] of Object.entries(open)) {
    const rows = await sql.unsafe(query);
    if (rows.length > 0) found.push({ what, rows });
  }
  return found;
}

/**
 * Polls until nothing is open, then runs `check` on that state, in the same snapshot. After `allowedMs`, checks anyway
 * and returns what is still open.
 */
export async function whenQuiet<Result>(
  sql: Sql,
  allowedMs: number,
  check: (snapshot: TransactionSql) => Promise<Result>,
): Promise<{ tookMs: number; open: Open[]; result: Result }> {
  const since = performance.now();
  for (;;) {
    const tookMs = performance.now() - since;
    const looked = await sql.begin("isolation level repeatable read read only", async (snapshot) => {
      const found = await findOpen(snapshot);
      if (found.length > 0 && tookMs < allowedMs) return null;
      return { tookMs, open: found, result: await check(snapshot) };
    });
    if (looked) return looked;
    await delay(500);
  }
}
