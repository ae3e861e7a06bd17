import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db, sql } from "../db/client.ts";
import { queries } from "../queries/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { anActor, aPlan, toCreate, toSubscribe } from "../test/factories/actors.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { programEnv } from "../test/program-env.ts";
import { actionHash } from "./action-hash.ts";
import { recoverActorExecutions } from "./service/cycles.ts";
import { actorActions, actorExecutions, plans } from "./tables.ts";

afterAll(closeSources);

/** An approved plan whose worker is gone, so that another process takes over. */
async function anAbandonedRun() {
  const source = await aDataSource();
  const actor = await anActor({ dataSourceId: source.id });
  const plan = await aPlan(actor.id, { status: "Executing", reviewerId: actor.createdById });
  const proposed = [
    toCreate("First", "select 1 as one"),
    toSubscribe("First"),
    toCreate("Second", "select 2 as two"),
  ];
  await db.insert(actorActions).values(
    proposed.map((action, index) => ({
      ...{ planId: plan.id, index, proposed: action, facts: {}, hash: actionHash(action, {}) },
    })),
  );
  const [run] = await db
    .insert(actorExecutions)
    .values({
      ...{ actorId: actor.id, kind: "PlanRun", trigger: "InitialSetup", phase: "Executing", phaseTimes: [] },
      ...{ runPlanId: plan.id, leaseUntil: new Date(0) },
    })
    .returning();
  return { actor, plan, run };
}

/** A second connection that blocks creating subscriptions until released. */
async function holdSubscriptions() {
  const other = await sql.reserve();
  await other`begin`;
  await other`lock table subscriptions in exclusive mode`;
  return {
    /** The process ID of the blocked PostgreSQL backend. */
    async whoWaits(): Promise<number> {
      for (;;) {
        const [blocked] =
          await sql`select pid from pg_locks where relation = 'subscriptions'::regclass and not granted
            and database = (select oid from pg_database where datname = current_database())`;
        if (blocked) return blocked.pid;
        await delay(20);
      }
    },
    async release(): Promise<void> {
      await other`rollback`;
      other.release();
    },
  };
}

/** A lease lasts half a minute, and failures have a retry delay; this ends both. */
const endLease = (id = 0) =>
  db
    .update(actorExecutions)
    .set({ leaseUntil: new Date(0) })
    .where(eq(actorExecutions.id, id));

const statusesOf = async (planId: number) =>
  (
    await db.select().from(actorActions).where(eq(actorActions.planId, planId)).orderBy(actorActions.index)
  ).map(({ status }) => status);

test("a plan interrupted by a kill between two actions is finished by another process, once", async () => {
  const { actor, plan, run } = await anAbandonedRun();
  // The second action waits for this, so the process is killed during it.
  const subscriptionsTable = await holdSubscriptions();
  const child = fork(path.join(import.meta.dirname, "plan-runner.fixture.ts"), {
    execArgv: [],
    env: { ...process.env, ...programEnv },
    stdio: "ignore",
  });
  try {
    await expect.poll(async () => (await statusesOf(plan.id))[0], { timeout: 60_000 }).toBe("Succeeded");
    await subscriptionsTable.whoWaits();
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
    await subscriptionsTable.release();
  }
  expect((await statusesOf(plan.id))[0]).toBe("Succeeded");
  await endLease(run?.id);
  await recoverActorExecutions();
  expect(await statusesOf(plan.id)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
  expect((await db.select().from(plans).where(eq(plans.id, plan.id)))[0]?.status).toBe("Executed");
  const made = await db.select().from(queries).where(eq(queries.ownerActorId, actor.id)).orderBy(queries.id);
  expect(made.map(({ name }) => name)).toEqual(["First", "Second"]);
  expect(await db.$count(subscriptions, eq(subscriptions.aiActorId, actor.id))).toBe(1);
}, 180_000);

test("losing the database between two actions doesn't end a plan: the rest runs when it is back", async () => {
  const { actor, plan, run } = await anAbandonedRun();
  const subscriptionsTable = await holdSubscriptions();
  const interrupted = recoverActorExecutions();
  try {
    // Like a restart, which ends everything in progress.
    await sql`select pg_terminate_backend(${await subscriptionsTable.whoWaits()})`;
    await interrupted;
  } finally {
    await subscriptionsTable.release();
  }
  const statusOfPlan = async () => (await db.select().from(plans).where(eq(plans.id, plan.id)))[0]?.status;
  expect([await statusOfPlan(), await statusesOf(plan.id)]).toEqual([
    "Executing",
    ["Succeeded", "Proposed", "Proposed"],
  ]);
  await endLease(run?.id);
  await recoverActorExecutions();
  expect([await statusOfPlan(), await statusesOf(plan.id)]).toEqual([
    "Executed",
    ["Succeeded", "Succeeded", "Succeeded"],
  ]);
  expect(await db.$count(queries, eq(queries.ownerActorId, actor.id))).toBe(2);
}, 180_000);
