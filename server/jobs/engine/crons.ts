import { and, eq, inArray, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
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

/** Creates the runs of due crons. Returns the milliseconds until the next one is due; null without crons. */
export async function runDueCrons(crons: FunctionCron[]): Promise<number | null> {
  if (crons.length === 0) return null;
  const states = await db
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

  let untilNext = Number.POSITIVE_INFINITY;
  for (const cron of crons) {
    const state = states.find((s) => s.functionId === cron.functionId && s.expression === cron.expression);
    if (!state) continue;
    const now = new Date(state.now);
    const slot = nextRun(cron.expression, "UTC", state.doneUntil);
    if (slot && slot <= now) await runSlot(cron, slot, state.doneUntil, now);
    const next = slot && slot > now ? slot : nextRun(cron.expression, "UTC", now);
    if (next) untilNext = Math.min(untilNext, next.getTime() - now.getTime());
  }
  return Number.isFinite(untilNext) ? untilNext : null;
}

async function runSlot(cron: FunctionCron, slot: Date, doneUntil: Date, now: Date): Promise<void> {
  const { functionId, expression } = cron;
  await db.transaction(async (tx) => {
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
        key: `cron/${functionId}/${expression}/${slot.toISOString()}`,
        name: "inngest/scheduled.timer",
        data: { cron: expression },
        occurredAt: slot,
        fannedOutAt: sql`now()`,
      })
      .onConflictDoNothing()
      .returning();
    if (event) await tx.insert(jobRuns).values({ functionId, eventId: event.id });
  });
}
