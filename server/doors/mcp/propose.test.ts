import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForExecution } from "../../actors/service/cycles.ts";
import { approvePlan } from "../../actors/service/decide-plan.ts";
import { actorActions, actors, plans } from "../../actors/tables.ts";
import { auditLog } from "../../audit/tables.ts";
import { getContract } from "../../data-quality/service/contracts.ts";
import { contracts } from "../../data-quality/tables.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db } from "../../db/client.ts";
import { findings } from "../../findings/tables.ts";
import { queries } from "../../queries/tables.ts";
import { managedThings } from "../../stacks/tables.ts";
import { anActor, aPlan } from "../../test/factories/actors.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aFinding } from "../../test/factories/findings.ts";
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

describe("contracts and rules", () => {
  const rules = [
    { name: "There are projects", type: "Volume", configuration: { minRows: 1 } },
    { name: "No project", type: "Volume", severity: "High", configuration: { maxRows: 0 } },
  ];
  const contract = {
    ...{ kind: "CreateContract", reasoning: "Nobody watches it", name: "Projects", schemaName: "public" },
    ...{ tableName: "projects", cronExpression: "0 6 * * *", rules },
  };
  const decide = async (planId: unknown) => {
    const approved = await approvePlan(await asAdmin(), { id: Number(planId) });
    await waitForExecution(approved.executionId ?? 0);
    return db
      .select()
      .from(actorActions)
      .where(eq(actorActions.planId, approved.id))
      .orderBy(asc(actorActions.index));
  };

  test("are shown in words, with what each rule says today, and are there once a person approves", async () => {
    const actor = await anActor({ dataSourceId: source.id, requiresApproval: false });
    const { isError, text, structured } = await propose(actor.id, [contract]);
    expect([isError, text]).toEqual([
      false,
      expect.stringContaining("CreateContract: Projects, of public.projects [Proposed]"),
    ]);
    expect(text).toContain("   - There are projects: The table has at least 1 row");
    expect(text).toContain("Evidence: There are projects passes, 100; No project fails, 0");
    const shown = await callTool(client, "get_plan", { plan_id: structured.id });
    expect(shown.structured.actions).toMatchObject([
      {
        kind: "CreateContract",
        rules: [{ name: "There are projects", type: "Volume", findingId: null }, { name: "No project" }],
        evidence: { valid: true, issues: [], rules: [{ passed: true }, { passed: false, score: 0 }] },
      },
    ]);
    const isNew = eq(contracts.dataSourceId, source.id);
    expect(await db.$count(contracts, isNew)).toBe(0);

    const [action] = await decide(structured.id);
    const [made] = await db.select().from(contracts).where(isNew);
    expect(action).toMatchObject({ status: "Succeeded", result: { contractId: made?.id } });
    expect(made).toMatchObject({ name: "Projects", tableName: "projects", cronExpression: "0 6 * * *" });
    const [entry] = await db.select().from(auditLog).where(eq(auditLog.action, "actors.runCreateContract"));
    expect(entry).toMatchObject({ principalKind: "System", objectKind: "contract", objectId: made?.id });
    // What a person did not approve does not run.
    const { structured: second } = await propose(actor.id, [{ ...contract, name: "Again" }]);
    await db
      .update(actorActions)
      .set({ proposed: sql`jsonb_set(proposed, '{rules,0,configuration,minRows}', '0')` })
      .where(eq(actorActions.planId, Number(second.id)));
    expect(await decide(second.id)).toMatchObject([
      { status: "Failed", error: "The action differs from the one that was approved" },
    ]);
  });

  test("take a finding's rule as it was when proposed, and accept the finding", async () => {
    const own = await aDataSource();
    const desk = await mcpClient(door.url, (await aKey({ allowedProjectIds: [own.projectId] })).headers);
    const actor = await anActor({ dataSourceId: own.id });
    const { id: contractId } = await aContract({ dataSourceId: own.id, tableName: "users" });
    const finding = await aFinding({
      dataSourceId: own.id,
      rule: { type: "NullRate", configuration: { column: "email", maxNullPercent: 0 } },
    });
    const add = (more: object[], id = contractId) =>
      callTool(desk, "propose_plan", {
        ...{ actor_id: actor.id, analysis: "Some have no address" },
        actions: [{ kind: "AddRules", reasoning: "It is known", contractId: id, rules: more }],
      });
    const { structured, text } = await add([{ findingId: finding.id }]);
    expect(text).toContain("   - No missing values: email: ");
    await db.update(findings).set({ statement: "Another" }).where(eq(findings.id, finding.id));
    const before = await getContract(await asAdmin(), contractId);
    const [action] = await decide(structured.id);
    expect(action).toMatchObject({
      status: "Succeeded",
      facts: { tableName: "users" },
      result: { contractId },
    });
    const after = await getContract(await asAdmin(), contractId);
    expect(after.rules.slice(0, -1)).toEqual(before.rules);
    expect(after.rules.at(-1)).toMatchObject({
      name: "No missing values: email",
      type: "NullRate",
      column: "email",
    });
    const [accepted] = await db.select().from(findings).where(eq(findings.id, finding.id));
    expect(accepted).toMatchObject({ status: "Accepted", contractId });

    for (const [rule, id, message] of [
      [{ findingId: finding.id }, contractId, "The contract has a rule that checks the same as"],
      [{ findingId: 2_000_000 }, contractId, "Finding 2000000 was not found"],
      [{ name: "x", type: "NullRate", configuration: {} }, contractId, "maxNullPercent is required"],
      [{ name: "x", type: "Volume", configuration: { minRows: 1 } }, 2_000_000, "not found"],
      [{ name: "x", type: "CustomSql", configuration: { sql: "delete from users" } }, contractId, "x: "],
      [{ findingId: finding.id, name: "Mine" }, contractId, "says the whole rule"],
    ] as const) {
      const refused = await add([rule], id);
      expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining(message)]);
    }
    expect(await db.$count(plans, eq(plans.actorId, actor.id))).toBe(1);
  });

  test("of other data sources, and those that files own, are refused before anyone sees them", async () => {
    const actor = await anActor({ dataSourceId: source.id });
    const other = await aDataSource({ projectId: source.projectId });
    const elsewhere = await aContract({ dataSourceId: other.id, tableName: "users" });
    const owned = await aContract({ dataSourceId: source.id, tableName: "users" });
    await db.insert(managedThings).values({
      ...{ kind: "Contract", objectId: owned.id, projectId: source.projectId, revision: 1 },
      ...{ stack: "acme/shop", path: "orders.yaml", appliedBy: "Deploy" },
    });
    const add = (contractId: number) => ({ kind: "AddRules", reasoning: "More", contractId, rules });
    expect((await propose(actor.id, [add(elsewhere.id)])).text).toContain(
      `Contract ${elsewhere.id} is not of the actor's data source`,
    );
    expect((await propose(actor.id, [add(owned.id)])).text).toContain(
      "is managed as code, by the stack acme/shop",
    );
    expect((await propose(actor.id, [{ ...contract, tableName: "nowhere" }])).text).toContain(
      "The data source has no table public.nowhere",
    );
  });
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
