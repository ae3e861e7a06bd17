import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { queries } from "../../queries/tables.ts";
import { anActor, aProposal, toCreate, toSubscribe } from "../../test/factories/actors.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { startModelServer } from "../../test/model-server.ts";
import { limits } from "../limits.ts";
import type { Proposal } from "../proposal.ts";
import { thinkNow, waitForExecution } from "./cycles.ts";
import { approvePlan } from "./decide-plan.ts";
import { getPlan, listPendingPlans } from "./load-plans.ts";

/** Actors on a small table of orders; the model is a server whose responses each test defines. */

export const model = await startModelServer();
process.env.OPENAI_BASE_URL = model.url;
process.env.LLM_MODEL = "scripted";
process.env.LLM_PRICE_INPUT = "2";
process.env.LLM_PRICE_OUTPUT = "8";

export let ctx: SignedIn;
export let source: Awaited<ReturnType<typeof aDataSource>>;
const usual = { ...limits };

beforeAll(async () => {
  ctx = await asEditor();
  source = await aDataSource();
  await sql.unsafe("create table orders (id int primary key, customer_id int, minutes_late int)");
  await sql.unsafe("insert into orders values (1, 10, 0), (2, null, 45), (3, 11, 7)");
});

afterEach(() => {
  Object.assign(limits, usual);
});

afterAll(async () => {
  await model.close();
  await closeSources();
});

/** Finds the second order. */
export const late = "select id, minutes_late from orders where minutes_late > 30";

/** An Active actor on the orders. */
export const anOwnActor = (write: Parameters<typeof anActor>[0] = {}) =>
  anActor({ dataSourceId: source.id, ...write }, ctx);

/** Makes an actor think, with a model that returns this proposal. */
export async function think(actorId: number, proposal: Proposal) {
  model.reply({ answer: proposal });
  return thinkNow(ctx, actorId);
}

/** The same; returns the pending plan. */
export async function propose(actorId: number, proposal: Proposal) {
  const execution = await think(actorId, proposal);
  expect(execution).toMatchObject({ phase: "Completed", error: null });
  const [plan] = (await listPendingPlans(ctx, actorId)).items;
  if (!plan) throw new Error("Nothing was proposed");
  return plan;
}

export const twoChecks = aProposal([
  toCreate("Late orders", late),
  toSubscribe("Late orders"),
  toCreate("Orders without customer", "select id from orders where customer_id is null"),
]);

/** Approves a plan, and waits until its actions have run. */
export async function carryOut(planId: number) {
  const approved = await approvePlan(ctx, { id: planId, comment: "Good" });
  await waitForExecution(approved.executionId ?? 0);
  return getPlan(ctx, planId);
}

/** The outcome of each action: its error, or its status. */
export const outcomes = ({ actions }: { actions: { status: string; error: string | null }[] }) =>
  actions.map(({ status, error }) => error ?? status);

export const queriesOf = (actorId: number) =>
  db.select().from(queries).where(eq(queries.ownerActorId, actorId)).orderBy(queries.id);

/** An actor with its own query. */
export async function anActorWithQuery(write: Parameters<typeof anActor>[0] = {}) {
  const actor = await anOwnActor(write);
  await carryOut((await propose(actor.id, aProposal([toCreate("Late orders", late)]))).id);
  const [query] = await queriesOf(actor.id);
  if (!query) throw new Error("The query was not created");
  return { actor, query };
}
