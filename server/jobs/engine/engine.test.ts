import { fork } from "node:child_process";
import { once } from "node:events";
import { eq, sql } from "drizzle-orm";
import { eventType, NonRetriableError, RetryAfterError } from "inngest";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { db } from "../../db/client.ts";
import { inngest, sendEvents } from "../client.ts";
import { jobCrons, jobEvents, jobRuns, jobSteps } from "../tables.ts";
import { crashing } from "./crash-worker.fixture.ts";
import { type EngineOptions, startEngine } from "./engine.ts";

/** What functions must do on every engine, and what the embedded one promises besides. */

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

  test("an event that is sent twice with one id happens once", async () => {
    const work = vi.fn();
    const engine = await anEngine([
      inngest.createFunction({ id: "once", triggers: { event: "test/once" } }, work),
    ]);
    await inngest.send({ name: "test/once", id: "same", data: {} });
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

  test("an event that does not fit its schema is not sent", async () => {
    const counted = eventType("test/counted", { schema: z.object({ count: z.int() }) });
    await expect(sendEvents(db, counted.create({ count: 1.5 }))).rejects.toThrow("count");
    expect(await db.select().from(jobEvents)).toEqual([]);
  });

  test("a step sends an event on, and it runs another function once", async () => {
    const received = vi.fn();
    const engine = await anEngine([
      inngest.createFunction(
        { id: "sender", triggers: { event: "test/start" }, retries: 1 },
        async ({ step, attempt }) => {
          await step.sendEvent("pass on", { name: "test/passed-on", data: { n: 7 } });
          await step.run("stumble", () => {
            if (attempt === 0) throw new Error("once");
          });
        },
      ),
      inngest.createFunction({ id: "receiver", triggers: { event: "test/passed-on" } }, ({ event }) =>
        received(event.data),
      ),
    ]);
    await sendEvents(db, { name: "test/start", data: {} });
    await engine.idle();
    expect(received.mock.calls).toEqual([[{ n: 7 }]]);
  });
});

describe("steps", () => {
  test("a step that has returned is not run again when a later one is retried", async () => {
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

  test("every step has its own tries", async () => {
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

  test("a step that failed for good can be caught, and is not run again", async () => {
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
    // Once on the way to the next step, once when that has returned.
    expect(caught).toEqual(["broken", "afterwards", "broken"]);
    expect(await runsOf("catcher")).toMatchObject([{ status: "Completed" }]);
  });

  test("steps that are planned together all run once, whatever becomes of one of them", async () => {
    const effects: string[] = [];
    const results: unknown[] = [];
    const engine = await anEngine([
      inngest.createFunction(
        { id: "together", triggers: { event: "test/together" }, retries: 2 },
        async ({ step, attempt }) => {
          const done = await Promise.all(
            ["a", "b", "c"].map((name) =>
              step.run(name, () => {
                effects.push(name);
                if (name === "b" && attempt === 0) throw new Error("b, the first time");
                return name.toUpperCase();
              }),
            ),
          );
          results.push(done);
        },
      ),
    ]);
    await sendEvents(db, { name: "test/together", data: {} });
    await engine.idle();
    expect(effects).toEqual(["a", "b", "c", "b"]);
    expect(results).toEqual([["A", "B", "C"]]);
  });
});

describe("sleeps", () => {
  test("a run that sleeps takes no place, and goes on after the sleep, in whatever process there is then", async () => {
    const effects: string[] = [];
    const sleeper = inngest.createFunction(
      {
        id: "sleeper",
        triggers: { event: "test/sleep" },
        concurrency: { key: "event.data.source", limit: 1 },
      },
      async ({ event, step }) => {
        await step.run("first", () => effects.push(`${event.data.n} lies down`));
        await step.sleep("night", "8h");
        await step.run("second", () => effects.push(`${event.data.n} is up`));
      },
    );
    const first = await anEngine([sleeper], { concurrency: 1 });
    await sendEvents(
      db,
      [1, 2].map((n) => ({ name: "test/sleep", data: { n, source: "same" } })),
    );
    await expect.poll(() => effects).toEqual(["1 lies down", "2 lies down"]);
    await expect
      .poll(() => runsOf("sleeper"))
      .toMatchObject([
        { status: "Waiting", attempt: 0 },
        { status: "Waiting", attempt: 0 },
      ]);
    const [row] = await db.execute<{ hours: number }>(
      sql`select round(extract(epoch from max(due_at) - now()) / 3600)::int as hours from job_runs`,
    );
    expect(row?.hours).toBe(8);
    await first.stop();

    await db.update(jobRuns).set({ dueAt: sql`now()` });
    const second = await anEngine([sleeper]);
    await second.idle();
    expect(effects).toEqual(["1 lies down", "2 lies down", "1 is up", "2 is up"]);
  });

  test("a moment that is past is no sleep", async () => {
    const up = vi.fn();
    const engine = await anEngine([
      inngest.createFunction({ id: "past", triggers: { event: "test/past" } }, async ({ step }) => {
        await step.sleepUntil("yesterday", new Date(Date.now() - 86_400_000));
        up();
      }),
    ]);
    await sendEvents(db, { name: "test/past", data: {} });
    await engine.idle();
    expect(up).toHaveBeenCalledTimes(1);
  });
});

describe("failures", () => {
  test("when the tries are used up, onFailure is told why", async () => {
    const told = vi.fn();
    const work = vi.fn(() => {
      throw new Error("no luck");
    });
    const engine = await anEngine([
      inngest.createFunction(
        {
          id: "unlucky",
          triggers: { event: "test/unlucky" },
          retries: 2,
          onFailure: ({ error, event }) => told(error.message, event.data.event.data, event.data.function_id),
        },
        async ({ step }) => {
          await step.run("work", work);
        },
      ),
      inngest.createFunction(
        { id: "lucky", triggers: { event: "test/lucky" }, onFailure: () => told("not this one") },
        () => {},
      ),
    ]);
    await sendEvents(db, { name: "test/unlucky", data: { n: 1 } });
    await engine.idle();
    expect(work).toHaveBeenCalledTimes(3);
    expect(told.mock.calls).toEqual([["no luck", { n: 1 }, "plumbline-unlucky"]]);
    expect(await runsOf("unlucky")).toMatchObject([{ status: "Failed", error: "no luck" }]);
  });

  test("an onFailure that fails is tried twice, and tells nobody", async () => {
    const engine = await anEngine([
      inngest.createFunction(
        {
          id: "hopeless",
          triggers: { event: "test/hopeless" },
          retries: 0,
          onFailure: () => {
            throw new Error("this too");
          },
        },
        () => {
          throw new Error("hopeless");
        },
      ),
    ]);
    await sendEvents(db, { name: "test/hopeless", data: {} });
    await engine.idle();
    expect(await runsOf("hopeless-failure")).toMatchObject([
      { status: "Failed", attempt: 1, error: "this too" },
    ]);
    expect(await db.select().from(jobEvents)).toHaveLength(2);
  });

  test.each([
    ["in a step", true],
    ["outside of steps", false],
  ])("NonRetriableError %s is not tried again", async (_, inStep) => {
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

  test("an error that PostgreSQL could not store fails the run all the same", async () => {
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
  test("two engines on one database share the work and double none of it", async () => {
    const workers = { a: [] as number[], b: [] as number[] };
    const counting = (worker: "a" | "b") =>
      inngest.createFunction(
        { id: "shared", triggers: { event: "test/shared" } },
        async ({ event, step }) => {
          await step.run("work", async () => {
            workers[worker].push(event.data.n);
            await new Promise((resolve) => setTimeout(resolve, 5));
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

  test("a worker never runs more at once than it may", async () => {
    let running = 0;
    let most = 0;
    const engine = await anEngine(
      [
        inngest.createFunction({ id: "crowd", triggers: { event: "test/crowd" } }, async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 10));
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
    expect(most).toBe(2);
  });

  test("a process that is killed between two steps: the first does not run again", async () => {
    await db.execute(sql`create table effects (step text, pid int)`);
    await sendEvents(db, { name: "test/crash", data: {} });
    const child = fork(new URL("./crash-worker.fixture.ts", import.meta.url), {
      execArgv: ["--import", "tsx"],
      env: { ...process.env, NODE_OPTIONS: "" },
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
    // The lost worker counted as a try.
    expect(attempts).toEqual([1]);
    expect(await runsOf("crashing")).toMatchObject([{ status: "Completed", fence: 2 }]);
  });

  test("a job that kills its worker every time is given up", async () => {
    const told = vi.fn();
    await sendEvents(db, { name: "test/poison", data: {} });
    const poison = inngest.createFunction(
      {
        id: "poison",
        triggers: { event: "test/poison" },
        retries: 1,
        onFailure: ({ error }) => told(error.message),
      },
      () => new Promise(() => {}),
    );
    const first = await startEngine([poison], { ...fast, drainMs: 0 });
    await expect.poll(() => runsOf("poison")).toMatchObject([{ status: "Running" }]);
    await first.stop();
    // As two workers would leave it that died with it, one after the other.
    await db.update(jobRuns).set({ status: "Running", attempt: 1, dueAt: sql`now()` });
    const engine = await anEngine([poison]);
    await engine.idle();
    expect(told.mock.calls).toEqual([["The process that ran this job was lost"]]);
  });

  test("a worker that lost its lease and comes back changes nothing", async () => {
    /** It takes one run at a time, so that it does not take over from itself. */
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

  test("a step may take longer than a lease, as long as its worker lives", async () => {
    const work = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 700)));
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

describe("a limit for each value of a property", () => {
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

  test.each([
    ["alone", (option: object) => option],
    ["in a list", (option: object) => [option]],
  ])(
    "the option %s: so many run at once of each value, in all processes, and none is lost",
    async (_, as) => {
      const running = new Map<unknown, number>();
      const most = new Map<unknown, number>();
      const done: unknown[] = [];
      const work = async (source: unknown) => {
        running.set(source, (running.get(source) ?? 0) + 1);
        most.set(source, Math.max(most.get(source) ?? 0, running.get(source) ?? 0));
        await new Promise((resolve) => setTimeout(resolve, 5));
        running.set(source, (running.get(source) ?? 0) - 1);
        done.push(source);
      };
      const option = as({ key: "event.data.source", limit: 2 }) as { key: string; limit: number };
      const fn = inngest.createFunction(
        { id: "limited", triggers: { event: "test/limited" }, concurrency: option },
        async ({ event, step }) => {
          await step.run("work", () => work(event.data.source));
        },
      );
      const [a, b] = await Promise.all([anEngine([fn]), anEngine([fn])]);
      await send(...Array.from({ length: 30 }, (_, n) => n % 3));
      await Promise.all([a.idle(), b.idle()]);
      expect(done).toHaveLength(30);
      expect([...most].sort()).toEqual([
        [0, 2],
        [1, 2],
        [2, 2],
      ]);
    },
  );

  test("what has no value there has no limit, and a text is not a number", async () => {
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

  test("who waits for a place goes on when it is free, although another process had it and stops", async () => {
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
    // Nothing but being called makes it look.
    await anEngine([limited(async () => second.resolve())], { pollMs: 3_600_000, leaseMs: 3_600_000 });
    const stopped = first.stop();
    open.resolve();
    await stopped;
    await second.promise;
  });

  test("waiting for a place is not looking for it all the time", async () => {
    const open = Promise.withResolvers<void>();
    const engine = await anEngine([limited(() => open.promise)], { pollMs: 3_600_000 });
    await send("one", "one", "one");
    await expect.poll(() => runsOf("limited")).toHaveLength(3);
    await expect.poll(async () => (await runsOf("limited"))[0]).toMatchObject({ status: "Running" });
    const claims = vi.spyOn(db, "transaction");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(claims.mock.calls.length).toBeLessThan(5);
    claims.mockRestore();
    open.resolve();
    await engine.idle();
  });
});

describe("idempotency", () => {
  const once = (work: (n: unknown) => void) =>
    inngest.createFunction(
      { id: "daily", triggers: { event: "test/daily" }, idempotency: "event.data.order" },
      async ({ event, step }) => {
        await step.run("work", () => work(event.data.order));
      },
    );
  const send = (...orders: unknown[]) =>
    sendEvents(
      db,
      orders.map((order) => ({ name: "test/daily", data: { order } })),
    );

  test("events with one value lead to one run, in however many processes they are fanned out", async () => {
    const done: unknown[] = [];
    const [a, b] = await Promise.all([
      anEngine([once((n) => done.push(n))]),
      anEngine([once((n) => done.push(n))]),
    ]);
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(n % 2, n % 2)));
    await Promise.all([a.idle(), b.idle()]);
    await send(1, "1", { of: "order" });
    await Promise.all([a.idle(), b.idle()]);
    expect(done.map((order) => JSON.stringify(order)).sort()).toEqual(['"1"', "0", "1", '{"of":"order"}']);
  });

  test("a day later it may run again; and what has no value there runs each time", async () => {
    const done: unknown[] = [];
    const engine = await anEngine([once((n) => done.push(n))]);
    await send(7, null, null);
    await engine.idle();
    await db.update(jobRuns).set({ createdAt: sql`now() - interval '23 hours 59 minutes'` });
    await send(7);
    await engine.idle();
    expect(done).toHaveLength(3);
    await db.update(jobRuns).set({ createdAt: sql`now() - interval '24 hours 1 minute'` });
    await send(7);
    await engine.idle();
    expect(done).toHaveLength(4);
  });
});

describe("stopping", () => {
  test("a run under way ends its step and is handed back without counting a try", async () => {
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

  test("a step that does not end in time is left, and its run handed back", async () => {
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
  test("a slot runs once in two engines, and slots that were missed run as one", async () => {
    const work = vi.fn();
    const yearly = inngest.createFunction(
      { id: "yearly", triggers: { cron: "TZ=Europe/Berlin 0 0 1 1 *" } },
      ({ event }) => work(event.name, event.data),
    );
    // Three New Years were slept through.
    await db.insert(jobCrons).values({
      functionId: "plumbline-yearly",
      expression: "TZ=Europe/Berlin 0 0 1 1 *",
      doneUntil: sql`now() - interval '3 years'`,
    });
    const engines = await Promise.all([anEngine([yearly]), anEngine([yearly])]);
    await Promise.all(engines.map((engine) => engine.idle()));
    expect(work.mock.calls).toEqual([["inngest/scheduled.timer", { cron: "TZ=Europe/Berlin 0 0 1 1 *" }]]);
    const [state] = await db.execute<{ age: number }>(
      sql`select extract(epoch from now() - done_until)::int as age from job_crons`,
    );
    expect(state?.age).toBeLessThan(60);
  });

  test("a cron that is new does not run for the past", async () => {
    const work = vi.fn();
    const engine = await anEngine([
      inngest.createFunction({ id: "new", triggers: { cron: "0 0 1 1 *" } }, work),
    ]);
    await engine.idle();
    expect(work).not.toHaveBeenCalled();
    expect(await db.select().from(jobCrons)).toHaveLength(1);
  });
});

describe("what is not supported", () => {
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
      'the idempotency "event.id" of plumbline-x',
      inngest.createFunction({ id: "x", triggers: event, idempotency: "event.id" }, () => {}),
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
      "step.waitForEvent in x",
      inngest.createFunction({ id: "x", triggers: event }, async ({ step }) => {
        await step.waitForEvent("wait", { event: "test/other", timeout: "1h" });
      }),
    ],
  ])("%s is refused at start-up, in one line", async (what, fn) => {
    await expect(startEngine([fn])).rejects.toThrow(`The embedded jobs engine does not support ${what}`);
  });

  test("a tool that hides behind another function fails its run at once", async () => {
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

  test("a sleep beside other steps fails its run at once", async () => {
    const work = vi.fn();
    const engine = await anEngine([
      inngest.createFunction(
        { id: "beside", triggers: { event: "test/beside" }, retries: 5 },
        async ({ step }) => {
          await Promise.all([step.sleep("nap", "1h"), step.run("work", work)]);
        },
      ),
    ]);
    await sendEvents(db, { name: "test/beside", data: {} });
    await engine.idle();
    expect(work).not.toHaveBeenCalled();
    expect(await runsOf("beside")).toMatchObject([
      { status: "Failed", error: 'The embedded jobs engine does not support the step "nap" (Sleep)' },
    ]);
  });
});
