import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { sql } from "../db/client.ts";
import { createRecipient } from "../notifications/service/recipients.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSession } from "../test/factories/sessions.ts";
import { anAnomaly, anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";

let ctx: SignedIn;
let cookie: string;
let source: Awaited<ReturnType<typeof aDataSource>>;
let of: Awaited<ReturnType<typeof aQuery>>;

beforeAll(async () => {
  ctx = await asAdmin();
  cookie = await aSession("Editor");
  source = await aDataSource();
  await sql.unsafe("create table orders (id int)");
  of = await aQuery({ name: "Orders", dataSource: source, sql: "select id from orders" }, ctx);
});
afterAll(closeSources);

const send = (method: string, path: string, json?: unknown, more: object = {}) =>
  rest(method, path, { cookie, ...(json !== undefined && { json }), ...more });

const create = (more: object = {}) =>
  send("POST", "/subscriptions", { queryId: of.id, cronExpression: "0 6 * * *", ...more });

describe("a new subscription", () => {
  test("has the defaults and a next run, and is found under its Location", async () => {
    const { status, headers, body } = await create();
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/svc/api/subscriptions/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      queryId: of.id,
      queryName: "Orders",
      name: null,
      title: "Orders",
      projectId: source.projectId,
      cronExpression: "0 6 * * *",
      timezone: "UTC",
      enabled: true,
      parameters: {},
      timeoutSeconds: 60,
      condition: { kind: "RowsFound", threshold: null },
      createTasks: false,
      anomalyDetection: {
        enabled: false,
        method: "StandardDeviation",
        sensitivity: 2.5,
        metric: "RowCount",
      },
      recipientIds: [],
      silencedUntil: null,
      silencedBy: null,
      silenceReason: null,
      revision: 1,
      aiActorId: null,
      owner: { id: expect.any(Number), name: expect.any(String) },
      incidents: [],
      lastExecution: null,
      nextRunAt: expect.stringMatching(/T06:00:00.000Z$/),
      createdAt: expect.any(String),
    });
    expect((await send("GET", `/subscriptions/${body.id}`)).body).toEqual(body);
  });

  test.each([
    [{ cronExpression: "0 0 6 * * *" }, "cronExpression"],
    [{ cronExpression: "* * 30 2 *" }, "cronExpression"],
    [{ timezone: "Mars/Olympus" }, "timezone"],
    [{ timeoutSeconds: 0 }, "timeoutSeconds"],
    [{ timeoutSeconds: 1801 }, "timeoutSeconds"],
    [{ condition: { kind: "RowCountAbove" } }, "condition.threshold"],
    [{ condition: { kind: "RowsFound", threshold: 3 } }, "condition.threshold"],
    [{ condition: { kind: "RowCountBelow", threshold: 0 } }, "condition.threshold"],
    [{ condition: { kind: "RowCountAbove", threshold: -1 } }, "condition.threshold"],
    [{ condition: { kind: "Sometimes" } }, "condition.kind"],
    [{ anomalyDetection: { sensitivity: 0 } }, "anomalyDetection.sensitivity"],
    [{ parameters: { unknown: 1 } }, "parameters.unknown"],
    [{ parameters: JSON.parse('{"__proto__": 1}') }, "parameters.__proto__"],
    [{ silencedUntil: "2026-01-01T00:00:00" }, "silencedUntil"],
    [{ status: "Failed" }, "status"],
    [{ id: 7 }, "id"],
  ])("%j is rejected with its path", async (more, path) => {
    const { status, body } = await create(more);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ path })]);
  });

  test("a missing value for a parameter of its query is rejected", async () => {
    const needing = await aQuery({ dataSource: source, sql: "select {{since}}::date" }, ctx);
    const { status, body } = await create({ queryId: needing.id });
    expect([status, body.errors]).toEqual([
      400,
      [{ path: "parameters.since", message: "is required by the query" }],
    ]);
    expect((await create({ queryId: needing.id, parameters: { since: "2026-01-01" } })).status).toBe(201);
  });

  test("a query that does not exist is a 404, a recipient of another project a 400", async () => {
    expect((await create({ queryId: 2_000_000_000 })).body).toMatchObject({
      status: 404,
      detail: "Query not found",
    });
    const elsewhere = await createRecipient(ctx, {
      ...{ projectId: (await aProject()).id, name: "Desk" },
      ...{ type: "Email", destination: "desk@example.com" },
    });
    const { status, body } = await create({ recipientIds: [elsewhere.id] });
    expect([status, body.errors?.[0]?.path]).toEqual([400, "recipientIds.0"]);
  });

  test("the default sensitivity depends on the method", async () => {
    const of = async (anomalyDetection: object) =>
      (await create({ anomalyDetection })).body.anomalyDetection.sensitivity;
    expect(await of({ method: "Iqr" })).toBe(1.5);
    expect(await of({ method: "PercentageChange" })).toBe(50);
    expect(await of({ method: "PercentageChange", sensitivity: 12.5 })).toBe(12.5);
  });
});

test("an edit replaces everything but the query", async () => {
  const { body } = await create({
    ...{ createTasks: true, timezone: "Europe/Berlin", silencedUntil: "2999-01-01T00:00:00Z" },
    condition: { kind: "RowCountAbove", threshold: 3 },
  });
  const edited = await send("PUT", `/subscriptions/${body.id}`, {
    ...{ queryId: of.id, cronExpression: "30 7 * * 1", enabled: false },
  });
  expect(edited.status).toBe(200);
  expect(edited.body).toMatchObject({
    ...{ cronExpression: "30 7 * * 1", timezone: "UTC", enabled: false, createTasks: false },
    ...{ condition: { kind: "RowsFound", threshold: null }, silencedUntil: null, nextRunAt: null },
  });
  const other = await aQuery({ dataSource: source }, ctx);
  const moved = await send("PUT", `/subscriptions/${body.id}`, {
    queryId: other.id,
    cronExpression: "30 7 * * 1",
  });
  expect([moved.status, moved.body.errors?.[0]?.path]).toEqual([400, "queryId"]);
});

test("running one returns 202 with a link to follow; with Prefer: wait, the execution itself", async () => {
  const { body } = await create();
  const started = await send("POST", `/subscriptions/${body.id}/execute`);
  expect(started.status).toBe(202);
  expect(started.body).toEqual({ executionId: expect.any(Number) });
  expect(started.headers.get("location")).toBe(`/svc/api/executions/${started.body.executionId}`);
  const waited = await send("POST", `/subscriptions/${body.id}/execute`, undefined, {
    headers: { prefer: "wait" },
  });
  expect(waited.status).toBe(200);
  expect(waited.body).toMatchObject({ subscriptionId: body.id, status: "NoResults", trigger: "Manual" });
  const followed = await send("GET", `/executions/${waited.body.id}`);
  expect(followed.body).toEqual(waited.body);
  const all = await send("GET", `/subscriptions/${body.id}/executions?pageSize=1`);
  expect(all.body).toMatchObject({ page: 0, pageSize: 1, totalCount: 2, items: [{ id: waited.body.id }] });
});

test("a silence ends at its time or by hand, and cannot end in the past", async () => {
  const { body } = await create();
  const silence = (json?: object) => send("POST", `/subscriptions/${body.id}/silence`, json);
  expect((await silence({ until: "2999-01-01T00:00:00+01:00" })).body.silencedUntil).toBe(
    "2998-12-31T23:00:00.000Z",
  );
  expect((await silence({ until: "2020-01-01T00:00:00Z" })).status).toBe(400);
  expect((await silence()).body.silencedUntil).toBeNull();
});

test("an archived subscription disappears from every list, and so do its executions", async () => {
  const { body } = await create();
  const executionId = await anExecution({ subscriptionId: body.id });
  expect((await send("DELETE", `/subscriptions/${body.id}`)).status).toBe(204);
  expect((await send("GET", `/subscriptions/${body.id}`)).status).toBe(404);
  expect((await send("GET", `/executions/${executionId}`)).status).toBe(404);
  expect((await send("POST", `/subscriptions/${body.id}/execute`)).status).toBe(404);
  const { body: list } = await send("GET", "/subscriptions?pageSize=500");
  expect(list.items.map(({ id }: { id: number }) => id)).not.toContain(body.id);
});

test("lists are paged and filtered", async () => {
  const other = await aQuery({ name: "Others", dataSource: source }, ctx);
  for (const enabled of [true, true, false]) await aSubscription({ query: other, enabled }, ctx);
  const list = async (query: string) =>
    (await send("GET", `/subscriptions?queryId=${other.id}${query}`)).body;
  expect(await list("")).toMatchObject({ totalCount: 3, page: 0, pageSize: 100 });
  expect(await list("&enabled=false")).toMatchObject({ totalCount: 1 });
  expect((await list("&pageSize=2&page=1")).items).toHaveLength(1);
  expect((await list("&page=1000000000")).items).toEqual([]);
  expect((await send("GET", "/subscriptions?enabled=maybe")).status).toBe(400);
});

test("an anomaly is acknowledged once, by the first user", async () => {
  const { body } = await create();
  const id = await anAnomaly(body.id);
  const list = (query: string) => send("GET", `/anomalies?subscriptionId=${body.id}${query}`);
  expect((await list("&acknowledged=false")).body).toMatchObject({
    totalCount: 1,
    items: [{ id, queryName: "Orders", acknowledged: false, acknowledgedBy: null, severity: "High" }],
  });
  const first = await send("POST", `/anomalies/${id}/acknowledge`);
  expect(first.body).toMatchObject({ acknowledged: true, acknowledgedBy: { name: expect.any(String) } });
  const second = await rest("POST", `/anomalies/${id}/acknowledge`, { cookie: await aSession("Admin") });
  expect(second.body).toEqual(first.body);
  expect((await list("&acknowledged=false")).body.totalCount).toBe(0);
  expect((await list("&acknowledged=true")).body.totalCount).toBe(1);
});
