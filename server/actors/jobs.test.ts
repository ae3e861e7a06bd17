import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { db, sql } from "../db/client.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { getQuery } from "../queries/service/queries.ts";
import { updateQuery } from "../queries/service/save-query.ts";
import { executeNow } from "../subscriptions/service/execute.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { aProposal, toCreate, toRefine } from "../test/factories/actors.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { expirePlansOfQuery, expirePlansOfSchema, wakeOwner } from "./jobs.ts";
import { getPlan } from "./service/load-plans.ts";
import {
  anActorWithQuery,
  anOwnActor,
  ctx,
  late,
  propose,
  source,
} from "./service/scripted-model.fixture.ts";

async function anEngine() {
  const engine = await startEngine([expirePlansOfQuery, expirePlansOfSchema], { pollMs: 50 });
  onTestFinished(() => engine.stop());
  return engine;
}

test("a plan expires when someone changes its query", async () => {
  const engine = await anEngine();
  const { actor, query } = await anActorWithQuery();
  const plan = await propose(actor.id, aProposal([toRefine(query.id, `${late} and id > 1`)]));
  await engine.idle();
  expect((await getPlan(ctx, plan.id)).status).toBe("PendingApproval");
  const { name } = await getQuery(ctx, query.id);
  await updateQuery(ctx, { id: query.id, name, steps: [{ dataSourceId: source.id, sql: "select 1" }] });
  await engine.idle();
  expect(await getPlan(ctx, plan.id)).toMatchObject({
    ...{ status: "Expired", expiredReason: "The query Late orders has a new active version" },
  });
});

test("a plan expires when a table it reads is found to have changed", async () => {
  const engine = await anEngine();
  await sql.unsafe("create table parcels (id int)");
  const actor = await anOwnActor();
  const plan = await propose(actor.id, aProposal([toCreate("Parcels", "select id from parcels")]));
  await refreshSchema(ctx, source.id);
  await engine.idle();
  expect((await getPlan(ctx, plan.id)).status).toBe("PendingApproval");
  await sql.unsafe("alter table parcels alter column id type bigint");
  await refreshSchema(ctx, source.id);
  await engine.idle();
  expect(await getPlan(ctx, plan.id)).toMatchObject({
    ...{ status: "Expired", expiredReason: "The data source's schema has changed" },
  });
});

test("only an execution of an actor's own subscription queues a job to wake it", async () => {
  const { actor, query } = await anActorWithQuery();
  const subscription = await aSubscription({ query }, ctx);
  const wakes = () => sql`select actor_id, execution_id from actor_wakes where actor_id = ${actor.id}`;
  const jobs = async () =>
    (await sql`select from job_runs where function_id = 'plumbline-wake-actor'`).length;
  const engine = await startEngine([wakeOwner], { pollMs: 50 });
  onTestFinished(() => engine.stop());
  await executeNow(ctx, subscription.id);
  await engine.idle();
  expect([await wakes(), await jobs()]).toEqual([[], 0]);

  await db.update(subscriptions).set({ aiActorId: actor.id }).where(eq(subscriptions.id, subscription.id));
  const execution = await executeNow(ctx, subscription.id);
  await engine.idle();
  expect(await wakes()).toEqual([{ actor_id: actor.id, execution_id: execution.id }]);
  expect(await jobs()).toBe(1);
});
