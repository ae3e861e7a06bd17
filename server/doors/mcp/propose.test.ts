import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitForExecution } from "../../actors/service/cycles.ts";
import { approvePlan } from "../../actors/service/decide-plan.ts";
import { actorActions, actors, plans } from "../../actors/tables.ts";
import { auditLog } from "../../audit/tables.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db } from "../../db/client.ts";
import { queries } from "../../queries/tables.ts";
import { anActor, aPlan } from "../../test/factories/actors.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { callTool, mcpClient, startMcp } from "../../test/mcp-client.ts";

/** Assistants may propose, never more. */
let door: Awaited<ReturnType<typeof startMcp>>;
let source: Awaited<ReturnType<typeof aDataSource>>;
let key: Awaited<ReturnType<typeof aKey>>;
let client: Awaited<ReturnType<typeof mcpClient>>;

beforeAll(async () => {
  door = await startMcp();
  source = await aDataSource();
  key = await aKey({ name: "Desk", scopes: ["Execute"], allowedProjectIds: [source.projectId] });
  client = await mcpClient(door.url, key.headers);
});
afterAll(async () => {
  await door.stop();
  await closeSources();
});

const late = {
  kind: "CreateQuery",
  reasoning: "Late orders cost money",
  name: "Late",
  sql: "select 1 as late",
};
const daily = {
  kind: "CreateSubscription",
  reasoning: "Every morning",
  queryName: "Late",
  cronExpression: "0 6 * * *",
};
const propose = (actorId: number, actions: object[], analysis = "Orders come late.\nSince Monday.") =>
  callTool(client, "propose_plan", { actor_id: actorId, analysis, actions });

test("a proposal waits like a plan of the actor, says whose it is, and does what was shown once it is approved", async () => {
  const actor = await anActor({ dataSourceId: source.id, requiresApproval: false });
  const { isError, text, structured } = await propose(actor.id, [late, daily]);
  expect([isError, text]).toEqual([false, expect.stringContaining("Only people can decide on plans")]);
  expect(structured).toEqual({ id: expect.any(Number), actorName: actor.name, status: "PendingApproval" });

  const [plan] = await db
    .select()
    .from(plans)
    .where(eq(plans.id, Number(structured.id)));
  expect(plan).toMatchObject({
    model: expect.stringMatching(/^Assistant with key \d+, Desk \(/),
    version: 1,
  });
  const shown = await callTool(client, "get_plan", { plan_id: structured.id });
  expect(shown.structured).toMatchObject({
    analysis: "Orders come late.\nSince Monday.",
    actions: [
      { kind: "CreateQuery", name: "Late", status: "Proposed", evidence: { valid: true } },
      { kind: "CreateSubscription", queryName: "Late", timezone: "UTC" },
    ],
  });
  expect(await db.$count(queries, eq(queries.name, "Late"))).toBe(0);

  const approved = await approvePlan(await asAdmin(), { id: Number(structured.id) });
  await waitForExecution(approved.executionId ?? 0);
  const actions = await db.select().from(actorActions).where(eq(actorActions.planId, approved.id));
  expect(actions.map(({ status }) => status)).toEqual(["Succeeded", "Succeeded"]);
  expect(await db.$count(queries, eq(queries.name, "Late"))).toBe(1);
});

test("is audited with the key", async () => {
  const actor = await anActor({ dataSourceId: source.id });
  const { structured } = await propose(actor.id, [late]);
  const entries = await db.select().from(auditLog).where(eq(auditLog.action, "actors.proposePlan"));
  expect(entries.at(-1)).toMatchObject({
    ...{ principalKind: "ApiKey", principalId: key.id, objectKind: "plan", objectId: structured.id },
  });
});

test("what a gate stops is said, and nothing waits", async () => {
  const actor = await anActor({ dataSourceId: source.id, maxQueries: 1 });
  const writes = { ...late, name: "Writes", sql: "delete from projects" };
  const unknown = { ...late, name: "Unknown", sql: "select * from nowhere" };
  const { isError, text } = await propose(actor.id, [late, writes, unknown]);
  expect(isError).toBe(true);
  expect(text).toMatch(/^Nothing was proposed, because these actions cannot be done\n/);
  expect(text).toMatch(/- actions\.1: MaxQueries is 1\n/);
  expect(text).toMatch(/- actions\.2: .*nowhere/);
  const missing = await propose(actor.id, [{ kind: "CreateQuery", name: "x" }]);
  expect(missing.text).toMatch(/^The arguments are not valid\n- actions\.0\.reasoning: /);
  expect((await propose(actor.id, [])).text).toContain("needs at least one action");
  expect((await propose(actor.id, [{ kind: "DropTable", reasoning: "No" }])).isError).toBe(true);
  expect(
    (await propose(actor.id, [{ kind: "ArchiveQuery", reasoning: "No", queryId: 2_000_000 }])).text,
  ).toContain("Query 2000000 does not belong to this actor");
  expect(await db.$count(plans, eq(plans.actorId, actor.id))).toBe(0);
});

test("replaces its own proposal, but pushes nobody's plan aside", async () => {
  const actor = await anActor({ dataSourceId: source.id });
  const first = await propose(actor.id, [late]);
  const second = await propose(actor.id, [daily, late].slice(1), "Again");
  expect(second.isError).toBe(false);
  const [replaced] = await db
    .select()
    .from(plans)
    .where(eq(plans.id, Number(first.structured.id)));
  expect(replaced).toMatchObject({ status: "Expired", expiredReason: "A newer plan was proposed" });
  const other = await mcpClient(door.url, (await aKey({ scopes: ["Execute"] })).headers);
  const refused = await callTool(other, "propose_plan", {
    ...{ actor_id: actor.id, analysis: "Mine", actions: [late], project_id: source.projectId },
  });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("waits for a decision") });
  const busy = await anActor({ dataSourceId: source.id });
  await aPlan(busy.id);
  expect((await propose(busy.id, [late])).text).toContain("see list_pending_plans");
});

test("only for an active actor that the key may see", async () => {
  const paused = await anActor({ dataSourceId: source.id });
  await db.update(actors).set({ status: "Paused" }).where(eq(actors.id, paused.id));
  expect((await propose(paused.id, [late])).text).toBe("Actor is not active");
  const elsewhere = await anActor({ dataSourceId: (await aDataSource()).id });
  expect((await propose(elsewhere.id, [late])).text).toBe("AI actor not found");
});

test("a person is asked first by a client that can, and yes counts for what was shown", async () => {
  const actor = await anActor({ dataSourceId: source.id });
  const args = { actor_id: actor.id, analysis: "Orders come late", actions: [late] };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const ask = async (given: object, extra: object = {}, headers = key.headers) => {
    const params = { name: "propose_plan", arguments: given, _meta: meta, ...extra };
    const answer = await fetch(door.url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        ...{ "mcp-method": "tools/call", "mcp-name": "propose_plan" },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    return (await answer.json()) as { result: Record<string, unknown>; error?: { code: number } };
  };
  const asked = (await ask(args)).result;
  expect(asked).toMatchObject({
    resultType: "input_required",
    inputRequests: {
      confirm: { params: { message: expect.stringMatching(/^Propose this plan\?.*\n- CreateQuery: Late$/) } },
    },
    requestState: expect.any(String),
  });
  const { requestState } = asked;
  const answered = (confirm: boolean, given: object = args, state: unknown = requestState) =>
    ask(given, {
      requestState: state,
      inputResponses: { confirm: { action: "accept", content: { confirm } } },
    });
  // Without the state, or for other actions, it is asked again.
  expect(
    (await ask(args, { inputResponses: { confirm: { action: "accept", content: { confirm: true } } } }))
      .result,
  ).toMatchObject({ resultType: "input_required" });
  const changed = { ...args, actions: [{ ...late, sql: "select 2 as late" }] };
  expect((await answered(true, changed)).result).toMatchObject({ resultType: "input_required" });
  expect((await answered(true, args, `${requestState}x`)).error).toMatchObject({ code: -32602 });
  const other = await aKey({ scopes: ["Execute"], allowedProjectIds: [source.projectId] });
  expect((await ask(args, { requestState }, other.headers)).error).toMatchObject({ code: -32602 });
  expect((await answered(false)).result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("The user declined") }],
  });
  expect(await db.$count(plans, eq(plans.actorId, actor.id))).toBe(0);
  expect((await answered(true)).result).toMatchObject({
    resultType: "complete",
    structuredContent: { status: "PendingApproval" },
  });
  // What will be refused anyway is not worth a question.
  expect((await ask({ ...args, actions: [] })).result).toMatchObject({ isError: true });
});
