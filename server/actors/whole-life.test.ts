import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { listHealth } from "../control-tower/service/health.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { createWarehouse } from "../demo/warehouse.ts";
import { jobFunctions } from "../job-functions.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { limits } from "./limits.ts";
import type { Action, ActorExecution, Plan } from "./schema.ts";
import { waitForExecution } from "./service/cycles.ts";

/** The demo's warehouse, in its own database. */
const suffix = randomBytes(4).toString("hex");
const names = { database: `warehouse_${suffix}`, reader: `reader_${suffix}` };
const databaseUrl = process.env.DATABASE_URL ?? "";

let cookie: string;
let dataSourceId: number;

beforeAll(async () => {
  const { host, port, ...reader } = await createWarehouse(databaseUrl, names);
  cookie = await aSession("Editor");
  ({ id: dataSourceId } = await aDataSource({ connection: { host, port, ...reader } }));
  limits.settleMs = 200;
});

afterAll(async () => {
  await closeSources();
  const service = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await service.unsafe(`drop database ${names.database} with (force)`);
  await service.unsafe(`drop role ${names.reader}`);
  await service.end();
});

async function send<Body>(method: string, path: string, json?: unknown, status = 200): Promise<Body> {
  const answer = await rest(method, path, { cookie, ...(json !== undefined && { json }) });
  expect([answer.status, answer.body]).toEqual([status, answer.body]);
  return answer.body;
}

const executionsOf = (actorId: number) =>
  send<{ items: ActorExecution[] }>("GET", `/ai-actors/${actorId}/executions`).then(({ items }) => items);

async function thePendingPlan(actorId: number): Promise<Plan> {
  for (const { id } of await executionsOf(actorId)) await waitForExecution(id);
  const { items } = await send<{ items: Plan[] }>("GET", `/ai-actors/${actorId}/pending-plans`);
  expect(items).toHaveLength(1);
  return items[0] as Plan;
}

const namesOf = (actions: readonly Action[]) =>
  actions.flatMap((action) => (action.kind === "CreateQuery" ? action.name : []));

test("an actor is set up by the built-in planner, revised, approved, runs, and thinks again", async () => {
  const engine = await startEngine(jobFunctions(), { pollMs: 50 });
  onTestFinished(() => engine.stop());

  const { id } = await send<{ id: number }>(
    "POST",
    "/ai-actors",
    {
      name: "Warehouse watch",
      instructions: "Watch flights",
      wishes: { checks: ["Freshness", "NullRate", "Uniqueness", "Referential"] },
      dataSourceId,
      maxQueries: 6,
    },
    201,
  );
  const first = await thePendingPlan(id);
  expect(first).toMatchObject({
    ...{ trigger: "InitialSetup", version: 1, model: "Built-in planner (no language model)" },
    ...{ tokensUsed: 0, estimatedCost: 0 },
  });
  const created = namesOf(first.actions);
  expect(created.length).toBeGreaterThanOrEqual(2);
  expect(created.length).toBeLessThanOrEqual(6);
  // Its proposals have passed the gates, the engine, and a small run.
  for (const action of first.actions)
    if (action.kind === "CreateQuery") expect(action.evidence).toMatchObject({ valid: true, issues: [] });
  expect(await send("GET", `/ai-actors/${id}`)).toMatchObject({ status: "Active", queries: [] });

  const schedule = { cronExpression: "10 */2 * * *", timezone: "UTC" };
  await send(
    "POST",
    `/ai-actors/plans/${first.id}/request-revision`,
    { feedback: "every 2 hours", wishes: { schedule } },
    202,
  );
  const second = await thePendingPlan(id);
  expect(second).toMatchObject({ version: 2, parentPlanId: first.id, userInstruction: "every 2 hours" });
  expect(namesOf(second.actions)).toEqual(created);
  for (const action of second.actions)
    if (action.kind === "CreateSubscription") expect(action).toMatchObject(schedule);

  const approved = await send<Plan>("POST", `/ai-actors/plans/${second.id}/approve`, {});
  await waitForExecution(approved.executionId ?? 0);
  const executed = await send<Plan>("GET", `/ai-actors/plans/${second.id}`);
  expect(executed.status).toBe("Executed");
  expect(executed.actions.map(({ status, error }) => error ?? status)).toEqual(
    executed.actions.map(() => "Succeeded"),
  );

  const actor = await send<{ subscriptions: { id: number }[]; queries: { id: number }[] }>(
    "GET",
    `/ai-actors/${id}`,
  );
  expect(actor.queries).toHaveLength(created.length);
  const [subscription] = actor.subscriptions;
  const ran = await rest("POST", `/subscriptions/${subscription?.id}/execute`, {
    cookie,
    headers: { prefer: "wait" },
  });
  expect(ran.body.errorMessage).toBeNull();
  // The execution wakes its actor, through the job triggered by every finished execution.
  await engine.idle();
  const [thought] = await executionsOf(id);
  await waitForExecution(thought?.id ?? 0);
  const [cycle] = await executionsOf(id);
  expect(cycle).toMatchObject({ trigger: "SubscriptionExecution", phase: "Completed", requestedBy: null });

  const health = await listHealth(await asAdmin(), {
    ...{ timeRangeDays: 30, page: 0, pageSize: 100, sortBy: "Name" },
  });
  expect(health.items).toHaveLength(actor.subscriptions.length);
  for (const row of health.items)
    expect(row).toMatchObject({ hasAiActor: true, aiActorName: "Warehouse watch" });
}, 180_000);
