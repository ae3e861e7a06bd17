import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { entriesRead, rowsRead } from "../../test/sequential-scans.ts";
import { insertEvents } from "../client.ts";
import { jobEvents, jobRuns } from "../tables.ts";
import { type Claimable, claimRuns } from "./claim.ts";
import { type Claim, completeRun, keepStep } from "./runs.ts";

beforeEach(async () => {
  await db.execute(sql`truncate job_events, job_runs, job_steps`);
});

/** Due runs, the longest waiting first. */
async function someRuns(functionId: string, count: number, concurrencyKey: string | null = null) {
  const events = Array.from({ length: count }, (_, n) => ({
    name: "test",
    id: `${functionId}/${concurrencyKey}/${n}`,
    data: {},
  }));
  const keys = await insertEvents(db, events);
  const stored = await db.select().from(jobEvents).where(inArray(jobEvents.key, keys)).orderBy(jobEvents.id);
  // Times are kept in milliseconds, so what is due now may be due up to half a millisecond later.
  const dueAt = sql`now() - interval '1 millisecond'`;
  const runs = await db
    .insert(jobRuns)
    .values(stored.map((event) => ({ functionId, eventId: event.id, concurrencyKey, dueAt })))
    .returning();
  return runs.map((run) => run.id).sort((a, b) => a - b);
}

const plain = (id: string): Claimable => ({ id, crons: [], concurrency: null });
const limited = (id: string, limit: number): Claimable => ({
  ...plain(id),
  concurrency: { property: "source", limit },
});

async function claim(functions: Claimable[], max = 10, keyed = max) {
  return (await claimRuns(functions, { all: max, keyed }, 60_000)).runs;
}
const idsOf = (runs: { id: number }[]) => runs.map((run) => run.id).sort((a, b) => a - b);

test("each run goes to one of many workers that claim at once", async () => {
  const ids = await someRuns("crowded", 60);
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim([plain("crowded")])));
  expect(Math.max(...claims.map((claimed) => claimed.length))).toBeLessThanOrEqual(10);
  expect(idsOf(claims.flat())).toEqual(ids);
});

test("a worker skips locked runs without waiting", async () => {
  const [first, second] = await someRuns("held", 2);
  await db.transaction(async (tx) => {
    await tx
      .select()
      .from(jobRuns)
      .where(inArray(jobRuns.id, [first as number]))
      .for("update");
    expect(await elsewhere(() => claim([plain("held")]))).toMatchObject([{ id: second }]);
  });
});

test("reads each key's first runs, not all that are open, though it was planned while there were none", async () => {
  const keyed = limited("keyed", 2);
  await db.execute(sql`analyze job_runs, job_events`);
  // After five, a connection keeps its plan.
  await Promise.all(Array.from({ length: 80 }, () => claim([keyed])));
  for (let key = 0; key < 20; key++) await someRuns("keyed", 20, `${key}`);
  // The index of all open runs, which is made for pages, finds those that are taken at most.
  let events = 0;
  const read = await entriesRead("job_runs_open_idx", async () => {
    const both = async () => {
      expect(await claim([keyed], 30)).toHaveLength(30);
      expect(await claim([keyed], 30)).toHaveLength(10);
    };
    events = (await rowsRead(["job_events"], both)).get("job_events") ?? 0;
  });
  expect(read).toBeLessThanOrEqual(40);
  expect(events).toBeLessThanOrEqual(80);
});

test("steps and ends are stored by keys, though the statement was planned while there were no runs", async () => {
  const claimed = async (functionId: string) => {
    await someRuns(functionId, 1);
    return (await claim([plain(functionId)]))[0] as Claim;
  };
  const advance = async (run: Claim) => {
    expect(await keepStep(run, { key: "count", name: "Count", data: 7 })).toBe(true);
    expect(await completeRun(run)).toBe(true);
  };
  await db.execute(sql`analyze job_runs`);
  for (let n = 0; n < 4; n++) await advance(await claimed(`early ${n}`));
  const run = await claimed("late");
  await someRuns("other", 1000);
  const read = await rowsRead(["job_runs"], () => advance(run));
  expect(read.get("job_runs")).toBeLessThanOrEqual(20);
});

test("a worker only takes runs of functions that it has", async () => {
  await someRuns("someone else's", 1);
  await someRuns("someone else's", 1, '"a"');
  expect(await claim([plain("mine")])).toEqual([]);
});

test("it learns when the next run becomes due, ignoring those that wait for a place", async () => {
  const [, later] = await someRuns("timed", 2);
  await someRuns("limited", 3, "1");
  await db
    .update(jobRuns)
    .set({ dueAt: sql`now() + interval '20 seconds'` })
    .where(eq(jobRuns.id, later as number));
  const functions = [plain("timed"), limited("limited", 1)];
  const { runs, nextDueMs } = await claimRuns(functions, { all: 10, keyed: 10 }, 60_000);
  expect(runs.map((run) => run.functionId).sort()).toEqual(["limited", "timed"]);
  // One has run a moment longer than the other; neither a lease (60 s) nor the two that are held back (now).
  expect(nextDueMs).toBeGreaterThan(15_000);
  expect(nextDueMs).toBeLessThanOrEqual(20_000);
  expect((await claimRuns(functions, { all: 0, keyed: 0 }, 60_000)).nextDueMs).toBeNull();
});

test("while those with a limit have no room, it polls again soon for the others", async () => {
  await someRuns("limited", 2, "1");
  await someRuns("limited", 2, "2");
  const functions = [plain("plain"), limited("limited", 2)];
  expect((await claimRuns(functions, { all: 10, keyed: 1 }, 60_000)).nextDueMs).toBe(250);
  expect((await claimRuns(functions, { all: 10, keyed: 0 }, 60_000)).nextDueMs).toBe(250);
});

describe("a concurrency limit per key", () => {
  test("the longest due runs of each key are taken, up to the limit; an end makes room for the next", async () => {
    const slow = await someRuns("execute", 5, "1");
    const fast = await someRuns("execute", 3, "2");
    const functions = [limited("execute", 2)];
    const runs = await claim(functions);
    expect(idsOf(runs)).toEqual([...slow.slice(0, 2), ...fast.slice(0, 2)]);
    expect(await claim(functions)).toEqual([]);
    const [oldest] = runs.filter((run) => run.id === slow[0]);
    await completeRun(oldest as (typeof runs)[number]);
    expect(idsOf(await claim(functions))).toEqual([slow[2]]);
  });

  test("it holds for any number of concurrent workers", async () => {
    await someRuns("execute", 20, "1");
    await someRuns("execute", 20, "2");
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim([limited("execute", 2)])));
    expect(claims.flat()).toHaveLength(4);
  });

  test("each function counts separately, and runs without a key are not counted", async () => {
    await someRuns("execute", 3, "1");
    await someRuns("evaluate", 3, "1");
    await someRuns("execute", 3);
    const runs = await claim([limited("execute", 1), limited("evaluate", 2)]);
    expect(runs.map((run) => `${run.functionId} ${run.isKeyed}`).sort()).toEqual([
      "evaluate true",
      "evaluate true",
      "execute false",
      "execute false",
      "execute false",
      "execute true",
    ]);
  });

  test("a run whose worker died gives up its place, and is next to get one", async () => {
    const [first] = await someRuns("execute", 2, "1");
    expect(await claim([limited("execute", 1)])).toMatchObject([{ id: first, attempt: 0 }]);
    await db
      .update(jobRuns)
      .set({ dueAt: sql`now() - interval '1 hour'` })
      .where(eq(jobRuns.id, first as number));
    expect(await claim([limited("execute", 1)])).toMatchObject([{ id: first, attempt: 1 }]);
    expect(await claim([limited("execute", 1)])).toEqual([]);
  });

  test("runs with keys leave room for the others, and crons go first", async () => {
    for (let key = 0; key < 9; key++) await someRuns("execute", 1, String(key));
    await someRuns("deliver", 9);
    await someRuns("tick", 1);
    const tick = { ...plain("tick"), crons: ["* * * * *"] };
    const functions = [limited("execute", 1), plain("deliver"), tick];
    expect(await claim(functions, 1)).toMatchObject([{ functionId: "tick" }]);
    const runs = await claim(functions, 10, 4);
    expect(runs.filter((run) => run.isKeyed)).toHaveLength(4);
    expect(runs.filter((run) => run.functionId === "deliver")).toHaveLength(6);
  });

  test("if its function no longer has a limit, a run with a key is still taken", async () => {
    await someRuns("execute", 2, "1");
    expect(await claim([plain("execute")])).toHaveLength(1);
    expect(await claim([plain("execute")])).toHaveLength(0);
  });
});
