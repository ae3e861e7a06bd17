import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { db, sql } from "../../db/client.ts";
import { createRecipient } from "../../notifications/service/recipients.ts";
import { archiveQuery } from "../../queries/service/archive.ts";
import { setLocked } from "../../queries/service/lock.ts";
import { getQuery } from "../../queries/service/queries.ts";
import { updateQuery } from "../../queries/service/save-query.ts";
import { updateSettings } from "../../settings/service.ts";
import { executeNow } from "../../subscriptions/service/execute.ts";
import { getSubscription } from "../../subscriptions/service/subscriptions.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { aProposal, toCreate, toRefine, toSubscribe } from "../../test/factories/actors.ts";
import { limits } from "../limits.ts";
import { actorActions, actors } from "../tables.ts";
import { noWishes } from "../wishes.ts";
import { archiveActor, getActor } from "./actors.ts";
import { thinkNow, waitForExecution } from "./cycles.ts";
import { approvePlan, rejectPlan, requestRevision } from "./decide-plan.ts";
import { expireStalePlans } from "./expire-plans.ts";
import { getActorExecution, listActorExecutions } from "./load-executions.ts";
import { getPlan, listPendingPlans, listPlanVersions } from "./load-plans.ts";
import {
  anActorWithQuery,
  anOwnActor,
  carryOut,
  ctx,
  late,
  model,
  outcomes,
  propose,
  queriesOf,
  source,
  twoChecks,
} from "./scripted-model.fixture.ts";

describe("a plan", () => {
  test("shows its proposals with their evidence, and nothing is done before approval", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    expect(plan).toMatchObject({
      ...{ status: "PendingApproval", version: 1, parentPlanId: null, trigger: "SubscriptionExecution" },
      ...{ analysis: "Orders can be **late**.", keyFindings: ["3 of 40 orders are late"], model: "scripted" },
      // 1,000 tokens at $2 and 200 at $8, per million.
      ...{ tokensUsed: 1200, estimatedCost: 0.0036 },
    });
    expect(plan.actions[0]).toMatchObject({
      ...{ index: 0, kind: "CreateQuery", status: "Proposed", name: "Late orders", sql: late },
      evidence: { valid: true, issues: [], rows: [[2, 45]] },
    });
    expect(plan.actions[1]).not.toHaveProperty("evidence");
    expect(await queriesOf(actor.id)).toEqual([]);
    expect(await getActor(ctx, actor.id)).toMatchObject({
      ...{ totalTokensUsed: 1200, totalCost: 0.0036, thinkCount: 1, pendingPlanCount: 1 },
    });
  });

  test("that is approved runs exactly what was shown, action by action", async () => {
    const recipient = await createRecipient(ctx, {
      ...{ projectId: source.projectId, name: "Desk", type: "Email", destination: "desk@example.com" },
    });
    const actor = await anOwnActor({ defaultRecipientIds: [recipient.id] });
    const plan = await propose(actor.id, twoChecks);
    const approved = await approvePlan(ctx, { id: plan.id, comment: " Good " });
    expect(approved).toMatchObject({
      ...{ status: "Executing", decisionReason: "Good", reviewer: { id: ctx.principal.userId } },
    });
    await waitForExecution(approved.executionId ?? 0);
    const executed = await getPlan(ctx, plan.id);
    expect(executed.status).toBe("Executed");
    expect(outcomes(executed)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
    const made = await queriesOf(actor.id);
    expect(made.map(({ name, createdById }) => [name, createdById])).toEqual([
      ["Late orders", ctx.principal.userId],
      ["Orders without customer", ctx.principal.userId],
    ]);
    const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.aiActorId, actor.id));
    expect(subscription).toMatchObject({
      queryId: made[0]?.id,
      cronExpression: "0 6 * * *",
      timezone: "UTC",
    });
    expect(executed.actions[1]).toMatchObject({
      result: { queryId: made[0]?.id, subscriptionId: subscription?.id },
    });
    const run = await getActorExecution(ctx, approved.executionId ?? 0);
    expect(run).toMatchObject({ kind: "PlanRun", planId: plan.id, phase: "Completed", tokensUsed: 0 });
    expect(run.actions).toHaveLength(3);
  });

  test("can be approved in part: the rest is declined with the reason, and the actor reads why", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    const approved = await approvePlan(ctx, {
      ...{ id: plan.id, comment: "The first is fine", actions: [1, 0], declineReason: " Found elsewhere " },
    });
    expect(approved).toMatchObject({ status: "Executing", decisionReason: "The first is fine" });
    await waitForExecution(approved.executionId ?? 0);
    const executed = await getPlan(ctx, plan.id);
    expect(executed.status).toBe("Executed");
    expect(executed.actions).toMatchObject([
      { status: "Succeeded" },
      { status: "Succeeded" },
      { status: "Declined", error: "Found elsewhere" },
    ]);
    expect((await queriesOf(actor.id)).map(({ name }) => name)).toEqual(["Late orders"]);
    const run = await getActorExecution(ctx, approved.executionId ?? 0);
    expect(run.decisionSummary).toBe("2 of 2 actions succeeded");
    const said = (await getActor(ctx, actor.id)).conversation.findLast(({ role }) => role === "Person");
    expect(said?.text).toBe(
      "Approved 2 of 3 actions. Declined create query “Orders without customer”: Found elsewhere",
    );
  });

  test("cannot be approved in part without what a part needs, nor without a reason; it stays pending", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    const refused = async (actions: number[], declineReason: string | null, error: object) => {
      await expect(approvePlan(ctx, { id: plan.id, actions, declineReason })).rejects.toMatchObject({
        ...{ code: "invalid", more: { errors: [error] } },
      });
      const { status, actions: shown } = await getPlan(ctx, plan.id);
      expect([status, ...shown.map((action) => action.status)]).toEqual([
        "PendingApproval",
        ...["Proposed", "Proposed", "Proposed"],
      ]);
    };
    await refused([2, 1], "No", {
      path: "actions.1",
      message: "needs action 0, create query “Late orders”, which is left out",
    });
    await refused([0, 3], "No", { path: "actions.1", message: "is not an action of this plan" });
    await refused([0], "  ", { path: "declineReason", message: "is required if actions are left out" });
    // All of them by name are the whole plan, for which nobody has to give a reason.
    const whole = await approvePlan(ctx, { id: plan.id, actions: [0, 1, 2] });
    await waitForExecution(whole.executionId ?? 0);
    expect((await getPlan(ctx, plan.id)).actions.map(({ status }) => status)).toEqual([
      ...["Succeeded", "Succeeded", "Succeeded"],
    ]);
  });

  test("cannot be approved in part if a part needs the place that another action frees", async () => {
    const { actor, query } = await anActorWithQuery({ maxQueries: 1 });
    const archive = { kind: "ArchiveQuery" as const, queryId: query.id, reasoning: "No longer needed" };
    const plan = await propose(actor.id, aProposal([archive, toCreate("Late again", late)]));
    await expect(
      approvePlan(ctx, { id: plan.id, actions: [1], declineReason: "Keep it" }),
    ).rejects.toMatchObject({
      code: "invalid",
      more: {
        errors: [{ path: "actions.0", message: "cannot run without what is left out: MaxQueries is 1" }],
      },
    });
    expect((await getPlan(ctx, plan.id)).status).toBe("PendingApproval");
  });

  test("that is rejected runs nothing, and cannot be decided again", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    expect(await rejectPlan(ctx, { id: plan.id, reason: "Too much" })).toMatchObject({
      ...{ status: "Rejected", decisionReason: "Too much" },
    });
    for (const decide of [
      () => approvePlan(ctx, { id: plan.id }),
      () => rejectPlan(ctx, { id: plan.id, reason: "Again" }),
      () => requestRevision(ctx, { id: plan.id, feedback: "Less" }),
    ])
      await expect(decide()).rejects.toMatchObject({
        ...{ code: "conflict", detail: "Plan is not pending approval" },
      });
    expect(await queriesOf(actor.id)).toEqual([]);
  });

  test("that is sent back returns as the next version, made with the feedback", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    model.reply({ answer: aProposal([toCreate("Very late orders", late)]) });
    const before = model.requests.length;
    const wishes = { ...noWishes, checks: ["Range" as const], leaveOut: [1] };
    const sentBack = await requestRevision(ctx, {
      ...{ id: plan.id, feedback: "Only those over half an hour", wishes },
    });
    expect(sentBack.status).toBe("RevisionRequested");
    const [cycle] = (await listActorExecutions(ctx, { id: actor.id, page: 0, pageSize: 1 })).items;
    await waitForExecution(cycle?.id ?? 0);
    const [next] = (await listPendingPlans(ctx, actor.id)).items;
    expect(next).toMatchObject({
      ...{ version: 2, parentPlanId: plan.id, userInstruction: "Only those over half an hour" },
      actions: [{ kind: "CreateQuery", name: "Very late orders" }],
    });
    const asked = JSON.stringify(model.requests[before]?.body);
    for (const told of ["Only those over half an hour", "what was chosen", "onlyChecks", "leaveOut"])
      expect(asked).toContain(told);
    expect((await getActorExecution(ctx, cycle?.id ?? 0)).wishes).toEqual(wishes);
    expect((await listPlanVersions(ctx, plan.id)).items.map(({ version }) => version)).toEqual([1, 2]);
    expect((await getPlan(ctx, plan.id)).status).toBe("RevisionRequested");
  });

  test("goes back to the model once if its evidence fails, and is then shown as failing", async () => {
    const actor = await anOwnActor();
    const broken = aProposal([toCreate("Broken", "select nothing from orders"), toCreate("Late", late)]);
    const before = model.requests.length;
    model.reply({ answer: broken }, { answer: broken });
    await thinkNow(ctx, actor.id);
    expect(model.requests.length - before).toBe(2);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(
      'column \\\\\\"nothing\\\\\\" does not exist',
    );
    const [plan] = (await listPendingPlans(ctx, actor.id)).items;
    expect(plan?.actions.map(({ evidence }) => evidence?.valid)).toEqual([false, true]);
    expect(plan?.tokensUsed).toBe(2400);
    const executed = await carryOut(plan?.id ?? 0);
    expect(outcomes(executed)).toEqual([
      expect.stringMatching(/^The SQL was refused: .*nothing/),
      "Succeeded",
    ]);
    expect(executed.status).toBe("Executed");
  });

  test("with a stored action that was tampered with does not run that action", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, twoChecks);
    const tampered = toCreate("Late orders", "select * from orders");
    await db
      .update(actorActions)
      .set({ proposed: tampered })
      .where(and(eq(actorActions.planId, plan.id), eq(actorActions.index, 0)));
    expect(outcomes(await carryOut(plan.id))).toEqual([
      ...[
        "The action differs from the one that was approved",
        "The query Late orders was not created",
        "Succeeded",
      ],
    ]);
  });

  test("is decided once: of twenty concurrent decisions one wins", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, aProposal([toCreate("Late orders", late)]));
    const decisions = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => {
        if (n % 3 === 0) return approvePlan(ctx, { id: plan.id });
        if (n % 3 === 1) return rejectPlan(ctx, { id: plan.id, reason: "No" });
        return requestRevision(ctx, { id: plan.id, feedback: "Other" });
      }),
    );
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const decision of decisions)
      if (decision.status === "rejected")
        expect(decision.reason).toMatchObject({ detail: "Plan is not pending approval" });
    const { status } = await getPlan(ctx, plan.id);
    if (status === "RevisionRequested") model.reply({ answer: aProposal([toCreate("Other", late)]) });
    const { items } = await listActorExecutions(ctx, { id: actor.id, page: 0, pageSize: 9 });
    for (const { id } of items) await waitForExecution(id);
    // The cycle that proposed it, and at most one execution started by a decision.
    expect(items).toHaveLength(status === "Rejected" ? 1 : 2);
  });
});

const narrower = `${late} and customer_id is not null`;

describe("a plan to refine", () => {
  test("shows the active SQL next to the proposed one, and creates a version", async () => {
    const { actor, query } = await anActorWithQuery();
    const plan = await propose(actor.id, aProposal([toRefine(query.id, narrower)]));
    expect(plan.actions[0]).toMatchObject({
      ...{ kind: "RefineQuery", queryName: "Late orders", currentSql: late, proposedSql: narrower },
      isLocked: false,
    });
    expect(outcomes(await carryOut(plan.id))).toEqual(["Succeeded"]);
    expect(await getQuery(ctx, query.id)).toMatchObject({ activeVersion: 2, steps: [{ sql: narrower }] });
  });

  test("skips an action on a query that was locked meanwhile, and runs the others", async () => {
    const { actor, query } = await anActorWithQuery();
    const plan = await propose(
      actor.id,
      aProposal([toRefine(query.id, narrower), toCreate("More", late), toSubscribe("More")]),
    );
    await setLocked(ctx, query.id, true);
    expect((await getPlan(ctx, plan.id)).actions[0]).toMatchObject({ isLocked: true });
    const executed = await carryOut(plan.id);
    expect(executed.status).toBe("Executed");
    expect(outcomes(executed)).toEqual(["Query is locked", "Succeeded", "Succeeded"]);
  });

  test("expires if the query got another version meanwhile, whoever notices first", async () => {
    const { actor, query } = await anActorWithQuery();
    const plan = await propose(actor.id, aProposal([toRefine(query.id, narrower)]));
    const { name, steps } = await getQuery(ctx, query.id);
    const [step] = steps;
    await updateQuery(ctx, {
      ...{ id: query.id, name, steps: [{ name: step?.name, dataSourceId: source.id, sql: "select 1" }] },
    });
    await expect(approvePlan(ctx, { id: plan.id })).rejects.toMatchObject({
      ...{ code: "conflict", detail: "Plan is not pending approval" },
    });
    expect(await getPlan(ctx, plan.id)).toMatchObject({
      ...{ status: "Expired", expiredReason: "The query Late orders has a new active version" },
    });
    expect((await getQuery(ctx, query.id)).activeVersion).toBe(2);
  });

  test("under the approval workflow creates a pending version", async () => {
    const { actor, query } = await anActorWithQuery();
    const plan = await propose(actor.id, aProposal([toRefine(query.id, narrower)]));
    await updateSettings(ctx, { approvalWorkflow: true, fourEyes: false });
    const executed = await carryOut(plan.id);
    await updateSettings(ctx, { approvalWorkflow: false, fourEyes: false });
    expect(executed.actions[0]).toMatchObject({ status: "Succeeded", result: { pendingVersion: 2 } });
    expect(await getQuery(ctx, query.id)).toMatchObject({ activeVersion: 1, pendingVersion: 2 });
  });
});

describe("under the approval workflow", () => {
  beforeEach(() => updateSettings(ctx, { approvalWorkflow: true, fourEyes: false }));
  afterEach(() => updateSettings(ctx, { approvalWorkflow: false, fourEyes: false }));

  test("a new query with a subscription is created, and its first run waits for an Admin", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, aProposal([toCreate("Late", late), toSubscribe("Late")]));
    const executed = await carryOut(plan.id);
    expect(outcomes(executed)).toEqual(["Succeeded", "Succeeded"]);
    const subscriptionId = executed.actions[1]?.result?.subscriptionId ?? 0;
    expect(await getSubscription(ctx, subscriptionId)).toMatchObject({ approval: { status: "Pending" } });
    await expect(executeNow(ctx, subscriptionId)).rejects.toMatchObject({ code: "conflict" });
  });

  test("archiving a query with its subscription waits for an Admin", async () => {
    const { actor, query } = await anActorWithQuery();
    const subscribing = await propose(actor.id, aProposal([toSubscribe(query.id)]));
    await carryOut(subscribing.id);
    const archiving = aProposal([{ kind: "ArchiveQuery", queryId: query.id, reasoning: "No longer needed" }]);
    const executed = await carryOut((await propose(actor.id, archiving)).id);
    expect(executed.actions[0]).toMatchObject({
      status: "Succeeded",
      result: { queryId: query.id, approvalId: expect.any(Number) },
    });
    expect(await getQuery(ctx, query.id)).toMatchObject({ subscriptionCount: 1 });
  });
});

describe("a plan expires", () => {
  test("when a query it involves is archived", async () => {
    const { actor, query } = await anActorWithQuery();
    const plan = await propose(actor.id, aProposal([toSubscribe(query.id)]));
    await archiveQuery(ctx, { id: query.id });
    await expireStalePlans({ actorId: actor.id });
    expect(await getPlan(ctx, plan.id)).toMatchObject({
      ...{ status: "Expired", expiredReason: "The query Late orders was archived" },
    });
  });

  test("when a table that its SQL reads has changed, but not when another has", async () => {
    await sql.unsafe("create table parcels (id int)");
    const actor = await anOwnActor();
    const sqlText = "select id from parcels where id is null";
    const plan = await propose(actor.id, aProposal([toCreate("Parcels", sqlText)]));
    await sql.unsafe("create table unrelated (id int)");
    await refreshSchema(ctx, source.id);
    await expireStalePlans({ dataSourceId: source.id });
    expect((await getPlan(ctx, plan.id)).status).toBe("PendingApproval");
    await sql.unsafe("alter table parcels add column weight int");
    // Nobody has read the schema since; the decision does.
    limits.schemaAgeMs = -1;
    await expect(approvePlan(ctx, { id: plan.id })).rejects.toMatchObject({
      detail: "Plan is not pending approval",
    });
    expect(await getPlan(ctx, plan.id)).toMatchObject({
      ...{ status: "Expired", expiredReason: "The data source's schema has changed" },
    });
  });

  test("when its actor proposes another plan, or is archived", async () => {
    const actor = await anOwnActor();
    const first = await propose(actor.id, twoChecks);
    const second = await propose(actor.id, aProposal([toCreate("Other", late)]));
    expect(await getPlan(ctx, first.id)).toMatchObject({
      ...{ status: "Expired", expiredReason: "A newer plan was proposed" },
    });
    await archiveActor(ctx, actor.id);
    expect(await getPlan(ctx, second.id)).toMatchObject({
      ...{ status: "Expired", expiredReason: "The actor was archived" },
    });
    await expect(getActor(ctx, actor.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(approvePlan(ctx, { id: second.id })).rejects.toMatchObject({
      detail: "Plan is not pending approval",
    });
  });
});

test("an unexpected error ends the plan as Rejected, and its execution as Failed", async () => {
  const actor = await anOwnActor();
  const plan = await propose(actor.id, twoChecks);
  await sql.unsafe(`
    create function refuse_names() returns trigger language plpgsql as
      $$ begin if new.name = 'Orders without customer' then raise exception 'boom'; end if; return new; end $$;
    create trigger refuse_names before insert on queries for each row execute function refuse_names()`);
  const executed = await carryOut(plan.id).finally(() =>
    sql.unsafe("drop trigger refuse_names on queries; drop function refuse_names()"),
  );
  expect(executed.status).toBe("Rejected");
  expect(outcomes(executed)).toEqual(["Succeeded", "Succeeded", "Proposed"]);
  expect(await getActorExecution(ctx, executed.executionId ?? 0)).toMatchObject({
    ...{ phase: "Failed", error: expect.not.stringContaining("boom") },
  });
  expect((await db.select().from(actors).where(eq(actors.id, actor.id)))[0]?.status).toBe("Active");
});
