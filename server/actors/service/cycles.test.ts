import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { tableKey } from "../../profile/service/profile-tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { aProposal } from "../../test/factories/actors.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { limits } from "../limits.ts";
import { createActorInput } from "../schema.ts";
import { actorActions, actorExecutions, actors, actorWakes, modelCalls, plans } from "../tables.ts";
import { createActor, getActor, pauseActor, resumeActor } from "./actors.ts";
import { recoverActorExecutions, refineNow, startThinking, waitForExecution, wakeActor } from "./cycles.ts";
import { approvePlan } from "./decide-plan.ts";
import { getActorExecution } from "./load-executions.ts";
import { getPlan, listPendingPlans } from "./load-plans.ts";
import {
  anActorWithQuery,
  anOwnActor,
  ctx,
  model,
  outcomes,
  propose,
  queriesOf,
  source,
  think,
  twoChecks,
} from "./scripted-model.fixture.ts";

describe("an actor", () => {
  test("that is to be activated immediately is set up in the background, and waits with its plan", async () => {
    model.reply({ answer: twoChecks });
    const actor = await createActor(
      ctx,
      createActorInput.parse({ name: "New", instructions: "Watch", dataSourceId: source.id }),
    );
    expect(actor).toMatchObject({ status: "Draft", currentExecution: { trigger: "InitialSetup" } });
    await waitForExecution(actor.currentExecution?.id ?? 0);
    expect(await getActor(ctx, actor.id)).toMatchObject({
      status: "Active",
      pendingPlanCount: 1,
      thinkCount: 1,
    });
    expect((await listPendingPlans(ctx, actor.id)).items[0]).toMatchObject({ trigger: "InitialSetup" });
  });

  test("whose setup fails says why, and is set up again when resumed", async () => {
    model.reply({ refusal: "I will not" });
    const actor = await createActor(
      ctx,
      createActorInput.parse({ name: "New", instructions: "Watch", dataSourceId: source.id }),
    );
    await waitForExecution(actor.currentExecution?.id ?? 0);
    const failed = await getActor(ctx, actor.id);
    expect(failed).toMatchObject({ status: "Failed", lastError: expect.stringMatching(/refused/i) });
    model.reply({ answer: twoChecks });
    const resumed = await resumeActor(ctx, actor.id);
    expect(resumed).toMatchObject({
      ...{ status: "Active", lastError: null, currentExecution: { trigger: "InitialSetup" } },
    });
    await waitForExecution(resumed.currentExecution?.id ?? 0);
    expect(await getActor(ctx, actor.id)).toMatchObject({ status: "Active", pendingPlanCount: 1 });
  });

  test("that is not Active thinks for nobody", async () => {
    for (const status of ["Draft", "Paused", "Failed"] as const) {
      const actor = await anOwnActor({ status });
      for (const start of [
        () => startThinking(ctx, actor.id),
        () => refineNow(ctx, { id: actor.id, feedback: "More" }),
      ])
        await expect(start()).rejects.toMatchObject({ code: "conflict", detail: "Actor is not active" });
      await wakeActor(actor.id, 1);
      expect(await db.$count(actorExecutions, eq(actorExecutions.actorId, actor.id))).toBe(0);
    }
  });

  test("that is paused while thinking proposes nothing, which is not a failure", async () => {
    const actor = await anOwnActor();
    const asked = model.asked(model.requests.length + 1);
    const { executionId } = await startThinking(ctx, actor.id);
    await asked;
    await pauseActor(ctx, actor.id);
    expect(await pauseActor(ctx, actor.id)).toMatchObject({ status: "Paused" });
    model.reply({ answer: twoChecks });
    await waitForExecution(executionId);
    expect(await getActorExecution(ctx, executionId)).toMatchObject({
      phase: "Failed",
      error: "The actor was paused",
    });
    expect(await getActor(ctx, actor.id)).toMatchObject({
      status: "Paused",
      lastError: null,
      pendingPlanCount: 0,
    });
  });

  test("joins a cycle in progress", async () => {
    const actor = await anOwnActor();
    const [one, two] = await Promise.all([startThinking(ctx, actor.id), startThinking(ctx, actor.id)]);
    expect(two).toEqual(one);
    model.reply({ answer: aProposal() });
    await waitForExecution(one.executionId);
    expect(await getActorExecution(ctx, one.executionId)).toMatchObject({
      ...{ phase: "Completed", planId: null, decisionSummary: "Watch for late orders" },
      phaseTimes: [
        { phase: "Analyzing" },
        { phase: "Planning" },
        { phase: "Notifying" },
        { phase: "Completed" },
      ],
    });
  });

  test("remembers which tables it has seen", async () => {
    const actor = await anOwnActor();
    await think(actor.id, aProposal());
    const [stored] = await db.select().from(actors).where(eq(actors.id, actor.id));
    expect(stored?.seenTables).toContain(tableKey("public", "orders"));
    expect(stored?.seenTables).not.toContain(tableKey("public", "returns"));
  });

  test("is told what contracts say of their tables", async () => {
    const actor = await anOwnActor();
    const before = model.requests.length;
    await aContract({
      dataSourceId: actor.dataSourceId,
      tableName: "orders",
      context: "Totals are in cents.",
    });
    await think(actor.id, aProposal());
    expect(JSON.stringify(model.requests[before]?.body)).toContain("Totals are in cents.");
  });

  test("reads people's messages, and proposes what follows from them", async () => {
    const actor = await anOwnActor();
    const before = model.requests.length;
    model.reply({ answer: twoChecks });
    const execution = await refineNow(ctx, { id: actor.id, feedback: "Please watch late orders" });
    expect(execution).toMatchObject({
      ...{ trigger: "UserInstruction", phase: "Completed", requestedBy: { id: ctx.principal.userId } },
    });
    expect(JSON.stringify(model.requests[before]?.body)).toContain("Please watch late orders");
    const { conversation } = await getActor(ctx, actor.id);
    expect(conversation.map(({ role, text }) => [role, text])).toEqual([
      ["Person", "Please watch late orders"],
      ["Actor", "Watch for late orders"],
    ]);
    expect((await listPendingPlans(ctx, actor.id)).items[0]).toMatchObject({
      ...{ trigger: "UserInstruction", userInstruction: "Please watch late orders" },
    });
  });

  test("without approval does what it decides immediately, and makes no plan", async () => {
    const actor = await anOwnActor({ requiresApproval: false });
    const execution = await think(actor.id, twoChecks);
    expect(execution).toMatchObject({ phase: "Completed", planId: null });
    expect(outcomes(execution)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
    expect(execution.phaseTimes.map(({ phase }) => phase)).toEqual([
      ...["Analyzing", "Planning", "Executing", "Notifying", "Completed"],
    ]);
    expect(await db.$count(plans, eq(plans.actorId, actor.id))).toBe(0);
    expect(await queriesOf(actor.id)).toHaveLength(2);
  });

  test("whose budget is used up says so, and does not think", async () => {
    const actor = await anOwnActor({ monthlyBudget: { tokens: 1000 } });
    await think(actor.id, aProposal());
    expect(await getActor(ctx, actor.id)).toMatchObject({ budgetExhausted: true, status: "Active" });
    await expect(startThinking(ctx, actor.id)).rejects.toMatchObject({
      ...{ code: "conflict", detail: "The monthly budget of 1,000 tokens is used up" },
    });
    await wakeActor(actor.id, 1);
    expect(await db.$count(actorWakes, eq(actorWakes.actorId, actor.id))).toBe(0);
  });
});

describe("executions of its subscriptions", () => {
  const cyclesOf = (actorId: number) =>
    db.select().from(actorExecutions).where(eq(actorExecutions.actorId, actorId)).orderBy(actorExecutions.id);

  test("that finish together share one cycle; those that finish while it thinks get the next", async () => {
    const { actor, query } = await anActorWithQuery();
    const subscription = await aSubscription({ query }, ctx);
    const ended = await Promise.all(
      Array.from({ length: 4 }, () => anExecution({ subscriptionId: subscription.id })),
    );
    const [a = 0, b = 0, c = 0, d = 0] = ended;
    limits.settleMs = 300;
    const count = model.requests.length;
    await Promise.all([a, b, c, a].map((id) => wakeActor(actor.id, id)));
    await model.asked(count + 1);
    await wakeActor(actor.id, d);
    model.reply({ answer: aProposal() }, { answer: aProposal() });
    const wakesOf = (cycleId: number) => db.$count(actorWakes, eq(actorWakes.cycleId, cycleId));
    const [, , first] = await cyclesOf(actor.id);
    await waitForExecution(first?.id ?? 0);
    const [, , , second] = await cyclesOf(actor.id);
    await waitForExecution(second?.id ?? 0);
    expect(await wakesOf(first?.id ?? 0)).toBe(3);
    expect(await wakesOf(second?.id ?? 0)).toBe(1);
    expect(await cyclesOf(actor.id)).toHaveLength(4);
    expect(model.requests.length).toBe(count + 2);
  });
});

describe("a process that dies", () => {
  /** The state after its process died: the lease has expired, and its worker is unaware of it. */
  const abandon = (id: number) =>
    db
      .update(actorExecutions)
      .set({ leaseToken: crypto.randomUUID(), leaseUntil: new Date(0) })
      .where(eq(actorExecutions.id, id));

  test("after the model has answered does not ask it again", async () => {
    const actor = await anOwnActor();
    const [cycle] = await db
      .insert(actorExecutions)
      .values({
        ...{ actorId: actor.id, kind: "ThinkCycle", trigger: "SubscriptionExecution", phase: "Planning" },
        ...{ phaseTimes: [], requestedById: ctx.principal.userId, leaseUntil: new Date(0), attempts: 1 },
      })
      .returning();
    await db.insert(modelCalls).values({
      ...{ actorId: actor.id, executionId: cycle?.id ?? 0, step: "propose", model: "scripted" },
      ...{ askedAt: new Date(), answeredAt: new Date(), inputTokens: 5, outputTokens: 5, cost: 0.1 },
      answer: twoChecks,
    });
    const before = model.requests.length;
    await recoverActorExecutions();
    expect(model.requests.length).toBe(before);
    expect((await listPendingPlans(ctx, actor.id)).items).toHaveLength(1);
  });

  test("between two actions omits none and repeats none", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    const approved = await approvePlan(ctx, { id: plan.id });
    // It dies right after the first action: a worker that is still alive can no longer write.
    for (;;) {
      const [first] = await db
        .select()
        .from(actorActions)
        .where(and(eq(actorActions.planId, plan.id), eq(actorActions.index, 0)));
      if (first?.status !== "Proposed") break;
    }
    await abandon(approved.executionId ?? 0);
    await recoverActorExecutions();
    await waitForExecution(approved.executionId ?? 0);
    const executed = await getPlan(ctx, plan.id);
    expect(executed.status).toBe("Executed");
    expect(outcomes(executed)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
    expect((await queriesOf(actor.id)).map(({ name }) => name)).toEqual([
      ...["Late orders", "Orders without customer"],
    ]);
    expect(await db.$count(subscriptions, eq(subscriptions.aiActorId, actor.id))).toBe(1);
  });

  test("repeatedly is given up, and says so", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    await db.update(plans).set({ status: "Executing" }).where(eq(plans.id, plan.id));
    const [run] = await db
      .insert(actorExecutions)
      .values({
        ...{
          actorId: actor.id,
          kind: "PlanRun",
          trigger: "InitialSetup",
          phase: "Executing",
          phaseTimes: [],
        },
        ...{ runPlanId: plan.id, leaseUntil: new Date(0), attempts: limits.maxAttempts },
      })
      .returning();
    await recoverActorExecutions();
    expect(await getActorExecution(ctx, run?.id ?? 0)).toMatchObject({
      ...{ phase: "Failed", error: "The execution was interrupted 3 times" },
    });
    expect((await getPlan(ctx, plan.id)).status).toBe("Rejected");
    expect(await queriesOf(actor.id)).toEqual([]);
  });
});
