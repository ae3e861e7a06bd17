import type { Sql } from "postgres";
import type { Finding } from "./checks/check.ts";
import type { Ledger } from "./ledger.ts";
import type { Open } from "./quiet.ts";

/** Prints a line. */
export type Say = (line: string) => void;

/** What was done to the service, as it happened. */
export class Diary {
  readonly kills = new Map<string, number>();
  readonly disturbances = new Map<string, number>();

  killed(moment: string): void {
    this.kills.set(moment, (this.kills.get(moment) ?? 0) + 1);
  }

  disturbed(name: string): void {
    this.disturbances.set(name, (this.disturbances.get(name) ?? 0) + 1);
  }

  get killCount(): number {
    return [...this.kills.values()].reduce((sum, count) => sum + count, 0);
  }
}

export function printCounts(say: Say, title: string, counts: ReadonlyMap<string, number>): void {
  say(`\n${title}`);
  for (const [name, count] of [...counts].toSorted(([, a], [, b]) => b - a))
    say(`${String(count).padStart(6)}  ${name}`);
}

export function printFindings(say: Say, findings: readonly Finding[]): void {
  say("\nChecks: how many rows were checked, and which violate them");
  for (const { what, looked, wrong } of findings) {
    say(`${String(looked).padStart(6)}  ${wrong.length === 0 ? "holds  " : "BROKEN "}${what}`);
    for (const row of wrong.slice(0, 5)) say(`          ${JSON.stringify(row)}`);
    if (wrong.length > 5) say(`          and ${wrong.length - 5} more`);
  }
}

export function printOpen(say: Say, open: readonly Open[]): void {
  for (const { what, rows } of open) {
    say(`  STUCK  ${what}: ${rows.length}`);
    for (const row of rows.slice(0, 5)) say(`          ${JSON.stringify(row)}`);
  }
}

/** The extent of the test: how much of each kind of work there was, and how much of it the kills hit. */
export async function printWork(say: Say, sql: Sql, ledger: Ledger, receivedCount: number): Promise<void> {
  const [row] = await sql`
    select
      (select count(*) from occurrences) as "scheduled times",
      (select count(*) from evaluations) as "evaluations",
      (select count(*) from evaluations where attempts > 1) as "  of them taken over from a dead process",
      (select count(*) from evaluations where attempts > 3) as "  of them given up after three interruptions",
      (select count(*) from executions) as "executions of subscriptions",
      (select count(*) from executions where attempts > 1) as "  of them taken over",
      (select count(*) from executions where attempts > 3) as "  of them given up",
      (select count(*) from actor_executions where kind = 'ThinkCycle') as "think cycles",
      (select count(*) from actor_executions where kind = 'ThinkCycle' and attempts > 1) as "  of them taken over ",
      (select count(*) from actor_executions where kind = 'ThinkCycle' and attempts > 3) as "  of them given up ",
      (select count(*) from plans) as "plans",
      (select count(*) from actor_executions where kind = 'PlanRun') as "runs of approved plans",
      (select count(*) from actor_executions where kind = 'PlanRun' and attempts > 1) as "  of them taken over  ",
      (select count(*) from actor_executions where kind = 'PlanRun' and attempts > 3) as "  of them given up  ",
      (select count(*) from actor_actions where status <> 'Proposed') as "actions that were run",
      (select count(*) from query_approvals) as "changes that were requested",
      (select count(*) from query_approvals where decided_at is not null) as "  of them decided",
      (select count(*) from deliveries) as "deliveries",
      (select count(*) from deliveries where attempts > 1) as "  of them tried more than once",
      (select count(*) from job_runs where status = 'Failed') as "jobs that failed"`;
  say("\nWhat was in progress");
  for (const [name, count] of Object.entries(row ?? {}))
    say(`${String(count).padStart(6)}  ${name.trimEnd()}`);
  const copies = receivedCount - Number(row?.deliveries ?? 0);
  say(`${String(Math.max(copies, 0)).padStart(6)}  messages that arrived a second time, under the same id`);
  say(
    `${String(ledger.entries.length).padStart(6)}  requests: ${ledger.count("done")} done, ${ledger.count("rejected")} rejected, ${ledger.count("unknown")} never answered`,
  );
  const failed = await sql`
    select function_id, error, count(*)::int as count from job_runs where status = 'Failed' group by 1, 2 order by 3 desc limit 8`;
  for (const { function_id, error, count } of failed)
    say(`${String(count).padStart(6)}  failed: ${function_id}: ${String(error).slice(0, 120)}`);
}
