import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "../db/client.ts";
import { elsewhere } from "../test/elsewhere.ts";
import { removeOldHistory } from "./history.ts";
import { jobCrons, jobEvents, jobRuns, jobSteps, occurrences } from "./tables.ts";

beforeEach(async () => {
  await db.execute(sql`truncate job_events, job_runs, job_steps, job_crons, occurrences`);
});

const ago = (interval: string) => sql`now() - ${interval}::interval`;
type Run = Omit<typeof jobRuns.$inferInsert, "eventId" | "finishedAt">;

/** A run with a step, and its event; `ended` and its event's age are intervals. */
async function aRun(key: string, ended: string | null, run: Run, event = { name: "test", age: ended }) {
  const [stored] = await db
    .insert(jobEvents)
    .values({ key, name: event.name, data: {}, fannedOutAt: ago(event.age ?? "0") })
    .returning();
  const [row] = await db
    .insert(jobRuns)
    .values({ ...run, eventId: stored?.id ?? 0, ...(ended !== null && { finishedAt: ago(ended) }) })
    .returning();
  await db.insert(jobSteps).values({ runId: row?.id ?? 0, key: "a", name: "a", data: 1 });
}

const left = async () => ({
  runs: (
    await db.execute<{ key: string }>(
      sql`select key from job_runs join job_events on job_events.id = event_id order by key`,
    )
  ).map(({ key }) => key),
  events: (await db.select().from(jobEvents)).map(({ key }) => key).sort(),
  steps: (await db.select().from(jobSteps)).length,
});

test("each kind of run is kept for its time, with its steps and event", async () => {
  await db.insert(jobCrons).values([
    { functionId: "tick", expression: "* * * * *", doneUntil: new Date() },
    { functionId: "often", expression: "*/5 * * * *", doneUntil: new Date() },
    { functionId: "hourly", expression: "7 * * * *", doneUntil: new Date() },
  ]);
  const timer = (age: string) => ({ name: "inngest/scheduled.timer", age });
  await aRun("completed, old", "3 days 1 minute", { functionId: "work", status: "Completed" });
  await aRun("completed", "2 days 23:59", { functionId: "work", status: "Completed" });
  await aRun("failed, old", "30 days 1 minute", { functionId: "work", status: "Failed" });
  await aRun("failed", "29 days 23:59", { functionId: "work", status: "Failed" });
  await aRun("cancelled, old", "30 days 1 minute", { functionId: "work", status: "Cancelled" });
  await aRun("cancelled", "29 days 23:59", { functionId: "work", status: "Cancelled" });
  await aRun("waits for ages", null, { functionId: "work" }, { name: "test", age: "1 year" });
  await aRun(
    "tick, old",
    "1 hour 1 minute",
    { functionId: "tick", status: "Completed" },
    timer("61 minutes"),
  );
  await aRun("tick", "59 minutes", { functionId: "tick", status: "Completed" }, timer("59 minutes"));
  await aRun("tick, failed", "20 days", { functionId: "tick", status: "Failed" }, timer("20 days"));
  await aRun("often, old", "61 minutes", { functionId: "often", status: "Completed" }, timer("61 minutes"));
  await aRun("hourly", "61 minutes", { functionId: "hourly", status: "Completed" }, timer("61 minutes"));
  // An event that no function listens for, and one that is still pending.
  await db.insert(jobEvents).values([
    { key: "heard by none, old", name: "test", data: {}, fannedOutAt: ago("3 days 1 minute") },
    { key: "heard by none", name: "test", data: {}, fannedOutAt: ago("2 days") },
    { key: "not looked at", name: "test", data: {}, createdAt: ago("1 year") },
  ]);
  // Its run is gone, but its id must still prevent duplicates.
  await aRun(
    "late",
    "3 days 1 minute",
    { functionId: "work", status: "Completed" },
    { name: "test", age: "1 hour" },
  );

  expect(await removeOldHistory()).toMatchObject({ runs: 6, events: 4 });
  const runs = ["cancelled", "completed", "failed", "hourly", "tick", "tick, failed", "waits for ages"];
  expect(await left()).toEqual({
    runs,
    events: [...runs, "heard by none", "late", "not looked at"].sort(),
    steps: runs.length,
  });
  expect(await removeOldHistory()).toEqual({ runs: 0, events: 0, occurrences: 0 });
});

test("occurrences are removed after a month, unless they were never sent", async () => {
  const scheduledFor = new Date();
  await db.insert(occurrences).values([
    { kind: "old", objectId: 1, scheduledFor, createdAt: ago("30 days 1 minute"), dispatchedAt: new Date() },
    { kind: "new", objectId: 1, scheduledFor, createdAt: ago("29 days"), dispatchedAt: new Date() },
    { kind: "never sent", objectId: 1, scheduledFor, createdAt: ago("1 year") },
  ]);
  expect(await removeOldHistory()).toMatchObject({ occurrences: 1 });
  expect((await db.select().from(occurrences)).map(({ kind }) => kind).sort()).toEqual(["never sent", "new"]);
});

test("thousands are removed in batches, and locked rows are left for the next time", async () => {
  await db.execute(sql`
    insert into job_events (key, name, data, fanned_out_at)
    select 'e' || n, 'test', '{}', now() - interval '4 days' from generate_series(1, 2500) n`);
  await db.execute(sql`
    insert into job_runs (function_id, event_id, status, finished_at)
    select 'work', id, 'Completed', now() - interval '4 days' from job_events`);
  await db.execute(sql`
    insert into occurrences (kind, object_id, scheduled_for, created_at, dispatched_at)
    select 'k', n, now(), now() - interval '40 days', now() from generate_series(1, 2500) n`);
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from job_runs order by id limit 1 for update`);
    expect(await elsewhere(removeOldHistory)).toEqual({ runs: 2499, events: 2499, occurrences: 2500 });
  });
  expect(await removeOldHistory()).toEqual({ runs: 1, events: 1, occurrences: 0 });
});
