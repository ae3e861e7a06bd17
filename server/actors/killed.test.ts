import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service.ts";
import { db, sql } from "../db/client.ts";
import { queries } from "../queries/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { anActor, aPlan, toCreate, toSubscribe } from "../test/factories/actors.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { actionHash } from "./action-hash.ts";
import { recoverActorExecutions } from "./service/cycles.ts";
import { actorActions, actorExecutions, plans } from "./tables.ts";

afterAll(closeSources);

/** An approved plan whose worker is gone, so that whoever looks takes it over. */
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

const statusesOf = async (planId: number) =>
  (
    await db.select().from(actorActions).where(eq(actorActions.planId, planId)).orderBy(actorActions.index)
  ).map(({ status }) => status);

test("a process that is killed between two actions leaves a plan that another finishes, once", async () => {
  const { actor, plan, run } = await anAbandonedRun();
  const other = await sql.reserve();
  // The second action waits for this, so the process is killed inside of it.
  await other`begin`;
  await other`lock table subscriptions in exclusive mode`;
  const child = fork(path.join(import.meta.dirname, "plan-runner.fixture.ts"), {
    execArgv: ["--import", "tsx"],
    env: process.env,
    stdio: "ignore",
  });
  try {
    while ((await statusesOf(plan.id))[0] !== "Succeeded") await delay(20);
    const isBlocked = async () => {
      const [blocked] =
        await sql`select 1 from pg_locks where relation = 'subscriptions'::regclass and not granted`;
      return blocked !== undefined;
    };
    while (!(await isBlocked())) await delay(20);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
    await other`rollback`;
    other.release();
  }
  expect((await statusesOf(plan.id))[0]).toBe("Succeeded");
  // Its lease is believed for half a minute; here it has run out.
  await db
    .update(actorExecutions)
    .set({ leaseUntil: new Date(0) })
    .where(eq(actorExecutions.id, run?.id ?? 0));
  await recoverActorExecutions();
  expect(await statusesOf(plan.id)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
  expect((await db.select().from(plans).where(eq(plans.id, plan.id)))[0]?.status).toBe("Executed");
  const made = await db.select().from(queries).where(eq(queries.ownerActorId, actor.id)).orderBy(queries.id);
  expect(made.map(({ name }) => name)).toEqual(["First", "Second"]);
  expect(await db.$count(subscriptions, eq(subscriptions.aiActorId, actor.id))).toBe(1);
}, 60_000);
