import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { auditLog } from "../audit/tables.ts";
import { db } from "../db/client.ts";
import { aJob } from "../test/factories/jobs.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { inngest as client, sendEvents } from "./client.ts";
import { startEngine } from "./engine/engine.ts";
import { cancelJob, describeEngine, retryJob } from "./service.ts";
import { jobCrons, jobRuns, jobSteps } from "./tables.ts";

let cookie: string;
beforeAll(async () => {
  cookie = await cookieOf(await aUser("Admin"));
});
beforeEach(async () => {
  await db.execute(sql`truncate job_events, job_runs, job_steps, job_crons`);
});

const list = async (query = "") => rest("GET", `/jobs${query}`, { cookie });
const act = async (id: number, act: "retry" | "cancel") => rest("POST", `/jobs/${id}/${act}`, { cookie });
const runOf = async (id: number) => (await db.select().from(jobRuns).where(eq(jobRuns.id, id)))[0];

async function anEngine(functions: Parameters<typeof startEngine>[0]) {
  const engine = await startEngine(functions, { pollMs: 100, backoffMs: () => 3_600_000 });
  onTestFinished(() => engine.stop());
  return engine;
}
const onlyJob = async () => {
  const [run] = await db.select().from(jobRuns);
  return run?.id ?? 0;
};

describe("the list", () => {
  test("describes each job with its status and subject, newest first", async () => {
    const failed = await aJob({
      ...{ functionId: "plumbline-run-subscription", status: "Failed", fence: 3, error: "No luck" },
      ...{ startedAt: new Date("2030-01-01T00:00:01Z"), finishedAt: new Date("2030-01-01T00:00:02Z") },
      data: { subscriptionId: 7, dataSourceId: 2 },
    });
    const dueAt = new Date("2030-01-02T00:00:00Z");
    const waiting = await aJob({ dueAt });
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ page: 0, pageSize: 100, totalCount: 2 },
      items: [
        {
          ...{ id: waiting, name: "work", status: "Waiting", attempts: 0, error: null, subject: null },
          ...{ createdAt: expect.any(String), startedAt: null, finishedAt: null },
          nextAttemptAt: dueAt.toISOString(),
        },
        {
          ...{ id: failed, name: "run-subscription", status: "Failed", attempts: 3, error: "No luck" },
          subject: { kind: "Subscription", id: 7 },
          createdAt: expect.any(String),
          startedAt: "2030-01-01T00:00:01.000Z",
          finishedAt: "2030-01-01T00:00:02.000Z",
          nextAttemptAt: null,
        },
      ],
    });
  });

  test("is filtered by status and name, and can omit completed cron jobs", async () => {
    await db
      .insert(jobCrons)
      .values({ functionId: "plumbline-tick", expression: "* * * * *", doneUntil: new Date() });
    const tick = { functionId: "plumbline-tick" };
    const done = await aJob({ ...tick, status: "Completed" });
    const broken = await aJob({ ...tick, status: "Failed" });
    const work = await aJob({ status: "Completed" });
    const ids = async (query: string) => {
      const { body } = await list(query);
      expect(body.totalCount).toBe(body.items.length);
      return body.items.map(({ id }: { id: number }) => id);
    };
    expect(await ids("")).toEqual([work, broken, done]);
    expect(await ids("?housekeeping=false")).toEqual([work, broken]);
    expect(await ids("?status=Completed")).toEqual([work, done]);
    expect(await ids("?status=Completed&housekeeping=false")).toEqual([work]);
    expect(await ids("?name=tick")).toEqual([broken, done]);
    expect(await ids("?name=plumbline-tick")).toEqual([]);
    expect((await list("?pageSize=1&page=1")).body).toMatchObject({ totalCount: 3, items: [{ id: broken }] });
    expect((await list("?page=1000000000")).body).toMatchObject({ totalCount: 3, items: [] });
  });

  test.each([
    "?status=Lost",
    "?status=failed",
    "?pageSize=0",
    "?page=-1",
    "?name=%00",
    "?housekeeping=1",
    "?x=1",
  ])("%s is a 400", async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

describe("retry", () => {
  test("continues after the last stored step, retries the failed one, and completes", async () => {
    const effects: string[] = [];
    let isBroken = true;
    const engine = await anEngine([
      client.createFunction(
        { id: "fails", triggers: { event: "test/fails" }, retries: 0 },
        async ({ step }) => {
          await step.run("first", () => effects.push("first"));
          await step.run("second", () => {
            effects.push("second");
            if (isBroken) throw new Error("broken");
          });
        },
      ),
    ]);
    await sendEvents(db, { name: "test/fails", data: {} });
    await engine.idle();
    const id = await onlyJob();
    expect((await list("?status=Failed")).body.items).toMatchObject([{ id, error: "broken", attempts: 1 }]);

    expect(await act(id, "retry")).toMatchObject({ status: 200, body: { id, status: "Waiting" } });
    await engine.idle();
    expect(await runOf(id)).toMatchObject({ status: "Failed" });
    isBroken = false;
    await act(id, "retry");
    await engine.idle();
    expect(effects).toEqual(["first", "second", "second", "second"]);
    expect(await runOf(id)).toMatchObject({ status: "Completed", fence: 3 });
    expect(await act(id, "retry")).toMatchObject({ status: 409, body: { detail: "The job has completed" } });
  });

  test("requested twice has one effect, and so do twenty concurrent requests", async () => {
    const work = vi.fn();
    const id = await aJob({
      status: "Failed",
      functionId: "plumbline-once",
      attempt: 3,
      finishedAt: new Date(),
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => retryJob(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["Waiting"]));
    const engine = await anEngine([
      client.createFunction({ id: "once", triggers: { event: "test/happened" } }, work),
    ]);
    await engine.idle();
    expect(work).toHaveBeenCalledTimes(1);
    expect(await runOf(id)).toMatchObject({ status: "Completed", attempt: 0 });
  });

  test("a job that waits for its next try has it immediately, without additional tries", async () => {
    const work = vi.fn(() => {
      throw new Error("again");
    });
    const engine = await anEngine([
      client.createFunction({ id: "waits", triggers: { event: "test/waits" }, retries: 1 }, work),
    ]);
    await sendEvents(db, { name: "test/waits", data: {} });
    await expect.poll(async () => runOf(await onlyJob())).toMatchObject({ status: "Waiting", attempt: 1 });
    await act(await onlyJob(), "retry");
    await engine.idle();
    expect(work).toHaveBeenCalledTimes(2);
    expect(await runOf(await onlyJob())).toMatchObject({ status: "Failed" });
  });
});

describe("cancel", () => {
  /** A job that stays in the first of its two steps until released. */
  async function atItsFirstStep() {
    const begun = Promise.withResolvers<void>();
    const open = Promise.withResolvers<string>();
    const second = vi.fn();
    const engine = await anEngine([
      client.createFunction(
        { id: "long", triggers: { event: "test/long" }, concurrency: { key: "event.data.of", limit: 1 } },
        async ({ step, event }) => {
          await step.run("first", () => {
            if (event.data.isSecond) return second("the next");
            begun.resolve();
            return open.promise;
          });
          await step.run("second", () => second());
        },
      ),
    ]);
    await sendEvents(db, { name: "test/long", data: { of: 1 } });
    await begun.promise;
    return { engine, open, second, id: await onlyJob() };
  }

  test("a running job ends at its step: its result is dropped, no step follows, and its place is free", async () => {
    const { engine, open, second, id } = await atItsFirstStep();
    expect(await act(id, "cancel")).toMatchObject({ status: 200, body: { id, status: "Cancelled" } });
    await sendEvents(db, { name: "test/long", data: { of: 1, isSecond: true } });
    await engine.idle();
    open.resolve("late");
    await engine.stop();
    expect(await db.select().from(jobSteps).where(eq(jobSteps.runId, id))).toEqual([]);
    expect(second.mock.calls).toEqual([["the next"], []]);
    expect(await runOf(id)).toMatchObject({ status: "Cancelled", finishedAt: expect.any(Date) });
    // Canceling again has no effect; and it can be run again.
    expect(await act(id, "cancel")).toMatchObject({ status: 200, body: { status: "Cancelled" } });
    expect(await act(id, "retry")).toMatchObject({ status: 200, body: { status: "Waiting" } });
  });

  test("cancelled and rerun while the first worker is still busy: only the second writes", async () => {
    const { engine, open, id } = await atItsFirstStep();
    await cancelJob(id);
    await retryJob(id);
    await expect.poll(() => runOf(id)).toMatchObject({ status: "Running", fence: 2 });
    open.resolve("done");
    await engine.idle();
    expect(await runOf(id)).toMatchObject({ status: "Completed", fence: 2 });
    expect(await db.select().from(jobSteps).where(eq(jobSteps.runId, id))).toHaveLength(2);
  });

  test("a waiting job never begins", async () => {
    const id = await aJob({ functionId: "plumbline-waiting" });
    await act(id, "cancel");
    const work = vi.fn();
    const engine = await anEngine([
      client.createFunction({ id: "waiting", triggers: { event: "test/happened" } }, work),
    ]);
    await engine.idle();
    expect(work).not.toHaveBeenCalled();
  });

  test.each(["Completed", "Failed"] as const)("a job that has %s stays so", async (status) => {
    const id = await aJob({ status, finishedAt: new Date() });
    expect(await act(id, "cancel")).toMatchObject({
      status: 409,
      body: { detail: "The job has already ended" },
    });
    expect(await runOf(id)).toMatchObject({ status });
  });

  test("when racing the worker that completes it, exactly one wins", async () => {
    for (let n = 0; n < 20; n++) {
      const id = await aJob({ functionId: "plumbline-quick" });
      const done = Promise.withResolvers<void>();
      const engine = await startEngine([
        client.createFunction({ id: "quick", triggers: { event: "test/happened" } }, () => done.resolve()),
      ]);
      await done.promise;
      const outcome = await cancelJob(id).catch((problem) => problem);
      await engine.idle();
      await engine.stop();
      const isCancelled = outcome.status === "Cancelled";
      expect(isCancelled || outcome.detail === "The job has already ended").toBe(true);
      expect(await runOf(id)).toMatchObject({ status: isCancelled ? "Cancelled" : "Completed" });
    }
  });
});

test.each(["retry", "cancel"] as const)("%s of an unknown job is a 404", async (what) => {
  expect((await act(2_000_000_000, what)).status).toBe(404);
});

test("an Admin's actions on jobs are in the audit log", async () => {
  const id = await aJob();
  await act(id, "cancel");
  await act(id, "retry");
  const entries = await db.select().from(auditLog).where(eq(auditLog.objectKind, "job")).orderBy(auditLog.id);
  expect(entries.slice(-2)).toMatchObject([
    { action: "jobs.cancel", objectId: id, detail: "work" },
    { action: "jobs.retry", objectId: id, detail: "work" },
  ]);
});

test("only failed jobs of the last day are counted", async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await aJob({ status: "Failed", finishedAt: hoursAgo(23) });
  await aJob({ status: "Failed", finishedAt: hoursAgo(25) });
  await aJob({ status: "Cancelled", finishedAt: hoursAgo(1) });
  expect(await describeEngine()).toEqual({ engine: "Embedded", url: null, failedLastDay: 1 });
});

test("on Inngest it links to its dashboard without secrets in the URL, and cannot retry", async () => {
  const id = await aJob({ status: "Failed", finishedAt: new Date() });
  vi.stubEnv("INNGEST_SIGNING_KEY", "signkey-test-00");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(await describeEngine()).toMatchObject({ engine: "Inngest", url: "https://app.inngest.com" });
  vi.stubEnv("INNGEST_BASE_URL", "http://user:secret@inngest.example:8288/x");
  expect(await describeEngine()).toMatchObject({ url: "http://inngest.example:8288" });
  await expect(retryJob(id)).rejects.toMatchObject({ code: "conflict" });
});
