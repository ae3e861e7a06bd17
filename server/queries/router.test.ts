import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEntries } from "../audit/tables.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { env } from "../env.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aFolder } from "../test/factories/queries.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";

let editor: string;
let admin: string;
let projectId: number;
let dataSourceId: number;
let apiId: number;
let api: Server;

beforeAll(async () => {
  editor = await aSession("Editor");
  admin = await aSession("Admin");
  ({ id: dataSourceId, projectId } = await aDataSource());
  api = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('[{"id": 1, "name": "Ada"}]');
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  env().OUTBOUND_ALLOW = "127.0.0.1";
  const connection = { baseUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`, headers: {} };
  apiId = (await aDataSource({ projectId, name: "API" })).id;
  await db
    .update(dataSources)
    .set({ kind: "RestApi", connection, secret: null })
    .where(eq(dataSources.id, apiId));
});
afterAll(async () => {
  await closeSources();
  api.close();
});

const send = (method: string, path: string, json?: unknown, cookie = editor) =>
  rest(method, path, { cookie, ...(json !== undefined && { json }) });
const write = (sql: string, more: object = {}) => ({
  name: "Orders",
  steps: [{ dataSourceId, sql }],
  ...more,
});
const create = async (steps: object[] = [{ dataSourceId, sql: "select 1 as one" }], more: object = {}) =>
  (await send("POST", "/queries", { projectId, name: "Orders", steps, ...more })).body;
const lastEntry = async () =>
  (await db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1))[0];

describe("a query by REST", () => {
  test("is created, read, changed, locked, and archived with the same statuses as other resources", async () => {
    const created = await send("POST", "/queries", { projectId, ...write("select 1 as one") });
    const path = `/queries/${created.body.id}`;
    expect([created.status, created.headers.get("location")]).toEqual([201, `/svc/api${path}`]);
    expect(created.body).toMatchObject({
      projectId,
      folderId: null,
      steps: [{ order: 1, name: "Step 1", dataSourceId, sql: "select 1 as one" }],
      activeVersion: 1,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await send("GET", path)).toMatchObject({ status: 200, body: created.body });
    // Steps can be sent back as they were read.
    const { steps } = created.body;
    expect((await send("PUT", path, { projectId, name: "Orders", steps })).body.activeVersion).toBe(1);
    const changed = await send(
      "PUT",
      path,
      write("select 2 as two", { baseVersion: 1, changeSummary: "Two" }),
    );
    expect([changed.status, changed.body.activeVersion]).toEqual([200, 2]);
    const stale = await send("PUT", path, write("select 3", { baseVersion: 1 }));
    expect(stale.status).toBe(409);
    expect((await send("GET", `${path}/versions`)).body.items).toMatchObject([
      { number: 2, status: "Active", changeSummary: "Two", createdBy: { id: expect.any(Number) } },
      { number: 1, status: "Archived", changeSummary: null },
    ]);
    expect((await send("POST", `${path}/lock`, undefined, editor)).status).toBe(403);
    for (const isLocked of [true, true, false, false]) {
      const answer = await send("POST", `${path}/${isLocked ? "lock" : "unlock"}`, undefined, admin);
      expect([answer.status, answer.body.isLocked]).toEqual([200, isLocked]);
    }
    await send("POST", `${path}/lock`, undefined, admin);
    for (const [method, at, body] of [
      ["PUT", path, write("select 3")],
      ["DELETE", path, undefined],
      ["POST", `${path}/versions/1/restore`, undefined],
    ] as const) {
      const refused = await send(method, at, body);
      expect([refused.status, refused.body.detail]).toEqual([409, "Query is locked"]);
    }
    await send("POST", `${path}/unlock`, undefined, admin);
    const restored = await send("POST", `${path}/versions/1/restore`);
    expect([restored.status, restored.body.activeVersion]).toEqual([200, 3]);
    expect((await send("POST", `${path}/versions/9/restore`)).status).toBe(404);
    expect((await send("DELETE", `${path}?cascade=true`)).status).toBe(204);
    for (const [method, at] of [
      ["GET", path],
      ["DELETE", path],
      ["GET", `${path}/versions`],
      ["POST", `${path}/preview`],
      ["POST", `${path}/steps/1/preview`],
    ] as const)
      expect((await send(method, at)).status, at).toBe(404);
  });

  test.each<[object, string]>([
    [{ steps: [] }, "steps"],
    [{ steps: Array.from({ length: 11 }, () => ({ dataSourceId: 1, sql: "select 1" })) }, "steps"],
    [{ steps: [{ dataSourceId: 1, sql: "  " }] }, "steps.0.sql"],
    [{ steps: [{ dataSourceId: 1, sql: "a\u0000" }] }, "steps.0.sql"],
    [{ steps: [{ dataSourceId: 1, sql: "select 1", query: "x" }] }, "steps.0.query"],
    [{ name: " " }, "name"],
    [{ status: "Active" }, "status"],
    [{ isLocked: true }, "isLocked"],
    [JSON.parse('{"__proto__": 1}'), "__proto__"],
    [{ baseVersion: 1 }, "baseVersion"],
    [{ changeSummary: "x".repeat(1001) }, "changeSummary"],
  ])("with %j is a 400 that names the field", async (more, path) => {
    const { status, body } = await send("POST", "/queries", { projectId, ...write("select 1"), ...more });
    expect([status, body.errors?.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
  });

  test.each<[string, unknown, string]>([
    ["NUL in a text", { a: ["x\u0000"] }, "steps.0.request.body"],
    ["NUL in a name", { "a\u0000": 1 }, "steps.0.request.body"],
    ["half a character", ["\ud800"], "steps.0.request.body"],
    ["__proto__", JSON.parse('{"a": {"__proto__": 1}}'), "steps.0.request.body"],
    ["no end", JSON.parse("[".repeat(60) + "]".repeat(60)), "steps.0.request.body"],
  ])("takes no body with %s", async (_, sent, path) => {
    const request = { method: "POST", path: "/orders", body: sent };
    const { status, body } = await send("POST", "/queries", {
      projectId,
      name: "Orders",
      steps: [{ dataSourceId: apiId, request }],
    });
    expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
  });

  test("keeps a request as sent, and gives the path of misplaced steps", async () => {
    const request = {
      method: "POST",
      path: "/a b/{{id}}",
      query: { "q[]": "ä {{id}}" },
      body: { deep: [null, 1.5, { "": "{{id}}" }] },
      rowsPath: "data.items",
    };
    const query = await create([{ dataSourceId: apiId, request }]);
    expect(query.steps[0].request).toEqual(request);
    expect(query.parameters).toEqual(["id"]);
    const misplaced = [
      { order: 2, dataSourceId, sql: "select 1" },
      { order: 1, dataSourceId, sql: "select 2" },
    ];
    const { status, body } = await send("POST", "/queries", { projectId, name: "X", steps: misplaced });
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      ["steps.0.order", "steps.1.order"],
    ]);
  });

  test.each([
    "pageSize=0",
    "pageSize=501",
    "page=-1",
    "page=1e3",
    "pageSize=",
    "search=a&search=b",
    "sort=name",
  ])("list with ?%s is a 400", async (parameters) => {
    expect((await send("GET", `/queries?${parameters}`)).status).toBe(400);
  });

  test("list past its end is an empty page", async () => {
    const { status, body } = await send(
      "GET",
      `/queries?projectId=${projectId}&page=1000000000&pageSize=500`,
    );
    expect([status, body.items, body.page]).toEqual([200, [], 1_000_000_000]);
  });
});

test("folders can be created, moved, and deleted by REST, and conflicts say why", async () => {
  const created = await send("POST", "/query-folders", { projectId, name: "Daily" });
  const path = `/query-folders/${created.body.id}`;
  expect([created.status, created.headers.get("location")]).toEqual([201, `/svc/api${path}`]);
  expect((await send("POST", "/query-folders", { projectId, name: "Daily" })).status).toBe(409);
  const inner = await aFolder({ projectId, name: "Inner", parentId: created.body.id });
  expect((await send("GET", `/query-folders?projectId=${projectId}`)).body.items).toMatchObject([
    { path: "Daily" },
    { id: inner.id, path: "Daily / Inner" },
  ]);
  expect((await send("PUT", path, { name: "Daily", parentId: inner.id })).status).toBe(422);
  expect((await send("PUT", path, { name: "Nightly" })).body).toMatchObject({
    path: "Nightly",
    parentId: null,
  });
  const held = await send("DELETE", path);
  expect([held.status, held.body.detail]).toEqual([409, "The folder still contains 1 folder"]);
  expect((await send("DELETE", `/query-folders/${inner.id}`)).status).toBe(204);
  expect((await send("DELETE", path)).status).toBe(204);
  expect((await send("DELETE", path)).status).toBe(404);
});

describe("a preview", () => {
  const steps = () => [
    { dataSourceId, sql: "select {{a}}::int as a" },
    { dataSourceId, sql: "select 1 / 0" },
    { dataSourceId: apiId, request: { method: "GET", path: "/" } },
    { sql: "select r1.a + {{c}}::int as sum, name from @@result1 r1, @@result3" },
  ];

  test("of a stored query runs all steps, and of a step only the ones it needs", async () => {
    const query = await create(
      steps().toSpliced(1, 1, { dataSourceId, sql: "select {{b}}::int" }).with(3, {
        sql: "select a + {{c}}::int as sum, name from @@result1, @@result3",
      }),
    );
    const whole = await send("POST", `/queries/${query.id}/preview`, { parameters: { a: 1, b: 2, c: 3 } });
    expect(whole).toMatchObject({
      status: 200,
      body: { columns: [{ name: "sum" }, { name: "name" }], rowCount: 1, truncated: false },
    });
    expect(whole.body.rows[0].map(String)).toEqual(["4", "Ada"]);
    expect(await lastEntry()).toMatchObject({
      action: "queries.previewStored",
      objectKind: "query",
      objectId: query.id,
      detail: "1 row",
    });

    const step = (order: number, parameters?: object) =>
      send("POST", `/queries/${query.id}/steps/${order}/preview`, parameters && { parameters });
    expect((await step(2, { b: 2 })).body.rows).toEqual([[2]]);
    expect((await step(3)).body.rows.map((row: unknown[]) => row.map(String))).toEqual([["1", "Ada"]]);
    // Step 2 does not run, so its parameter is not needed; extra parameters of other steps are allowed.
    expect((await step(4, { a: 1, c: 3 })).body.rows[0].map(String)).toEqual(["4", "Ada"]);
    expect((await step(4, { a: 1, b: 2, c: 3 })).status).toBe(200);
    expect(await lastEntry()).toMatchObject({ action: "queries.previewStep", detail: "1 row; step 4" });
    const refused = await step(4, { a: 1, z: 2 });
    expect([refused.status, refused.body.errors.map((error: { path: string }) => error.path)]).toEqual([
      400,
      ["parameters.c", "parameters.z"],
    ]);
    expect((await step(5)).status).toBe(404);
    expect((await step(0)).status).toBe(400);
  });

  test("of unsaved steps runs all of them, or one with the ones it needs", async () => {
    const ofSteps = (more: object) => send("POST", "/queries/preview", { steps: steps(), ...more });
    const failed = await ofSteps({ parameters: { a: 1, c: 2 } });
    expect([failed.status, failed.body.detail]).toEqual([422, "Step 2: division by zero"]);
    expect(await lastEntry()).toMatchObject({
      action: "queries.preview",
      objectKind: "dataSource",
      objectId: null,
      detail: expect.stringMatching(/^Against a rule; 4 steps, SHA-256 [0-9a-f]{16}…$/),
    });
    const fourth = await ofSteps({ stepOrder: 4, parameters: { a: 1, c: 2 } });
    expect(fourth.status).toBe(200);
    expect(fourth.body.rows[0].map(String)).toEqual(["3", "Ada"]);
    expect((await lastEntry())?.detail).toMatch(/^1 row; step 4; 4 steps, SHA-256 [0-9a-f]{16}…$/);
  });

  test("of an API request returns its rows, with parameters filled in", async () => {
    const request = { method: "GET", path: "/people/{{id}}" };
    const answer = await send("POST", "/queries/preview", {
      dataSourceId: apiId,
      request,
      parameters: { id: 1 },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { columns: [{ name: "id" }, { name: "name" }], rowCount: 1, executionTimeMs: expect.any(Number) },
    });
    expect((await lastEntry())?.detail).toMatch(/^1 row; 1 step, SHA-256/);
    const climbing = await send("POST", "/queries/preview", {
      dataSourceId: apiId,
      request,
      parameters: { id: "../admin" },
    });
    expect([climbing.status, climbing.body.errors[0].path]).toEqual([400, "parameters.id"]);
    const wrong = await send("POST", "/queries/preview", { dataSourceId, request, parameters: { id: 1 } });
    expect([wrong.status, wrong.body.detail]).toEqual([
      422,
      "PostgreSQL data sources accept SQL, not requests",
    ]);
  });

  test.each<[() => object, string[]]>([
    [() => ({}), ["dataSourceId", "sql"]],
    [() => ({ dataSourceId }), ["sql"]],
    [() => ({ sql: "select 1" }), ["dataSourceId"]],
    [() => ({ dataSourceId, sql: "select 1", request: { method: "GET", path: "/" } }), ["request"]],
    [() => ({ dataSourceId, sql: "select 1", stepOrder: 1 }), ["stepOrder"]],
    [() => ({ dataSourceId, sql: "select 1", steps: steps() }), ["dataSourceId", "sql"]],
    [() => ({ steps: steps(), stepOrder: 5 }), ["stepOrder"]],
    [() => ({ steps: [] }), ["steps"]],
    [() => ({ steps: [{ sql: "select * from @@result1" }] }), ["steps.0.sql"]],
    [() => ({ steps: [{ sql: "select 1" }] }), ["steps.0.sql"]],
  ])("of nothing, or of too much, is rejected (%#)", async (body, paths) => {
    const answer = await send("POST", "/queries/preview", body());
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test("of steps from two projects is not found", async () => {
    const foreign = await aDataSource();
    const { status, body } = await send("POST", "/queries/preview", {
      steps: [
        { dataSourceId, sql: "select 1" },
        { dataSourceId: foreign.id, sql: "select 1" },
      ],
    });
    expect([status, body.detail]).toEqual([404, "Data source not found"]);
  });

  test("applies the usual row limits", async () => {
    const query = await create([{ dataSourceId, sql: "select n from generate_series(1, 5000) n" }]);
    const { body } = await send("POST", `/queries/${query.id}/preview`);
    expect(body).toMatchObject({ rowCount: 1000, truncated: true });
  });
});
