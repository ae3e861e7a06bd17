import { and, eq, inArray, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { nextRun } from "../cron.ts";
import { jobCrons, jobEvents, jobRuns } from "../tables.ts";
import type { JobFunction } from "./supported.ts";

/**
 * Cron triggers of functions, declared in code. `job_crons` records up to when each has been handled; the process that
 * advances it creates the run, so only one does. Missed times result in one run.
 */

type FunctionCron = { functionId: string; expression: string };

export function cronsOf(functions: JobFunction[]): FunctionCron[] {
  return functions.flatMap((fn) => fn.crons.map((expression) => ({ functionId: fn.id, expression })));
}

/** A new cron starts now; earlier times are not caught up. */
export async function beginCrons(crons: FunctionCron[]): Promise<void> {
  if (crons.length === 0) return;
  await db
    .insert(jobCrons)
    .values(crons.map(({ functionId, expression }) => ({ functionId, expression, doneUntil: sql`now()` })))
    .onConflictDoNothing();
}

/** When to look for due crons again: in milliseconds from now, and by the database's clock, since 1970. */
export type NextCrons = { inMs: number; at: number };

/**
 * Creates the runs of due crons. Returns when the next one is due; null without crons.
 *
 * All processes wake at the full minute. The first one does the work, and the others leave it to that one, instead of
 * waiting for the same rows.
 */
export async function runDueCrons(crons: FunctionCron[]): Promise<NextCrons | null> {
  if (crons.length === 0) return null;
  const { due, next } = slotsOf(crons, await readStates(db, crons));
  if (due.length === 0 || !next) return next;
  const isMine = await db.transaction(async (tx) => {
    const [turn] = await tx.execute<{ is_mine: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtextextended('crons of jobs', 0)) as is_mine,
        set_config('idle_in_transaction_session_timeout', '5s', true)`);
    if (!turn?.is_mine) return false;
    for (const slot of slotsOf(crons, await readStates(tx, crons)).due) await runSlot(tx, slot);
    return true;
  });
  const sooner = Math.min(next.inMs, leftToOthersMs);
  return isMine ? next : { inMs: sooner, at: next.at - next.inMs + sooner };
}

/** When to look whether the process that has begun the crons has also ended it. */
const leftToOthersMs = 1000;

type State = { functionId: string; expression: string; doneUntil: Date; now: number };

const readStates = (connection: Connection, crons: FunctionCron[]): Promise<State[]> =>
  connection
    .select({
      functionId: jobCrons.functionId,
      expression: jobCrons.expression,
      doneUntil: jobCrons.doneUntil,
      now: sql<number>`floor(extract(epoch from now()) * 1000)::float8`,
    })
    .from(jobCrons)
    .where(
      inArray(
        jobCrons.functionId,
        crons.map((cron) => cron.functionId),
      ),
    );

type Slot = { cron: FunctionCron; at: Date; doneUntil: Date; now: Date };

/** What is due, and when something else will be; null if nothing is known. */
function slotsOf(crons: FunctionCron[], states: State[]): { due: Slot[]; next: NextCrons | null } {
  const due: Slot[] = [];
  let next: NextCrons | null = null;
  for (const cron of crons) {
    const state = states.find((s) => s.functionId === cron.functionId && s.expression === cron.expression);
    if (!state) continue;
    const now = new Date(state.now);
    const at = nextRun(cron.expression, "UTC", state.doneUntil);
    if (at && at <= now) due.push({ cron, at, doneUntil: state.doneUntil, now });
    const later = at && at > now ? at : nextRun(cron.expression, "UTC", now);
    if (later && (!next || later.getTime() < next.at))
      next = { inMs: later.getTime() - now.getTime(), at: later.getTime() };
  }
  return { due, next };
}

async function runSlot(tx: Transaction, { cron, at, doneUntil, now }: Slot): Promise<void> {
  const { functionId, expression } = cron;
  const moved = await tx
    .update(jobCrons)
    .set({ doneUntil: now })
    .where(
      and(
        eq(jobCrons.functionId, functionId),
        eq(jobCrons.expression, expression),
        eq(jobCrons.doneUntil, doneUntil),
      ),
    )
    .returning();
  if (moved.length === 0) return;
  const [event] = await tx
    .insert(jobEvents)
    .values({
      key: `cron/${functionId}/${expression}/${at.toISOString()}`,
      name: "inngest/scheduled.timer",
      data: { cron: expression },
      occurredAt: at,
      fannedOutAt: sql`now()`,
    })
    .onConflictDoNothing()
    .returning();
  if (event) await tx.insert(jobRuns).values({ functionId, eventId: event.id });
}
