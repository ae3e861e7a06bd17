import { inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { insertEvents } from "../client.ts";
import { jobEvents, jobRuns } from "../tables.ts";
import { claimRuns } from "./runs.ts";

async function someRuns(functionId: string, count: number): Promise<number[]> {
  const events = Array.from({ length: count }, (_, n) => ({
    name: "test",
    id: `${functionId}/${n}`,
    data: {},
  }));
  const keys = await insertEvents(db, events);
  const stored = await db.select().from(jobEvents).where(inArray(jobEvents.key, keys));
  const runs = await db
    .insert(jobRuns)
    .values(stored.map((event) => ({ functionId, eventId: event.id })))
    .returning();
  return runs.map((run) => run.id).sort((a, b) => a - b);
}

test("a run goes to one of many workers that claim at once", async () => {
  const ids = await someRuns("crowded", 60);
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimRuns(["crowded"], 10, 60_000)));
  expect(Math.max(...claims.map((claim) => claim.length))).toBeLessThanOrEqual(10);
  const claimed = claims.flat().map((run) => run.id);
  expect(claimed.sort((a, b) => a - b)).toEqual(ids);
});

test("a worker takes what no other holds, without waiting", async () => {
  const [first, second] = await someRuns("held", 2);
  await db.transaction(async (tx) => {
    await tx
      .select()
      .from(jobRuns)
      .where(inArray(jobRuns.id, [first as number]))
      .for("update");
    expect(await claimRuns(["held"], 10, 60_000)).toMatchObject([{ id: second }]);
  });
});

test("a worker takes only runs of the functions that it has", async () => {
  await someRuns("somebody else's", 1);
  expect(await claimRuns(["mine"], 10, 60_000)).toEqual([]);
});
