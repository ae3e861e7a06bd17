import { randomUUID } from "node:crypto";
import { setTimeout as simulatedWork } from "node:timers/promises";
import { type InngestFunction, NonRetriableError, RetryAfterError } from "inngest";
import { expect, vi } from "vitest";
import type { Event } from "../client.ts";

/**
 * The contract between jobs and the engine that runs them, as scenarios. embedded.test.ts runs them on the embedded
 * engine, and inngest.test.ts on an Inngest server; any domain may rely on what passes on both.
 *
 * A scenario only observes the calls to its functions. It waits for what must happen or, if something must not happen,
 * for the engine to become idle.
 */
export type Engine = {
  /** Like `sendEvents`, outside of a transaction. */
  send(events: Event | Event[]): Promise<unknown>;
  /** Triggers a function with the cron `* * * * *`, if that is possible without waiting. */
  minutePasses(functionId: string): Promise<void>;
  /** Resolves when all effects of sent events are done. */
  settled(): Promise<void>;
  /** The timeout for expected effects. */
  timeoutMs: number;
};

export type Scenario = {
  name: string;
  functions: InngestFunction.Like[];
  play(engine: Engine): Promise<void>;
};

/**
 * Called once per engine, because a client belongs to one engine. Each call has its own event names, so that the events
 * of one do not reach the functions of another.
 */
export function scenarios({ inngest }: typeof import("../client.ts")): Scenario[] {
  const making = randomUUID().slice(0, 8);
  const nameOf = (event: string) => `contract-${making}/${event}`;
  const on = (event: string) => ({ event: nameOf(event) });
  const event = (name: string, data: Record<string, unknown> = {}, id?: string): Event => ({
    name: nameOf(name),
    data,
    ...(id && { id: `${making}/${id}` }),
  });
  const must = (engine: Engine, look: () => void) =>
    vi.waitFor(look, { timeout: engine.timeoutMs, interval: 50 });

  function anEventReachesEveryListener(): Scenario {
    const seen: unknown[] = [];
    const listener = (id: string) =>
      inngest.createFunction({ id: `contract-${id}`, triggers: on("greeted") }, ({ event }) => {
        seen.push([id, event.name, event.id, event.data, event.ts]);
      });
    const deaf = inngest.createFunction({ id: "contract-deaf", triggers: on("other") }, () => {
      seen.push("deaf");
    });
    return {
      name: "an event runs every function that listens for it, with its name, id, data, and time",
      functions: [listener("one"), listener("two"), deaf],
      async play(engine) {
        const ts = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
        await engine.send({ ...event("greeted", { who: "Ada", of: [1, null, "ä"] }, "greeting"), ts });
        await must(engine, () => expect(seen).toHaveLength(2));
        await engine.settled();
        const what = [nameOf("greeted"), `${making}/greeting`, { who: "Ada", of: [1, null, "ä"] }, ts];
        expect(seen.sort()).toEqual([
          ["one", ...what],
          ["two", ...what],
        ]);
      },
    };
  }

  function severalTriggers(): Scenario {
    const seen: string[] = [];
    return {
      name: "a function can listen for several events",
      functions: [
        inngest.createFunction(
          { id: "contract-several", triggers: [on("came"), on("went")] },
          ({ event }) => {
            seen.push(event.name);
          },
        ),
      ],
      async play(engine) {
        await engine.send([event("came"), event("went")]);
        await must(engine, () => expect(seen.sort()).toEqual([nameOf("came"), nameOf("went")]));
      },
    };
  }

  function anIdHappensOnce(): Scenario {
    const work = vi.fn();
    return {
      name: "an event sent several times with one id is processed once",
      functions: [inngest.createFunction({ id: "contract-once", triggers: on("once") }, () => work())],
      async play(engine) {
        await engine.send(event("once", {}, "same"));
        await engine.send(event("once", {}, "same"));
        await must(engine, () => expect(work).toHaveBeenCalled());
        await engine.send(event("once", {}, "same"));
        await engine.settled();
        expect(work).toHaveBeenCalledTimes(1);
      },
    };
  }

  function manyAtOnce(): Scenario {
    const seen: number[] = [];
    return {
      name: "each of many events sent at once has its run",
      functions: [
        inngest.createFunction({ id: "contract-many", triggers: on("many") }, async ({ event, step }) => {
          await step.run("note", () => {
            seen.push(event.data.n);
          });
        }),
      ],
      async play(engine) {
        const numbers = Array.from({ length: 100 }, (_, n) => n);
        await engine.send(numbers.map((n) => event("many", { n }, `many/${n}`)));
        await must(engine, () => expect(seen.length).toBeGreaterThanOrEqual(100));
        await engine.settled();
        expect(seen.sort((a, b) => a - b)).toEqual(numbers);
      },
    };
  }

  function stepsAreKept(): Scenario {
    const effects: unknown[] = [];
    const runIds = new Set<string>();
    return {
      name: "a completed step is not run again; its result is JSON, and the run keeps its id",
      functions: [
        inngest.createFunction(
          { id: "contract-steps", triggers: on("steps"), retries: 2 },
          async ({ step, attempt, runId }) => {
            runIds.add(runId);
            const first = await step.run("first", () => {
              effects.push("first");
              return { text: "42", at: new Date(0), nothing: undefined, none: null };
            });
            await step.run("second", () => {
              effects.push(`second, attempt ${attempt}`);
              if (attempt < 2) throw new Error("not yet");
            });
            await step.run("third", () => {
              effects.push(`third, attempt ${attempt}`);
            });
            effects.push(first);
            return { done: true };
          },
        ),
      ],
      async play(engine) {
        await engine.send(event("steps"));
        await must(engine, () => expect(effects.at(-1)).toBeTypeOf("object"));
        await engine.settled();
        expect(effects).toEqual([
          "first",
          "second, attempt 0",
          "second, attempt 1",
          "second, attempt 2",
          "third, attempt 0",
          { text: "42", at: "1970-01-01T00:00:00.000Z", none: null },
        ]);
        expect(runIds.size).toBe(1);
        expect([...runIds][0]).toMatch(/^\w+$/);
        await engine.send(event("steps"));
        await must(engine, () => expect(runIds.size).toBe(2));
        await engine.settled();
      },
    };
  }

  function aFailedStepIsCaught(): Scenario {
    const broken = vi.fn(() => {
      throw new TypeError("broken");
    });
    const caught: string[] = [];
    return {
      name: "a step that failed permanently can be caught, and is not run again",
      functions: [
        inngest.createFunction(
          { id: "contract-catching", triggers: on("catching"), retries: 1 },
          async ({ step }) => {
            try {
              await step.run("broken", broken);
            } catch (error) {
              await step.run("afterwards", () => {
                caught.push((error as Error).message);
              });
            }
          },
        ),
      ],
      async play(engine) {
        await engine.send(event("catching"));
        await must(engine, () => expect(caught).toEqual(["broken"]));
        await engine.settled();
        expect(broken).toHaveBeenCalledTimes(2);
        expect(caught).toEqual(["broken"]);
      },
    };
  }

  function triesAreUsedUp(): Scenario {
    const work = vi.fn(() => {
      throw new Error("no luck");
    });
    return {
      name: "a step whose tries are used up is not run again",
      functions: [
        inngest.createFunction(
          { id: "contract-unlucky", triggers: on("unlucky"), retries: 2 },
          async ({ step }) => {
            await step.run("work", work);
          },
        ),
      ],
      async play(engine) {
        await engine.send(event("unlucky"));
        await must(engine, () => expect(work).toHaveBeenCalledTimes(3));
        await engine.settled();
        expect(work).toHaveBeenCalledTimes(3);
      },
    };
  }

  function neverAgain(): Scenario {
    const tries = { inside: 0, outside: 0 };
    const hopeless = (where: keyof typeof tries) =>
      inngest.createFunction(
        {
          id: `contract-never-${where}`,
          triggers: on(`never-${where}`),
          retries: 5,
        },
        async ({ step }) => {
          const work = () => {
            tries[where] += 1;
            throw new NonRetriableError(`never ${where}`);
          };
          if (where === "inside") await step.run("work", work);
          else work();
        },
      );
    return {
      name: "NonRetriableError is not retried, inside or outside of a step",
      functions: [hopeless("inside"), hopeless("outside")],
      async play(engine) {
        await engine.send([event("never-inside"), event("never-outside")]);
        await must(engine, () => expect(tries).toEqual({ inside: 1, outside: 1 }));
        await engine.settled();
        expect(tries).toEqual({ inside: 1, outside: 1 });
      },
    };
  }

  function aTimeIsAskedFor(): Scenario {
    const tries: number[] = [];
    return {
      name: "RetryAfterError sets the time of the next try",
      functions: [
        inngest.createFunction(
          { id: "contract-later", triggers: on("later"), retries: 3 },
          async ({ step }) => {
            await step.run("work", () => {
              tries.push(Date.now());
              if (tries.length === 1) throw new RetryAfterError("later", "3s");
            });
          },
        ),
      ],
      async play(engine) {
        await engine.send(event("later"));
        await must(engine, () => expect(tries).toHaveLength(2));
        const [first = 0, second = 0] = tries;
        expect(second - first).toBeGreaterThan(2_000);
      },
    };
  }

  function aLimitForEachValue(): Scenario {
    const running = new Map<string, number>();
    const max = new Map<string, number>();
    let done = 0;
    const change = (key: string, by: number) => {
      running.set(key, (running.get(key) ?? 0) + by);
      max.set(key, Math.max(max.get(key) ?? 0, running.get(key) ?? 0));
    };
    return {
      name: "the concurrency limit applies to runs whose events have the same value in a property",
      functions: [
        inngest.createFunction(
          {
            id: "contract-limited",
            triggers: on("limited"),
            concurrency: { key: "event.data.source", limit: 2 },
          },
          async ({ event, step }) => {
            await step.run("work", async () => {
              change(event.data.source, 1);
              change("all", 1);
              await simulatedWork(300);
              change(event.data.source, -1);
              change("all", -1);
              done += 1;
            });
          },
        ),
      ],
      async play(engine) {
        const sources = ["a", "b", "a", "b", "a", "b", "a", "b", "a", "b"];
        await engine.send(sources.map((source, n) => event("limited", { source }, `limited/${n}`)));
        await must(engine, () => expect(done).toBe(sources.length));
        expect([max.get("a"), max.get("b")]).toEqual([2, 2]);
        expect(max.get("all")).toBeGreaterThan(2);
      },
    };
  }

  function theClock(): Scenario {
    const seen: string[] = [];
    const id = "contract-every-minute";
    return {
      name: "a cron triggers its function",
      functions: [
        inngest.createFunction(
          { id, triggers: { cron: "* * * * *" }, retries: 0 },
          async ({ event, step }) => {
            await step.run("note", () => {
              seen.push(event.name);
            });
          },
        ),
      ],
      async play(engine) {
        await engine.minutePasses(`plumbline-${id}`);
        await vi.waitFor(() => expect(seen[0]).toBe("inngest/scheduled.timer"), {
          timeout: engine.timeoutMs + 61_000,
          interval: 50,
        });
      },
    };
  }

  return [
    anEventReachesEveryListener(),
    severalTriggers(),
    anIdHappensOnce(),
    manyAtOnce(),
    stepsAreKept(),
    aFailedStepIsCaught(),
    triesAreUsedUp(),
    neverAgain(),
    aTimeIsAskedFor(),
    aLimitForEachValue(),
    theClock(),
  ];
}
