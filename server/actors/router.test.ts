import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { sql } from "../db/client.ts";
import { createRecipient } from "../notifications/service/recipients.ts";
import { anActor, aPlan } from "../test/factories/actors.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";

let cookie: string;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  cookie = await aSession("Editor");
  source = await aDataSource();
  await sql.unsafe("create table orders (id int primary key, customer_id int)");
});
afterAll(closeSources);

const send = (method: string, path: string, json?: unknown, more: object = {}) =>
  rest(method, path, { cookie, ...(json !== undefined && { json }), ...more });

/** An actor that does nothing by itself. */
const write = (more: object = {}) => ({
  ...{ name: "Watch", instructions: "Watch the orders", dataSourceId: source.id },
  ...{ activateImmediately: false, ...more },
});
const create = (more: object = {}) => send("POST", "/ai-actors", write(more));

describe("a new actor", () => {
  test("has the defaults, is a Draft, and is at its Location", async () => {
    const { status, headers, body } = await create();
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/svc/api/ai-actors/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      name: "Watch",
      instructions: "Watch the orders",
      additionalContext: null,
      projectId: source.projectId,
      dataSourceId: source.id,
      dataSourceName: "Warehouse",
      maxQueries: 10,
      maxSubscriptionsPerQuery: 3,
      defaultRecipientIds: [],
      activateImmediately: false,
      requiresApproval: true,
      revision: 1,
      wishes: null,
      monthlyBudget: null,
      budgetExhausted: false,
      usedThisMonth: { tokens: 0, cost: 0 },
      status: "Draft",
      lastError: null,
      totalTokensUsed: 0,
      totalCost: 0,
      costIsPartial: false,
      thinkCount: 0,
      lastThinkAt: null,
      pendingPlanCount: 0,
      queryCount: 0,
      subscriptionCount: 0,
      currentExecution: null,
      createdBy: { id: expect.any(Number), name: expect.any(String) },
      createdAt: expect.any(String),
    });
    const { body: found } = await send("GET", `/ai-actors/${body.id}`);
    expect(found).toEqual({ ...body, queries: [], subscriptions: [], conversation: [] });
  });

  test.each([
    [{ name: " " }, "name"],
    [{ instructions: " \n" }, "instructions"],
    [{ maxQueries: 0 }, "maxQueries"],
    [{ maxSubscriptionsPerQuery: 1.5 }, "maxSubscriptionsPerQuery"],
    [{ monthlyBudget: { tokens: 0 } }, "monthlyBudget.tokens"],
    [{ monthlyBudget: { cost: -1 } }, "monthlyBudget.cost"],
    [{ status: "Active" }, "status"],
    [{ totalCost: 0 }, "totalCost"],
    [{ requireApproval: false }, "requireApproval"],
  ])("%j is refused, by its name", async (more, path) => {
    const { status, body } = await create(more);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path, message: expect.any(String) }]);
  });

  test("needs a database that its creator can access, and recipients of its project", async () => {
    const { status, body } = await create({ dataSourceId: 2_000_000 });
    expect([status, body.detail]).toEqual([404, "Data source not found"]);
    const admin = await asAdmin();
    const { id: projectId } = await aProject();
    const elsewhere = await createRecipient(admin, {
      ...{ projectId, name: "Desk", type: "Email", destination: "desk@example.com" },
    });
    const refused = await create({ defaultRecipientIds: [elsewhere.id] });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: "defaultRecipientIds.0", message: "belongs to another project than the data source" }],
    ]);
    const adminCookie = await aSession("Admin");
    const api = await rest("POST", "/data-sources", {
      cookie: adminCookie,
      json: {
        ...{ projectId: source.projectId, name: "API", kind: "RestApi" },
        connection: { baseUrl: "https://example.com", headers: {} },
      },
    });
    const answered = await create({ dataSourceId: api.body.id });
    expect([answered.status, answered.body.detail]).toEqual([
      422,
      "An AI actor's data source must be a database type",
    ]);
  });
});

test("a PUT replaces everything but the data source; omitted fields get their defaults", async () => {
  const { body } = await create({ maxQueries: 4, monthlyBudget: { tokens: 5000, cost: 1.5 } });
  const changed = await send("PUT", `/ai-actors/${body.id}`, { name: "Other", instructions: "More" });
  expect(changed.body).toMatchObject({
    ...{ name: "Other", instructions: "More", maxQueries: 10, monthlyBudget: null, status: "Draft" },
    activateImmediately: true,
  });
  const other = await aDataSource({ projectId: source.projectId });
  const moved = await send("PUT", `/ai-actors/${body.id}`, write({ dataSourceId: other.id }));
  expect([moved.status, moved.body.errors[0].path]).toEqual([400, "dataSourceId"]);
});

test("pausing and resuming only set a state: repeating them returns the same 200", async () => {
  const { id } = await anActor({ dataSourceId: source.id });
  for (const [action, state] of [
    ["pause", "Paused"],
    ["pause", "Paused"],
    ["resume", "Active"],
    ["resume", "Active"],
  ]) {
    const { status, body } = await send("POST", `/ai-actors/${id}/${action}`);
    expect([status, body.status]).toEqual([200, state]);
  }
  const draft = await create();
  const { status, body } = await send("POST", `/ai-actors/${draft.body.id}/pause`);
  expect([status, body.detail]).toEqual([409, "Actor is not active"]);
});

test("an archived actor is gone for good, unless an Admin restores it, Paused", async () => {
  const { id } = await anActor({ dataSourceId: source.id });
  expect((await send("DELETE", `/ai-actors/${id}`)).status).toBe(204);
  expect((await send("DELETE", `/ai-actors/${id}`)).status).toBe(404);
  for (const path of ["", "/pending-plans", "/executions"])
    expect((await send("GET", `/ai-actors/${id}${path}`)).status).toBe(404);
  for (const action of ["pause", "resume", "think"])
    expect((await send("POST", `/ai-actors/${id}/${action}`)).status).toBe(404);
  const { body } = await send("GET", "/ai-actors");
  expect(body.items.map((actor: { id: number }) => actor.id)).not.toContain(id);
});

describe("work", () => {
  test("returns 202 immediately, and is at its Location", async () => {
    const { id } = await anActor({ dataSourceId: source.id });
    const { status, headers, body } = await send("POST", `/ai-actors/${id}/think`);
    expect(status).toBe(202);
    expect(headers.get("location")).toBe(`/svc/api/ai-actors/executions/${body.executionId}`);
    const found = await send("GET", `/ai-actors/executions/${body.executionId}`);
    expect(found.body).toMatchObject({ id: body.executionId, actorId: id, kind: "ThinkCycle" });
  });

  test("is waited for if the caller prefers that", async () => {
    const { id } = await anActor({ dataSourceId: source.id });
    const { status, body } = await send("POST", `/ai-actors/${id}/think`, undefined, {
      headers: { prefer: "wait" },
    });
    expect([status, body.phase, body.tokensUsed, body.estimatedCost]).toEqual([200, "Completed", 0, 0]);
    expect(body.model).toBe("Built-in planner (no language model)");
  });

  test("needs an Active actor, and feedback that is not blank", async () => {
    const { body: draft } = await create();
    const refused = await send("POST", `/ai-actors/${draft.id}/think`);
    expect([refused.status, refused.body.detail]).toEqual([409, "Actor is not active"]);
    const empty = await send("POST", `/ai-actors/${draft.id}/refine`, { feedback: "  " });
    expect([empty.status, empty.body.errors[0].path]).toEqual([400, "feedback"]);
  });
});

describe("wishes", () => {
  const wishes = {
    tables: [{ schemaName: "public", tableName: "orders" }],
    exclude: [{ schemaName: "public", tableName: "orders", columnName: "customer_id" }],
    checks: ["Volume"],
    schedule: { cronExpression: "0 7 * * *", timezone: "UTC" },
    maxChecks: 3,
  };
  const unknown = {
    tables: [{ schemaName: "public", tableName: "unicorns" }, { schemaName: "nowhere" }],
    exclude: [{ schemaName: "public", tableName: "orders", columnName: "horn" }],
  };
  const atTheirPlaces = [
    { path: "wishes.tables.0", message: "names a table that the data source does not have" },
    { path: "wishes.tables.1", message: "names a schema that the data source does not have" },
    { path: "wishes.exclude.0", message: "names a column that the table does not have" },
  ];

  test("are stored with the actor, and replaced with it", async () => {
    const { status, body } = await create({ wishes });
    expect([status, body.wishes]).toEqual([201, wishes]);
    const changed = await send("PUT", `/ai-actors/${body.id}`, write({ wishes: { checks: ["NullRate"] } }));
    expect(changed.body.wishes).toEqual({ tables: [], exclude: [], checks: ["NullRate"] });
    expect((await send("PUT", `/ai-actors/${body.id}`, write())).body.wishes).toBeNull();
  });

  test("with unknown names are rejected, with the path of each", async () => {
    const { id } = await anActor({ dataSourceId: source.id });
    const plan = await aPlan(id);
    for (const [method, path, json] of [
      ["POST", "/ai-actors", write({ wishes: unknown })],
      ["PUT", `/ai-actors/${id}`, write({ wishes: unknown })],
      ["POST", `/ai-actors/${id}/refine`, { feedback: "More", wishes: unknown }],
      ["POST", `/ai-actors/plans/${plan.id}/request-revision`, { feedback: "More", wishes: unknown }],
    ] as const) {
      const { status, body } = await send(method, path, json);
      expect([status, body.errors], path).toEqual([400, atTheirPlaces]);
    }
    const { status, body } = await send("POST", `/ai-actors/plans/${plan.id}/request-revision`, {
      ...{ feedback: "Less", wishes: { leaveOut: [0] } },
    });
    expect([status, body.errors]).toEqual([
      ...[400, [{ path: "wishes.leaveOut.0", message: "is not an action of this plan" }]],
    ]);
    expect((await send("GET", `/ai-actors/plans/${plan.id}`)).body.status).toBe("PendingApproval");
  });

  test("for tables added since the schema was read are accepted", async () => {
    await sql.unsafe("create table returns (id int primary key)");
    const tables = [{ schemaName: "public", tableName: "returns" }];
    expect((await create({ wishes: { tables } })).status).toBe(201);
  });

  test("apply alongside a text, and are followed without a language model", async () => {
    const { id } = await anActor({ dataSourceId: source.id });
    await sql.unsafe("insert into orders select n, n from generate_series(1, 40) n");
    const json = { feedback: "Also the orders", wishes: { tables: wishes.tables, checks: ["Volume"] } };
    const { status, body } = await send("POST", `/ai-actors/${id}/refine`, json, {
      headers: { prefer: "wait" },
    });
    expect([status, body.userInstruction, body.wishes]).toEqual([
      ...[200, "Also the orders", { ...json.wishes, exclude: [] }],
    ]);
    expect(body.decisionSummary).toContain("1 query added");
    expect(body.decisionSummary).toContain("Your note was not read: no language model is configured.");
    const plan = await send("GET", `/ai-actors/plans/${body.planId}`);
    expect(plan.body.actions[0]).toMatchObject({ kind: "CreateQuery", name: "Too few rows in orders" });
  });
});

describe("a decision", () => {
  test("needs its reason or its feedback", async () => {
    const plan = await aPlan((await anActor({ dataSourceId: source.id })).id);
    for (const [action, property] of [
      ["reject", "reason"],
      ["request-revision", "feedback"],
    ] as const)
      for (const json of [{}, { [property]: " \t" }]) {
        const { status, body } = await send("POST", `/ai-actors/plans/${plan.id}/${action}`, json);
        expect([status, body.errors[0].path]).toEqual([400, property]);
      }
    expect((await send("GET", `/ai-actors/plans/${plan.id}`)).body.status).toBe("PendingApproval");
  });

  test("returns the plan: Executing, Rejected, or 202 with RevisionRequested", async () => {
    const { id: actorId } = await anActor({ dataSourceId: source.id });
    const decide = async (action: string, json?: unknown) => {
      const { id } = await aPlan(actorId);
      const { status, body } = await send("POST", `/ai-actors/plans/${id}/${action}`, json);
      return [status, body.status, body.decisionReason];
    };
    // Also without a body: the comment is optional.
    expect(await decide("approve")).toEqual([200, "Executing", null]);
    expect(await decide("reject", { reason: "No" })).toEqual([200, "Rejected", "No"]);
    expect(await decide("request-revision", { feedback: "More" })).toEqual([
      ...[202, "RevisionRequested", "More"],
    ]);
  });

  test.each(["Executing", "Executed", "Rejected", "RevisionRequested", "Expired"] as const)(
    "is rejected for a plan that is %s",
    async (status) => {
      const { id: actorId } = await anActor({ dataSourceId: source.id });
      const { id } = await aPlan(actorId, { status });
      for (const [action, json] of [
        ["approve", {}],
        ["reject", { reason: "No" }],
        ["request-revision", { feedback: "More" }],
      ] as const) {
        const answer = await send("POST", `/ai-actors/plans/${id}/${action}`, json);
        expect([answer.status, answer.body.detail]).toEqual([409, "Plan is not pending approval"]);
      }
      expect((await send("GET", `/ai-actors/${actorId}/pending-plans`)).body.items).toEqual([]);
    },
  );
});
