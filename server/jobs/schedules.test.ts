import { sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { eventType } from "inngest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { db } from "../db/client.ts";
import { moment } from "../db/columns.ts";
import { elsewhere } from "../test/elsewhere.ts";
import { inngest } from "./client.ts";
import { nextRun } from "./cron.ts";
import { startEngine } from "./engine/engine.ts";
import {
  claimOccurrence,
  databaseNow,
  defineSchedule,
  ifClaimed,
  runDue,
  scheduleTick,
} from "./schedules.ts";
import { jobCrons, jobEvents, jobRuns, occurrences } from "./tables.ts";

/** Stands for any domain's table. */
const chores = pgTable("chores", {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  cronExpression: text().notNull(),
  timezone: text().notNull().default("UTC"),
  nextRunAt: moment(),
});

const choreDue = eventType("test/chore.due", {
  schema: z.object({ choreId: z.int(), scheduledFor: z.iso.datetime() }),
});

const schedule = defineSchedule({
  kind: "chore",
  table: chores,
  event: ({ objectId, scheduledFor }) =>
    choreDue.create({ choreId: objectId, scheduledFor: scheduledFor.toISOString() }),
});

beforeAll(async () => {
  await db.execute(sql`create table chores (id int primary key generated always as identity,
    cron_expression text not null, timezone text not null default 'UTC', next_run_at timestamptz(3))`);
});
beforeEach(async () => {
  await db.execute(
    sql`truncate chores, occurrences, job_events, job_runs, job_steps, job_crons restart identity`,
  );
});
afterAll(async () => {
  await db.execute(sql`drop table chores`);
});

const hour = 3_600_000;
const ago = async (ms: number) => new Date((await databaseNow(db)).getTime() - ms);

test("each due row is claimed and sent by one of two concurrent ticks", async () => {
  const due = await ago(1000);
  await db
    .insert(chores)
    .values(Array.from({ length: 130 }, () => ({ cronExpression: "0 * * * *", nextRunAt: due })));
  const sent = await Promise.all([runDue(schedule), runDue(schedule)]);
  expect(sent[0] + sent[1]).toBe(130);
  expect(await db.select().from(occurrences)).toHaveLength(130);
  expect(await db.select().from(jobEvents)).toHaveLength(130);
});

test("missed times make one occurrence, and the next run is in the future", async () => {
  const missed = await ago(5 * hour);
  await db.insert(chores).values({ cronExpression: "0 * * * *", nextRunAt: missed });
  expect(await runDue(schedule)).toBe(1);
  expect(await runDue(schedule)).toBe(0);
  expect(await db.select().from(occurrences)).toMatchObject([{ objectId: 1, scheduledFor: missed }]);
  const [chore] = await db.select().from(chores);
  const ahead = (chore?.nextRunAt?.getTime() ?? 0) - (await databaseNow(db)).getTime();
  expect(ahead).toBeGreaterThan(0);
  expect(ahead).toBeLessThanOrEqual(hour);
});

test("a row that is off or not yet due is skipped", async () => {
  const later = await ago(-hour);
  await db.insert(chores).values([
    { cronExpression: "* * * * *", nextRunAt: null },
    { cronExpression: "* * * * *", nextRunAt: later },
  ]);
  expect(await runDue(schedule)).toBe(0);
  expect(await db.select({ nextRunAt: chores.nextRunAt }).from(chores).orderBy(chores.id)).toEqual([
    { nextRunAt: null },
    { nextRunAt: later },
  ]);
});

test("a row that is being edited is skipped, and keeps the edit", async () => {
  const later = await ago(-hour);
  await db.insert(chores).values({ cronExpression: "0 * * * *", nextRunAt: await ago(1000) });
  await db.transaction(async (tx) => {
    await tx.update(chores).set({ cronExpression: "30 4 * * *", nextRunAt: later });
    expect(await elsewhere(() => runDue(schedule))).toBe(0);
  });
  expect(await db.select().from(chores)).toMatchObject([{ nextRunAt: later }]);
});

test("the next run uses the row's own time zone", async () => {
  await db
    .insert(chores)
    .values({ cronExpression: "0 9 * * *", timezone: "Asia/Kolkata", nextRunAt: await ago(0) });
  await runDue(schedule);
  const [chore] = await db.select().from(chores);
  // 09:00 at +05:30, all year round.
  expect(chore?.nextRunAt?.toISOString()).toMatch(/T03:30:00\.000Z$/);
});

test("rows of one claim advance by their own cron and zone, even if some share them", async () => {
  const due = await ago(1000);
  const crons = ["0 9 * * *", "0 9 * * *", "30 9 * * *", "not a cron"];
  const zones = ["UTC", "Asia/Kolkata", "Europe/Berlin"];
  const rows = Array.from({ length: 400 }, (_, n) => ({
    cronExpression: crons[n % crons.length] ?? "",
    timezone: zones[n % zones.length] ?? "",
    nextRunAt: due,
  }));
  await db.insert(chores).values(rows);
  expect(await runDue(schedule)).toBe(400);
  const stored = await db.select().from(chores).orderBy(chores.id);
  expect(stored).toMatchObject(rows.map(({ cronExpression, timezone }) => ({ cronExpression, timezone })));
  const now = await databaseNow(db);
  for (const { cronExpression, timezone, nextRunAt } of stored) {
    const isCron = cronExpression !== "not a cron";
    expect(nextRunAt).toEqual(isCron ? nextRun(cronExpression, timezone, now) : null);
  }
  expect(await db.select().from(jobEvents)).toHaveLength(400);
});

test("an occurrence that was not sent because of a crash is sent by the next tick, with the same id", async () => {
  const due = await ago(1000);
  await db.insert(chores).values({ cronExpression: "0 * * * *", nextRunAt: due });
  const dying = {
    ...schedule,
    event: () => {
      throw new Error("died");
    },
  };
  await expect(runDue(dying)).rejects.toThrow("died");
  expect(await db.select().from(occurrences)).toMatchObject([{ dispatchedAt: null }]);
  expect(await db.select().from(jobEvents)).toEqual([]);

  expect(await runDue(schedule)).toBe(1);
  expect(await db.select().from(occurrences)).toMatchObject([{ dispatchedAt: expect.any(Date) }]);
  expect(await db.select().from(jobEvents)).toMatchObject([
    { key: `chore/1/${due.toISOString()}`, data: { choreId: 1, scheduledFor: due.toISOString() } },
  ]);
});

test("an invalid cron stops only its own row", async () => {
  await db.insert(chores).values([
    { cronExpression: "0 * * * *", timezone: "Nowhere/Atlantis", nextRunAt: await ago(2000) },
    { cronExpression: "0 * * * *", nextRunAt: await ago(1000) },
  ]);
  await runDue(schedule);
  const [lost, other] = await db.select().from(chores).orderBy(chores.id);
  expect(lost?.nextRunAt).toBeNull();
  expect(other?.nextRunAt).not.toBeNull();
});

test("an occurrence is handled by the first run that claims it, and by its retries", async () => {
  const scheduledFor = await ago(0);
  await db.insert(occurrences).values({ kind: "chore", objectId: 1, scheduledFor });
  const claim = (runId: string, objectId = 1) =>
    claimOccurrence({ kind: "chore", objectId, scheduledFor }, runId);
  const [a, b] = await Promise.all([claim("a"), claim("b")]);
  expect([a, b].sort()).toEqual([false, true]);
  expect([await claim("a"), await claim("b")]).toEqual([a, b]);
  expect(await claim("a", 2)).toBe(false);
});

test("the minute tick turns a due row into one run of its function, and a broken schedule stops no other", async () => {
  const due = await ago(90_000);
  await db.insert(chores).values({ cronExpression: "0 * * * *", nextRunAt: due });
  await db.insert(jobCrons).values({
    functionId: "plumbline-schedule-tick",
    expression: "* * * * *",
    doneUntil: await ago(10 * 60_000),
  });
  const done: unknown[] = [];
  const doChore = inngest.createFunction({ id: "do-chore", triggers: choreDue }, async ({ event, runId }) => {
    const { choreId: objectId, scheduledFor } = event.data;
    const occurrence = { kind: "chore", objectId, scheduledFor: new Date(scheduledFor) };
    return ifClaimed(occurrence, runId, async () => void done.push(event.data));
  });
  const absent = pgTable("absent", {
    id: integer().primaryKey(),
    cronExpression: text().notNull(),
    timezone: text().notNull(),
    nextRunAt: moment(),
  });
  const broken = defineSchedule({ kind: "broken", table: absent, event: schedule.event });
  const engine = await startEngine([scheduleTick([broken, schedule]), doChore], { pollMs: 100 });
  try {
    await engine.idle();
    expect(done).toEqual([{ choreId: 1, scheduledFor: due.toISOString() }]);
    const ticks = await db.select().from(jobRuns).where(sql`function_id = 'plumbline-schedule-tick'`);
    expect(ticks[0]).toMatchObject({ status: "Failed", error: "Schedules that could not be read: broken" });
  } finally {
    await engine.stop();
  }
});
