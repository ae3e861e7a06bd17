import { eq, sql as query } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db, sql } from "../../db/client.ts";
import { anAnomaly, anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { executionStatuses } from "../kinds.ts";
import { executions } from "../tables.ts";
import { countStatuses, rebuildCounters } from "./counters.ts";

let subscriptionId: number;
beforeEach(async () => {
  subscriptionId = (await aSubscription()).id;
});

/** Recounted by independent SQL. */
async function plainCounts() {
  const ok = "status in ('NotificationSent', 'NoResults', 'NotificationSilenced')";
  const days = await sql.unsafe(`
    select d.day::text as day,
      (select count(*)::int from executions e where e.subscription_id = d.subscription_id
        and (e.executed_at at time zone 'UTC')::date <= d.day) as total,
      (select count(*)::int from executions e where e.subscription_id = d.subscription_id
        and (e.executed_at at time zone 'UTC')::date <= d.day and ${ok}) as ok,
      (select count(*)::int from anomalies a where a.subscription_id = d.subscription_id
        and (a.detected_at at time zone 'UTC')::date <= d.day) as anomalies
    from (
      select subscription_id, (executed_at at time zone 'UTC')::date as day from executions
      where subscription_id = ${subscriptionId}
      union
      select subscription_id, (detected_at at time zone 'UTC')::date from anomalies
      where subscription_id = ${subscriptionId}
    ) d
    order by d.day`);
  const [state] = await sql.unsafe(`
    select count(*)::int as total, (count(*) filter (where ${ok}))::int as ok,
      (select count(*)::int from anomalies where subscription_id = ${subscriptionId}) as anomalies,
      (array_agg(status::text order by executed_at desc, id desc))[1] as last_status,
      (array_agg(id order by executed_at desc, id desc))[1] as last_id
    from executions where subscription_id = ${subscriptionId}`);
  return { days: [...days], state };
}

async function keptCounts() {
  const days = await sql`
    select day::text as day, total, ok, anomalies from subscription_day
    where subscription_id = ${subscriptionId} order by day`;
  const [state] = await sql`
    select total, ok, anomalies, last_status::text as last_status, last_execution_id as last_id
    from subscription_state where subscription_id = ${subscriptionId}`;
  return { days: [...days], state };
}

/** A repeatable sequence of numbers below `below`. */
function randomNumbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const anyStatus = (random: (below: number) => number) =>
  executionStatuses[random(executionStatuses.length)] ?? "Created";

const at = (dayAgo: number, random: (below: number) => number) =>
  new Date(Date.UTC(2026, 4, 30 - dayAgo, random(24), random(60), random(60), random(1000)));

async function changeStatus(id: number, status: (typeof executionStatuses)[number]) {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(executions).where(eq(executions.id, id)).for("update");
    if (!before) throw new Error("There is no such execution");
    await tx.update(executions).set({ status }).where(eq(executions.id, id));
    await countStatuses(tx, [{ before, status }]);
  });
}

test.each([1, 2, 3])(
  "random histories, late rows, and status changes are counted as independent SQL counts them (%i)",
  async (seed) => {
    const random = randomNumbers(seed);
    const ids: number[] = [];
    for (let i = 0; i < 60; i++) {
      // Days in random order, so that many arrive late.
      const executedAt = at(random(12), random);
      ids.push(await anExecution({ subscriptionId, status: anyStatus(random), executedAt }));
      const some = ids[random(ids.length)];
      if (some !== undefined && random(3) === 0) await changeStatus(some, anyStatus(random));
      // Mostly at the execution's own time, occasionally on a day without executions.
      const detectedAt = random(4) === 0 ? at(12 + random(3), random) : executedAt;
      const executionId = ids.at(-1);
      if (executionId !== undefined && random(3) === 0)
        await anAnomaly(subscriptionId, { executionId, detectedAt });
    }
    const kept = await keptCounts();
    expect(kept.days.length).toBeGreaterThan(8);
    expect(kept).toEqual(await plainCounts());
  },
);

test("concurrent anomalies of late executions are each counted", async () => {
  const days = ["2026-05-28", "2026-05-29", "2026-05-30"];
  await anExecution({ subscriptionId, executedAt: new Date("2026-05-30T12:00:00Z") });
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const executedAt = new Date(`${days[index % 3]}T23:59:59.999Z`);
      const executionId = await anExecution({ subscriptionId, executedAt });
      await anAnomaly(subscriptionId, { executionId, detectedAt: executedAt });
    }),
  );
  const kept = await keptCounts();
  expect(kept).toEqual(await plainCounts());
  expect(kept.days.map(({ anomalies }) => anomalies)).toEqual([4, 8, 12]);
  expect(kept.state).toMatchObject({ total: 13, anomalies: 12 });
});

test("concurrent executions at the same time are each counted", async () => {
  const executedAt = new Date("2026-05-30T23:59:59.999Z");
  const ids = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      anExecution({
        subscriptionId,
        status: index % 2 === 0 ? "Created" : "Failed",
        executedAt: index % 3 === 0 ? executedAt : new Date("2026-05-31T00:00:00Z"),
      }),
    ),
  );
  await Promise.all(ids.map((id) => changeStatus(id, "NoResults")));
  const kept = await keptCounts();
  expect(kept).toEqual(await plainCounts());
  expect(kept.days).toEqual([
    { day: "2026-05-30", total: 8, ok: 8, anomalies: 0 },
    { day: "2026-05-31", total: 24, ok: 24, anomalies: 0 },
  ]);
});

test("recounting repairs wrong counters", async () => {
  const random = randomNumbers(7);
  for (let i = 0; i < 20; i++)
    await anExecution({ subscriptionId, status: anyStatus(random), executedAt: at(random(5), random) });
  for (let i = 0; i < 5; i++) await anAnomaly(subscriptionId, { detectedAt: at(random(9), random) });
  await db.execute(query`update subscription_day set total = 99, ok = -1, anomalies = 7`);
  await db.execute(query`update subscription_state set total = 99, anomalies = 0, last_status = 'Timeout'`);
  expect(await db.transaction(rebuildCounters)).toMatchObject({ executions: expect.any(Number) });
  expect(await keptCounts()).toEqual(await plainCounts());
});
