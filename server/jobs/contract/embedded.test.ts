import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, test } from "vitest";
import { db } from "../../db/client.ts";
import * as jobs from "../client.ts";
import { type Engine as EmbeddedEngine, startEngine } from "../engine/engine.ts";
import { jobCrons } from "../tables.ts";
import { type Engine, scenarios } from "./scenarios.fixture.ts";

/** The engine contract, for the embedded engine. */
describe("the embedded engine", () => {
  const all = scenarios(jobs);
  let started: EmbeddedEngine;
  beforeAll(async () => {
    started = await startEngine(
      all.flatMap(({ functions }) => functions),
      { backoffMs: () => 1 },
    );
  });
  afterAll(() => started.stop());

  const engine: Engine = {
    timeoutMs: 15_000,
    send: (events) => jobs.sendEvents(db, events),
    async minutePasses(functionId) {
      await db
        .update(jobCrons)
        .set({ doneUntil: sql`now() - interval '2 minutes'` })
        .where(eq(jobCrons.functionId, functionId));
      await jobs.wakeWorkers(db);
    },
    settled: () => started.idle(),
  };

  test.each(all.map((scenario) => [scenario.name, scenario] as const))("%s", async (_, { play }) => {
    await play(engine);
  });
});
