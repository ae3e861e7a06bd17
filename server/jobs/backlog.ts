import { sql } from "drizzle-orm";
import { type Connection, db } from "../db/client.ts";
import { jobName } from "./job-name.ts";
import type { Schedule } from "./schedules.ts";

export type Backlog = {
  /** Unfinished runs by function: `due` runs wait for a worker, `later` ones for their next try. */
  jobs: { job: string; state: "due" | "later" | "running"; count: number }[];
  /** How many seconds the run that has waited longest has been due. */
  oldestDueSeconds: number;
  failedLastDay: number;
};

/** The backlog of the embedded engines in all processes. */
export async function measureBacklog(connection: Connection = db): Promise<Backlog> {
  const open = await connection.execute<{
    id: string;
    state: "due" | "later" | "running";
    count: number;
    age: number;
  }>(sql`
    select function_id as id,
      case when status = 'Running' then 'running' when due_at <= now() then 'due' else 'later' end as state,
      count(*)::integer as count,
      extract(epoch from now() - min(due_at))::float8 as age
    from job_runs where finished_at is null group by 1, 2`);
  const [failed] = await connection.execute<{ count: number }>(sql`
    select count(*)::integer as count from job_runs
    where status = 'Failed' and finished_at > now() - interval '1 day'`);
  const waiting = open.filter(({ state }) => state === "due").map(({ age }) => age);
  return {
    jobs: open.map(({ id, state, count }) => ({ job: jobName(id), state, count })),
    oldestDueSeconds: Math.max(0, ...waiting),
    failedLastDay: failed?.count ?? 0,
  };
}

/** How many seconds the most overdue row of a schedule is late; 0 if none is. */
export async function measureLateness({ rows }: Schedule, connection: Connection = db): Promise<number> {
  const [late] = await connection
    .select({ seconds: sql<number>`coalesce(extract(epoch from now() - min(${rows.nextRunAt})), 0)::float8` })
    .from(rows);
  return Math.max(0, late?.seconds ?? 0);
}
