import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as simulatedWork } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { eventType, NonRetriableError, RetryAfterError } from "inngest";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { sql as client, db } from "../../db/client.ts";
import { beginRequest } from "../../requests-first.ts";
import { programEnv } from "../../test/program-env.ts";
import { inngest, sendEvents, wakeUpChannel } from "../client.ts";
import { jobCrons, jobEvents, jobRuns, jobSteps } from "../tables.ts";
import { crashing } from "./crash-worker.fixture.ts";
import { type EngineOptions, startEngine } from "./engine.ts";

/** What functions must do on every engine, and further guarantees of the embedded one. */

const fast = { pollMs: 100, leaseMs: 5_000, backoffMs: () => 1 } satisfies EngineOptions;

async function anEngine(functions: Parameters<typeof startEngine>[0], options: EngineOptions = {}) {
  const engine = await startEngine(functions, { ...fast, ...options });
  onTestFinished(() => engine.stop());
  return engine;
}

const runsOf = (id: string) =>
  db
    .select()
    .from(jobRuns)
    .where(eq(jobRuns.functionId, `plumbline-${id}`))
    .orderBy(jobRuns.id);

beforeEach(async () => {
  await db.execute(sql`truncate job_events, job_runs, job_steps, job_crons`);
});

describe("events", () => {
  test("an event runs every function that listens for it, with its data", async () => {
    const greeted = eventType("test/greeted", { schema: z.object({ who: z.string() }) });
    const seen: string[] = [];
    const listener = (id: string) =>
      inngest.createFunction({ id, triggers: greeted }, async ({ event }) => {
        seen.push(`${id} ${event.name} ${event.id} ${event.data.who}`);
      });
    const engine = await anEngine([
      listener("one"),
      listener("two"),
      inngest.createFunction({ id: "deaf", triggers: { event: "test/other" } }, () => seen.push("deaf")),
    ]);
    await sendEvents(db, greeted.create({ who: "Ada" }, { id: "greeting-1" }));
    await engine.idle();
    expect(seen.sort()).toEqual(["one test/greeted greeting-1 Ada", "two test/greeted greeting-1 Ada"]);
    expect(await runsOf("one")).toMatchObject([{ status: "Completed", attempt: 0, error: null }]);
  });

  test("events with the same id are processed once", async () => {
    const work = vi.fn();
    const engine = await anEngine([
      inngest.createFunction({ id: "once", triggers: { event: "test/once" } }, work),
    ]);
    await sendEvents(db, { name: "test/once", id: "same", data: {} });
    await sendEvents(db, { name: "test/once", id: "same", data: {} });
    await engine.idle();
    expect(work).toHaveBeenCalledTimes(1);
  });

  test("an event is part of the transaction that sends it", async () => {
    const work = vi.fn();
    const engine = await anEngine([
      inngest.createFunction({ id: "tx", triggers: { event: "test/tx" } }, work),
    ]);
    const rolledBack = db.transaction(async (tx) => {
      await sendEvents(tx, { name: "test/tx", data: {} });
      throw new Error("changed its mind");
    });
    await expect(rolledBack).rejects.toThrow("changed its mind");
    await engine.idle();
    expect(work).not.toHaveBeenCalled();
  });

  test("an event that does not match its schema is not sent", async () => {
    const counted = eventType("test/counted", { schema: z.object({ count: z.int() }) });
    await expect(sendEvents(db, counted.create({ count: 1.5 }))).rejects.toThrow("count");
    expect(await db.select().from(jobEvents)).toEqual([]);
  });
});

describe("steps", () => {
  test("a completed step is not run again when a later one is retried", async () => {
    const effects: string[] = [];
    const engine = await anEngine([
      inngest.createFunction(
        { id: "steps", triggers: { event: "test/steps" }, retries: 2 },
        async ({ step, attempt }) => {
          const first = await step.run("first", () => {
            effects.push("first");
            return { text: "42", nul: "\0", nothing: undefined };
          });
          await step.run("second", () => {
            effects.push(`second, attempt ${attempt}`);
            if (attempt < 2) throw new Error("not yet");
          });
          effects.push(JSON.stringify(first));
        },
      ),
    ]);
    await sendEvents(db, { name: "test/steps", data: {} });
    await engine.idle();
    expect(effects).toEqual([
      "first",
      "second, attempt 0",
      "second, attempt 1",
      "second, attempt 2",
      '{"text":"42","nul":"\\u0000"}',
    ]);
    expect(await runsOf("steps")).toMatchObject([{ status: "Completed", error: "not yet" }]);
  });

  test("a run goes on after an update in which its function no longer has a step that is stored", async () => {
    const seen: string[] = [];
    const before = inngest.createFunction(
      { id: "updated", triggers: { event: "test/updated" } },
      async ({ step }) => {
        await step.run("claim", () => seen.push("claim"));
        await step.run("work", () => Promise.reject(new RetryAfterError("not yet", "1h")));
      },
    );
    const after = inngest.createFunction(
      { id: "updated", triggers: { event: "test/updated" } },
      async ({ step }) => {
        await step.run("work", () => seen.push("work"));
        await step.run("more", () => seen.push("more"));
      },
    );
    const old = await anEngine([before]);
    await sendEvents(db, { name: "test/updated", data: {} });
    await vi.waitFor(async () => expect(await runsOf("updated")).toMatchObject([{ attempt: 1 }]));
    await old.stop();
    await db.update(jobRuns).set({ dueAt: sql`now()` });
    const engine = await anEngine([after]);
    await engine.idle();
    expect(seen).toEqual(["claim", "work", "more"]);
    expect(await runsOf("updated")).toMatchObject([{ status: "Completed" }]);
  });

  test("each step has its own tries", async () => {
    const tries = { one: 0, two: 0 };
    const engine = await anEngine([
      inngest.createFunction(
        { id: "tries", triggers: { event: "test/tries" }, retries: 1 },
        async ({ step }) => {
          for (const name of ["one", "two"] as const)
            await step.run(name, () => {
              tries[name] += 1;
              if (tries[name] === 1) throw new Error("the first time");
            });
        },
      ),
    ]);
    await sendEvents(db, { name: "test/tries", data: {} });
    await engine.idle();
    expect(tries).toEqual({ one: 2, two: 2 });
    expect(await runsOf("tries")).toMatchObject([{ status: "Completed" }]);
  });

  test("a step that failed permanently can be caught, and is not run again", async () => {
    const broken = vi.fn(() => {
      throw new TypeError("broken");
    });
    const caught: string[] = [];
    const engine = await anEngine([
      inngest.createFunction(
        { id: "catcher", triggers: { event: "test/catch" }, retries: 1 },
        async ({ step }) => {
          await step.run("broken", broken).catch((error) => caught.push(error.message));
          await step.run("afterwards", () => caught.push("afterwards"));
        },
      ),
    ]);
    await sendEvents(db, { name: "test/catch", data: {} });
    await engine.idle();
    expect(broken).toHaveBeenCalledTimes(2);
    expect(caught).toEqual(["broken", "afterwards"]);
    expect(await runsOf("catcher")).toMatchObject([{ status: "Completed" }]);
  });
});

describe("failures", () => {
  test("when its tries are used up, the run has failed, and the reason is kept", async () => {
    const work = vi.fn(() => {
      throw new Error("no luck");
    });
    const engine = await anEngine([
      inngest.createFunction(
        { id: "unlucky", triggers: { event: "test/unlucky" }, retries: 2 },
        async ({ step }) => {
          await step.run("work", work);
        },
      ),
    ]);
    await sendEvents(db, { name: "test/unlucky", data: {} });
    await engine.idle();
    expect(work).toHaveBeenCalledTimes(3);
    expect(await runsOf("unlucky")).toMatchObject([{ status: "Failed", error: "no luck" }]);
  });

  test.each([
    ["in a step", true],
    ["outside of steps", false],
  ])("NonRetriableError %s is not retried", async (_, inStep) => {
    const work = vi.fn(() => {
      throw new NonRetriableError("never");
    });
    const engine = await anEngine([
      inngest.createFunction(
        { id: "never", triggers: { event: "test/never" }, retries: 5 },
        async ({ step }) => {
          if (inStep) await step.run("work", work);
          else work();
        },
      ),
    ]);
    await sendEvents(db, { name: "test/never", data: {} });
    await engine.idle();
    expect(work).toHaveBeenCalledTimes(1);
    expect(await runsOf("never")).toMatchObject([{ status: "Failed", error: "never" }]);
  });

  test("RetryAfterError sets the time of the next try", async () => {
    const failed = Promise.withResolvers<void>();
    await anEngine([
      inngest.createFunction({ id: "later", triggers: { event: "test/later" } }, () => {
        failed.resolve();
        throw new RetryAfterError("later", "2h");
      }),
    ]);
    await sendEvents(db, { name: "test/later", data: {} });
    await failed.promise;
    await expect.poll(() => runsOf("later")).toMatchObject([{ status: "Waiting", attempt: 1 }]);
    const [row] = await db.execute<{ minutes: number }>(
      sql`select round(extract(epoch from due_at - now()) / 60)::int as minutes from job_runs`,
    );
    expect(row?.minutes).toBe(120);
  });

  test("an error that PostgreSQL could not store still fails the run", async () => {
    const engine = await anEngine([
      inngest.createFunction({ id: "nul", triggers: { event: "test/nul" }, retries: 0 }, () => {
        throw new Error("a\0b");
      }),
    ]);
    await sendEvents(db, { name: "test/nul", data: {} });
    await engine.idle();
    expect(await runsOf("nul")).toMatchObject([{ status: "Failed", error: "a\uFFFDb" }]);
  });
});

describe("several workers", () => {
  test("two engines on one database share the work without duplicates", async () => {
    const workers = { a: [] as number[], b: [] as number[] };
    const counting = (worker: "a" | "b") =>
      inngest.createFunction(
        { id: "shared", triggers: { event: "test/shared" } },
        async ({ event, step }) => {
          await step.run("work", async () => {
            workers[worker].push(event.data.n);
            await simulatedWork(5);
          });
        },
      );
    const [a, b] = await Promise.all([
      anEngine([counting("a")], { concurrency: 3 }),
      anEngine([counting("b")], { concurrency: 3 }),
    ]);
    await sendEvents(
      db,
      Array.from({ length: 50 }, (_, n) => ({ name: "test/shared", data: { n } })),
    );
    await Promise.all([a.idle(), b.idle()]);
    const done = [...workers.a, ...workers.b].sort((x, y) => x - y);
    expect(done).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(Math.min(workers.a.length, workers.b.length)).toBeGreaterThan(0);
  });

  test("what another process has made is taken here a little later, if that one does not take it", async () => {
    const work = vi.fn();
    const engine = await anEngine(
      [
        inngest.createFunction({ id: "left", triggers: { event: "test/left" } }, ({ event }) =>
          work(event.id),
        ),
      ],
      { pollMs: 60_000 },
    );
    await engine.idle();
    const ask = vi.spyOn(db, "execute");
    onTestFinished(() => ask.mockRestore());
    await client`insert into job_events (key, name, data) values ('left-1', 'test/left', '{}')`;
    await client.notify(wakeUpChannel, "another process");
    await expect.poll(() => work.mock.calls, { interval: 10 }).toEqual([["left-1"]]);

    // Notifications without work are one question together, and no claim; the run's end may be followed by one.
    await engine.idle();
    const claims = vi.spyOn(client, "begin");
    onTestFinished(() => claims.mockRestore());
    const asked = ask.mock.calls.length;
    for (let n = 0; n < 20; n++) await client.notify(wakeUpChannel, "another process");
    await expect.poll(() => ask.mock.calls.length, { interval: 10 }).toBeGreaterThan(asked);
    expect(claims.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test("a worker never exceeds its concurrency", async () => {
    let running = 0;
    let max = 0;
    const engine = await anEngine(
      [
        inngest.createFunction({ id: "crowd", triggers: { event: "test/crowd" } }, async () => {
          running += 1;
          max = Math.max(max, running);
          await simulatedWork(10);
          running -= 1;
        }),
      ],
      { concurrency: 2 },
    );
    await sendEvents(
      db,
      Array.from({ length: 9 }, () => ({ name: "test/crowd", data: {} })),
    );
    await engine.idle();
    expect(max).toBe(2);
  });

  test("if a process is killed between two steps, the first does not run again", async () => {
    await db.execute(sql`create table effects (step text, pid int)`);
    await sendEvents(db, { name: "test/crash", data: {} });
    const child = fork(new URL("./crash-worker.fixture.ts", import.meta.url), {
      execArgv: [],
      env: { ...process.env, ...programEnv },
    });
    expect(await once(child, "message")).toEqual(["in the second step", undefined]);
    child.kill("SIGKILL");
    await once(child, "exit");

    const attempts: number[] = [];
    const engine = await anEngine([
      crashing(async (attempt) => {
        await db.execute(sql`insert into effects values ('second', ${process.pid})`);
        attempts.push(attempt);
      }),
    ]);
    await engine.idle();
    expect(await db.execute(sql`select * from effects`)).toEqual([
      { step: "first", pid: child.pid },
      { step: "second", pid: process.pid },
    ]);
    // The dead worker counted as a try.
    expect(attempts).toEqual([1]);
    expect(await runsOf("crashing")).toMatchObject([{ status: "Completed", fence: 2 }]);
  });

  test("a job that kills its worker every time is given up", async () => {
    await sendEvents(db, { name: "test/poison", data: {} });
    const poison = inngest.createFunction(
      { id: "poison", triggers: { event: "test/poison" }, retries: 1 },
      () => new Promise(() => {}),
    );
    const first = await startEngine([poison], { ...fast, drainMs: 0 });
    await expect.poll(() => runsOf("poison")).toMatchObject([{ status: "Running" }]);
    await first.stop();
    // As two workers that died with it, one after the other, would leave it.
    await db.update(jobRuns).set({ status: "Running", attempt: 1, dueAt: sql`now()` });
    const engine = await anEngine([poison]);
    await engine.idle();
    expect(await runsOf("poison")).toMatchObject([
      { status: "Failed", error: "The process that ran this job was lost" },
    ]);
  });

  test("a worker that lost its lease and resumes changes nothing", async () => {
    /** Its concurrency is one, so that it does not take over from itself. */
    const slowWorker = async () => {
      const begun = Promise.withResolvers<void>();
      const result = Promise.withResolvers<string>();
      const work = () => {
        begun.resolve();
        return result.promise;
      };
      const fenced = inngest.createFunction(
        { id: "fenced", triggers: { event: "test/fenced" } },
        async ({ step }) => {
          await step.run("work", work);
        },
      );
      const engine = await anEngine([fenced], { concurrency: 1 });
      return { begun, result, engine };
    };
    const late = await slowWorker();
    await sendEvents(db, { name: "test/fenced", data: {} });
    await late.begun.promise;
    await db.update(jobRuns).set({ dueAt: sql`now() - interval '1 second'` });
    const next = await slowWorker();
    await next.begun.promise;
    // It ends while the other holds the run: stopping waits for it.
    late.result.resolve("the late worker's");
    await late.engine.stop();
    expect(await db.select().from(jobSteps)).toEqual([]);
    next.result.resolve("the next worker's");
    await next.engine.idle();
    expect(await db.select().from(jobSteps)).toMatchObject([{ data: "the next worker's" }]);
    expect(await runsOf("fenced")).toMatchObject([{ status: "Completed", attempt: 0, fence: 2 }]);
  });

  test("a step may take longer than a lease while its worker lives", async () => {
    const work = vi.fn(() => simulatedWork(700));
    const long = inngest.createFunction(
      { id: "long", triggers: { event: "test/long" } },
      async ({ step }) => {
        await step.run("work", work);
      },
    );
    const engines = await Promise.all([
      anEngine([long], { leaseMs: 300 }),
      anEngine([long], { leaseMs: 300 }),
    ]);
    await sendEvents(db, { name: "test/long", data: {} });
    await Promise.all(engines.map((engine) => engine.idle()));
    expect(work).toHaveBeenCalledTimes(1);
    expect(await runsOf("long")).toMatchObject([{ status: "Completed", fence: 1 }]);
  });
});

describe("a concurrency limit per value of a property", () => {
  const limited = (work: (source: unknown) => Promise<void>, limit = 1) =>
    inngest.createFunction(
      {
        id: "limited",
        triggers: { event: "test/limited" },
        concurrency: { key: "event.data.source", limit },
      },
      async ({ event, step }) => {
        await step.run("work", () => work(event.data.source));
      },
    );
  const send = (...sources: unknown[]) =>
    sendEvents(
      db,
      sources.map((source) => ({ name: "test/limited", data: { source } })),
    );

  test("the limit holds for each value across all processes, and no run is lost", async () => {
    const running = new Map<unknown, number>();
    const max = new Map<unknown, number>();
    const done: unknown[] = [];
    const fn = limited(async (source) => {
      running.set(source, (running.get(source) ?? 0) + 1);
      max.set(source, Math.max(max.get(source) ?? 0, running.get(source) ?? 0));
      await simulatedWork(5);
      running.set(source, (running.get(source) ?? 0) - 1);
      done.push(source);
    }, 2);
    const [a, b] = await Promise.all([anEngine([fn]), anEngine([fn])]);
    await send(...Array.from({ length: 30 }, (_, n) => n % 3));
    await Promise.all([a.idle(), b.idle()]);
    expect(done).toHaveLength(30);
    expect([...max].sort()).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  test("runs without a value have no limit, and a text differs from a number", async () => {
    const open = Promise.withResolvers<void>();
    const begun: unknown[] = [];
    const engine = await anEngine([
      limited((source) => {
        begun.push(source);
        return open.promise;
      }),
    ]);
    await send(null, null, 7, "7", "x".repeat(10_000));
    await sendEvents(db, { name: "test/limited", data: {} });
    await expect.poll(() => begun).toHaveLength(6);
    open.resolve();
    await engine.idle();
  });

  test("a run that waits for a place gets it once it is free, even if the process that had it stops", async () => {
    const begun = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    const first = await anEngine([
      limited(() => {
        begun.resolve();
        return open.promise;
      }),
    ]);
    await send("one", "one");
    await begun.promise;
    const second = Promise.withResolvers<void>();
    // It only polls when notified.
    await anEngine([limited(async () => second.resolve())], { pollMs: 3_600_000, leaseMs: 3_600_000 });
    const stopped = first.stop();
    open.resolve();
    await stopped;
    await second.promise;
  });

  test("waiting for a place does not mean constant polling", async () => {
    const claims = vi.spyOn(client, "begin");
    onTestFinished(() => claims.mockRestore());
    let whileWorking = Number.POSITIVE_INFINITY;
    const engine = await anEngine(
      [
        limited(async () => {
          const before = claims.mock.calls.length;
          await simulatedWork(200);
          whileWorking = Math.min(whileWorking, claims.mock.calls.length - before);
        }),
      ],
      { pollMs: 3_600_000 },
    );
    await send("one", "one", "one");
    await engine.idle();
    expect(claims).toHaveBeenCalled();
    expect(whileWorking).toBeLessThan(5);
  });

  test("runs that end claim no others while there is room for none", async () => {
    const claims = vi.spyOn(client, "begin");
    onTestFinished(() => claims.mockRestore());
    // Of ten places, eight are for runs with a limit: they begin in groups of eight.
    const work = (source: unknown) => simulatedWork(10 * (1 + (Number(source) % 8)));
    const engine = await anEngine([limited(work)], { concurrency: 10 });
    await send(...Array.from({ length: 48 }, (_, source) => source));
    const before = claims.mock.calls.length;
    await engine.idle();
    expect(claims.mock.calls.length - before).toBeLessThan(40);
  });
});

describe("requests", () => {
  test("a run begins when none is being answered, or one takes so long that it waits for something else", async () => {
    const begun: number[] = [];
    const engine = await anEngine([
      inngest.createFunction({ id: "polite", triggers: { event: "test/polite" } }, () => {
        begun.push(performance.now());
      }),
    ]);
    await engine.idle();
    const from = performance.now();
    const answered = beginRequest();
    onTestFinished(answered);
    await sendEvents(db, { name: "test/polite", data: {} });
    await engine.idle();
    // A timer may be a millisecond early.
    expect(begun[0]).toBeGreaterThanOrEqual(from + 99);
    expect(begun).toHaveLength(1);
  });
});

describe("stopping", () => {
  test("a run in progress completes its step and is released without counting a try", async () => {
    const effects: string[] = [];
    const gate = { begun: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() };
    const handedOver = inngest.createFunction(
      { id: "handover", triggers: { event: "test/handover" } },
      async ({ step }) => {
        await step.run("first", async () => {
          effects.push("first");
          gate.begun.resolve();
          await gate.open.promise;
        });
        await step.run("second", () => effects.push("second"));
      },
    );
    const first = await anEngine([handedOver]);
    await sendEvents(db, { name: "test/handover", data: {} });
    await gate.begun.promise;
    const stopped = first.stop();
    gate.open.resolve();
    await stopped;
    expect(effects).toEqual(["first"]);
    expect(await runsOf("handover")).toMatchObject([{ status: "Waiting", attempt: 0 }]);

    const second = await anEngine([handedOver]);
    await second.idle();
    expect(effects).toEqual(["first", "second"]);
  });

  test("a step that does not end in time is abandoned, and its run released", async () => {
    const begun = Promise.withResolvers<void>();
    const engine = await anEngine(
      [
        inngest.createFunction({ id: "stuck", triggers: { event: "test/stuck" } }, () => {
          begun.resolve();
          return new Promise(() => {});
        }),
      ],
      { drainMs: 20 },
    );
    await sendEvents(db, { name: "test/stuck", data: {} });
    await begun.promise;
    await engine.stop();
    expect(await runsOf("stuck")).toMatchObject([{ status: "Waiting", attempt: 0 }]);
  });
});

describe("crons", () => {
  test("a cron time runs once in two engines, and missed times run once", async () => {
    const work = vi.fn();
    const yearly = inngest.createFunction({ id: "yearly", triggers: { cron: "0 0 1 1 *" } }, ({ event }) =>
      work(event.name, event.data),
    );
    // Three New Years were missed.
    await db.insert(jobCrons).values({
      functionId: "plumbline-yearly",
      expression: "0 0 1 1 *",
      doneUntil: sql`now() - interval '3 years'`,
    });
    const engines = await Promise.all([anEngine([yearly]), anEngine([yearly])]);
    await Promise.all(engines.map((engine) => engine.idle()));
    expect(work.mock.calls).toEqual([["inngest/scheduled.timer", { cron: "0 0 1 1 *" }]]);
    const [state] = await db.execute<{ age: number }>(
      sql`select extract(epoch from now() - done_until)::int as age from job_crons`,
    );
    expect(state?.age).toBeLessThan(60);
  });

  test("while another process creates the runs of crons, this one leaves them to it, and looks again", async () => {
    const work = vi.fn();
    await db.insert(jobCrons).values({
      functionId: "plumbline-left",
      expression: "0 0 1 1 *",
      doneUntil: sql`now() - interval '1 year'`,
    });
    const isOver = Promise.withResolvers<void>();
    const hasTurn = Promise.withResolvers<void>();
    const other = client.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended('crons of jobs', 0))`;
      hasTurn.resolve();
      await isOver.promise;
    });
    await hasTurn.promise;
    const engine = await anEngine(
      [inngest.createFunction({ id: "left", triggers: { cron: "0 0 1 1 *" } }, () => work())],
      { pollMs: 60_000 },
    );
    await engine.idle();
    expect(work).not.toHaveBeenCalled();
    isOver.resolve();
    await other;
    await expect.poll(() => work.mock.calls.length, { timeout: 5_000 }).toBe(1);
  });

  test("a new cron does not run for past times", async () => {
    const work = vi.fn();
    const engine = await anEngine([
      inngest.createFunction({ id: "new", triggers: { cron: "0 0 1 1 *" } }, work),
    ]);
    await engine.idle();
    expect(work).not.toHaveBeenCalled();
    expect(await db.select().from(jobCrons)).toHaveLength(1);
  });
});

describe("unsupported features", () => {
  const event = { event: "test/unsupported" };

  test.each([
    [
      "the concurrency 2 of plumbline-x",
      inngest.createFunction({ id: "x", triggers: event, concurrency: 2 }, () => {}),
    ],
    [
      'the concurrency {"limit":1} of plumbline-x',
      inngest.createFunction({ id: "x", triggers: event, concurrency: { limit: 1 } }, () => {}),
    ],
    [
      'the concurrency {"limit":1,"key":"event.data.a + event.data.b"} of plumbline-x',
      inngest.createFunction(
        { id: "x", triggers: event, concurrency: { limit: 1, key: "event.data.a + event.data.b" } },
        () => {},
      ),
    ],
    [
      'the concurrency {"limit":1,"key":"event.data.a","scope":"env"} of plumbline-x',
      inngest.createFunction(
        { id: "x", triggers: event, concurrency: { limit: 1, key: "event.data.a", scope: "env" } },
        () => {},
      ),
    ],
    [
      'the concurrency [{"limit":1,"key":"event.data.a"},{"limit":9,"key":"event.data.b"}] of plumbline-x',
      inngest.createFunction(
        {
          id: "x",
          triggers: event,
          concurrency: [
            { limit: 1, key: "event.data.a" },
            { limit: 9, key: "event.data.b" },
          ],
        },
        () => {},
      ),
    ],
    [
      'the concurrency [{"limit":1,"key":"event.data.a"}] of plumbline-x',
      inngest.createFunction(
        { id: "x", triggers: event, concurrency: [{ limit: 1, key: "event.data.a" }] },
        () => {},
      ),
    ],
    [
      "idempotency of plumbline-x",
      inngest.createFunction({ id: "x", triggers: event, idempotency: "event.data.a" }, () => {}),
    ],
    [
      'the event "inngest/function.failed" of plumbline-x-failure',
      inngest.createFunction({ id: "x", triggers: event, onFailure: () => {} }, () => {}),
    ],
    [
      'the wildcard "test/*" of plumbline-x',
      inngest.createFunction({ id: "x", triggers: { event: "test/*" } }, () => {}),
    ],
    [
      'the condition "event.data.n > 1" of plumbline-x',
      inngest.createFunction({ id: "x", triggers: { ...event, if: "event.data.n > 1" } }, () => {}),
    ],
    [
      'the cron "@daily" of plumbline-x',
      inngest.createFunction({ id: "x", triggers: { cron: "@daily" } }, () => {}),
    ],
    [
      'the cron "TZ=Europe/Berlin 0 9 * * *" of plumbline-x',
      inngest.createFunction({ id: "x", triggers: { cron: "TZ=Europe/Berlin 0 9 * * *" } }, () => {}),
    ],
    [
      "step.sleep in x; nor step.sendEvent in x",
      inngest.createFunction({ id: "x", triggers: event }, async ({ step }) => {
        await step.sleep("nap", "1h");
        await step.sendEvent("pass on", { name: "test/other", data: {} });
      }),
    ],
    [
      "step.waitForEvent in x",
      inngest.createFunction({ id: "x", triggers: event }, async ({ step }) => {
        await step.waitForEvent("wait", { event: "test/other", timeout: "1h" });
      }),
    ],
  ])("%s is rejected on startup, in one line", async (what, fn) => {
    await expect(startEngine([fn])).rejects.toThrow(`The embedded jobs engine does not support ${what}`);
  });

  test("parallel steps fail their run before any of them begins", async () => {
    const work = vi.fn();
    const engine = await anEngine([
      inngest.createFunction(
        { id: "together", triggers: { event: "test/together" }, retries: 5 },
        async ({ step }) => {
          await Promise.all([step.run("one", work), step.run("two", work)]);
        },
      ),
    ]);
    await sendEvents(db, { name: "test/together", data: {} });
    await engine.idle();
    expect(work).not.toHaveBeenCalled();
    expect(await runsOf("together")).toMatchObject([
      { status: "Failed", error: 'The embedded jobs engine does not support the step "one" (StepPlanned)' },
    ]);
  });

  test("a step tool hidden in another function fails its run immediately", async () => {
    type Waiting = {
      waitForEvent: (id: string, options: { event: string; timeout: string }) => Promise<unknown>;
    };
    const hidden = async (tools: Waiting) =>
      tools.waitForEvent("wait", { event: "test/other", timeout: "1h" });
    const engine = await anEngine([
      inngest.createFunction({ id: "hidden", triggers: { event: "test/hidden" }, retries: 5 }, ({ step }) =>
        hidden(step),
      ),
    ]);
    await sendEvents(db, { name: "test/hidden", data: {} });
    await engine.idle();
    expect(await runsOf("hidden")).toMatchObject([
      { status: "Failed", error: 'The embedded jobs engine does not support the step "wait" (WaitForEvent)' },
    ]);
  });
});
