import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../db/client.ts";
import { captureLog } from "../../test/captured-log.ts";
import { startEngine } from "./engine.ts";

const lines = captureLog();

test("an engine that cannot poll reports when it last could", async () => {
  const engine = await startEngine([], { pollMs: 20 });
  onTestFinished(() => engine.stop());
  const polls = async () => {
    const before = engine.lastPoll();
    await expect.poll(() => engine.lastPoll(), { interval: 10 }).toBeGreaterThan(before);
  };
  await polls();
  await sql`alter table job_runs rename to elsewhere`;
  const failed = () => lines.filter((line) => line.includes("could not poll for work")).length;
  await expect.poll(failed).toBeGreaterThan(0);
  const last = engine.lastPoll();
  await expect.poll(failed).toBeGreaterThan(3);
  expect(engine.lastPoll()).toBe(last);
  await sql`alter table elsewhere rename to job_runs`;
  await polls();
});
