import { and, count, desc, eq, inArray, isNotNull, isNull, ne, not, sql } from "drizzle-orm";
import { type Connection, db } from "../db/client.ts";
import { paged } from "../db/paged.ts";
import { Problem } from "../errors.ts";
import { isEmbedded, wakeWorkers } from "./client.ts";
import { functionIdOf, jobName } from "./job-name.ts";
import type { JobFilter } from "./schema.ts";
import { subjectOf } from "./subject.ts";
import { jobCrons, jobEvents, jobRuns, jobSteps } from "./tables.ts";

/** The embedded engine's jobs, for operators. Inngest has its own dashboard. */

/** Newest first. */
export async function listJobs({ page, pageSize, status, name, housekeeping }: JobFilter) {
  const clocks = db.select({ id: jobCrons.functionId }).from(jobCrons);
  const fits = and(
    status === undefined ? undefined : eq(jobRuns.status, status),
    name === undefined ? undefined : eq(jobRuns.functionId, functionIdOf(name)),
    housekeeping
      ? undefined
      : not(sql`(${jobRuns.status} = 'Completed' and ${inArray(jobRuns.functionId, clocks)})`),
  );
  return paged(
    { page, pageSize },
    async () => (await db.select({ runs: count() }).from(jobRuns).where(fits))[0]?.runs ?? 0,
    async (window) => {
      const rows = await selectJobs(db)
        .where(fits)
        .orderBy(desc(jobRuns.id))
        .limit(window.limit)
        .offset(window.offset);
      return rows.map(shown);
    },
  );
}

/** Where jobs run, and how many failed in the last day. */
export async function describeEngine() {
  const [failed] = await db
    .select({ runs: count() })
    .from(jobRuns)
    .where(and(eq(jobRuns.status, "Failed"), sql`${jobRuns.finishedAt} > now() - interval '1 day'`));
  const failedLastDay = failed?.runs ?? 0;
  if (isEmbedded()) return { engine: "Embedded" as const, url: null, failedLastDay };
  // Only the origin, because a URL may contain a password.
  const url = new URL(process.env.INNGEST_BASE_URL || "https://app.inngest.com").origin;
  return { engine: "Inngest" as const, url, failedLastDay };
}

/**
 * Runs a job again, from the step after the last one stored; a step that failed permanently is tried again. A job
 * waiting for its next try has it immediately; a running job is left alone. Throws conflict for a completed job.
 */
export async function retryJob(id: number) {
  return db.transaction(async (tx) => {
    const { status } = await lockJob(tx, id);
    if (status === "Completed") throw new Problem("conflict", "The job has completed");
    if (!isEmbedded()) throw new Problem("conflict", "Jobs run on Inngest: it can be retried there");
    if (status !== "Running") {
      await tx.delete(jobSteps).where(and(eq(jobSteps.runId, id), isNotNull(jobSteps.error)));
      const isOver = status !== "Waiting";
      await tx
        .update(jobRuns)
        .set({ status: "Waiting", dueAt: sql`now()`, finishedAt: null, ...(isOver && { attempt: 0 }) })
        .where(eq(jobRuns.id, id));
      await wakeWorkers(tx);
    }
    return getJob(tx, id);
  });
}

/**
 * Cancels a job. The current step of a running job continues, but its result is dropped and no step follows. Throws
 * conflict for a job that has completed or failed.
 */
export async function cancelJob(id: number) {
  return db.transaction(async (tx) => {
    const { status } = await lockJob(tx, id);
    if (status === "Completed" || status === "Failed")
      throw new Problem("conflict", "The job has already ended");
    // Its worker only writes to Running runs with the fence of its claim.
    await tx
      .update(jobRuns)
      .set({ status: "Cancelled", finishedAt: sql`now()` })
      .where(and(eq(jobRuns.id, id), ne(jobRuns.status, "Cancelled"), isNull(jobRuns.finishedAt)));
    // Notifies workers waiting for its place.
    await wakeWorkers(tx);
    return getJob(tx, id);
  });
}

/** Until the transaction ends, no worker can claim the run or write to it. */
async function lockJob(tx: Connection, id: number) {
  const [run] = await tx
    .select({ status: jobRuns.status })
    .from(jobRuns)
    .where(eq(jobRuns.id, id))
    .for("update");
  if (!run) throw new Problem("not_found", "Job not found");
  return run;
}

async function getJob(connection: Connection, id: number) {
  const [row] = await selectJobs(connection).where(eq(jobRuns.id, id));
  if (!row) throw new Problem("not_found", "Job not found");
  return shown(row);
}

const selectJobs = (connection: Connection) =>
  connection
    .select({ run: jobRuns, data: jobEvents.data })
    .from(jobRuns)
    .innerJoin(jobEvents, eq(jobEvents.id, jobRuns.eventId));

function shown({ run, data }: { run: typeof jobRuns.$inferSelect; data: unknown }) {
  const { id, functionId, status, fence, error, createdAt, startedAt, finishedAt, dueAt } = run;
  return {
    id,
    name: jobName(functionId),
    status,
    // Each claim counts as a try.
    attempts: fence,
    error,
    subject: subjectOf(data),
    createdAt,
    startedAt,
    finishedAt,
    nextAttemptAt: status === "Waiting" ? dueAt : null,
  };
}
