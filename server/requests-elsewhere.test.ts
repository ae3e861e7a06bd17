import postgres from "postgres";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { areOthersAnswering, hearOthers, tellOthers } from "./requests-elsewhere.ts";

/** Only the clock: the database needs its timers. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Another process on the same database, with what it hears. */
async function another() {
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
  onTestFinished(() => sql.end());
  const heard: string[] = [];
  await sql.listen("plumbline_requests", (sender) => heard.push(sender));
  return { heard, tell: () => sql.notify("plumbline_requests", "another process") };
}

test("what other processes say is trusted for a few seconds", async () => {
  const stop = await hearOthers();
  const { tell } = await another();
  expect(areOthersAnswering()).toBe(false);
  await tell();
  await vi.waitUntil(areOthersAnswering);
  vi.advanceTimersByTime(7_400);
  expect(areOthersAnswering()).toBe(true);
  vi.advanceTimersByTime(200);
  expect(areOthersAnswering()).toBe(false);
  await stop();
});

test("a process that answers requests tells the others every five seconds, and does not take itself for another", async () => {
  const stop = await hearOthers();
  const { heard } = await another();
  vi.advanceTimersByTime(60_000);
  for (let n = 0; n < 10; n++) tellOthers();
  await expect.poll(() => heard.length).toBe(1);
  vi.advanceTimersByTime(4_900);
  tellOthers();
  vi.advanceTimersByTime(200);
  tellOthers();
  await expect.poll(() => heard.length).toBe(2);
  expect(new Set(heard).size).toBe(1);
  expect(areOthersAnswering()).toBe(false);
  await stop();
});
