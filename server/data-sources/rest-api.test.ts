import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../db/client.ts";
import { env } from "../env.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { useSource } from "./service/connected-sources.ts";
import { dataSources } from "./tables.ts";

let cookie: string;
let projectId: number;
let api: Server;
let baseUrl: string;
let status = 200;
let headers: Record<string, string> = {};
let requests: IncomingMessage[] = [];

beforeAll(async () => {
  cookie = await aSession("Admin");
  projectId = (await aProject()).id;
  api = createServer((request, response) => {
    requests.push(request);
    response.writeHead(status, headers).end("[]");
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`;
});
afterAll(() => api.close());
beforeEach(() => {
  [status, headers, requests] = [200, {}, []];
  env().OUTBOUND_ALLOW = "127.0.0.1";
});

const secretHeaders = { Authorization: "Bearer hunter2-of-the-api" };
const connection = (more: object = {}) => ({
  baseUrl,
  headers: { "X-Team": "data" },
  secretHeaders,
  ...more,
});
const create = (given: object = connection()) =>
  rest("POST", "/data-sources", {
    cookie,
    json: { projectId, name: "Orders API", kind: "RestApi", connection: given },
  });
const tryOut = (given: object = connection(), more: object = {}) =>
  rest("POST", "/data-sources/test-connection", {
    cookie,
    json: { kind: "RestApi", connection: given, ...more },
  });

test("is created, read, and changed; its secret headers are in no response, and encrypted in storage", async () => {
  const created = await create();
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    kind: "RestApi",
    connection: { baseUrl, headers: { "X-Team": "data" } },
    hasPassword: true,
    canWrite: null,
  });
  const { id } = created.body;
  const list = await rest("GET", "/data-sources", { cookie });
  const [row] = await db.select().from(dataSources).where(eq(dataSources.id, id));
  const seen = JSON.stringify([created.body, list.body, row, row?.secret?.toString()]);
  expect(seen).toContain("Orders API");
  expect(seen).not.toContain("hunter2");

  const { secretHeaders: _, ...shown } = connection();
  const path = `/data-sources/${id}`;
  const renamed = await rest("PUT", path, { cookie, json: { name: "Orders", connection: shown } });
  expect(renamed.body).toMatchObject({ name: "Orders", hasPassword: true });
  // What was omitted is what was stored.
  requests = [];
  expect((await tryOut(shown, { dataSourceId: id })).body).toEqual({ ok: true });
  expect(requests[0]?.headers).toMatchObject({
    authorization: "Bearer hunter2-of-the-api",
    "x-team": "data",
  });
  expect(requests[0]?.url).toBe("/v1");
});

test("secret headers are never sent to another base URL unless entered again", async () => {
  const { id } = (await create()).body;
  const { secretHeaders: _, ...moved } = connection({ baseUrl: `${baseUrl}/other` });
  requests = [];
  for (const refused of [
    await rest("PUT", `/data-sources/${id}`, { cookie, json: { name: "Orders", connection: moved } }),
    await tryOut(moved, { dataSourceId: id }),
  ]) {
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      { path: "connection.secretHeaders", message: "is required when the base URL changes" },
    ]);
  }
  expect(requests).toEqual([]);
  const cleared = { ...moved, secretHeaders: {} };
  const json = { name: "Orders", connection: cleared };
  expect((await rest("PUT", `/data-sources/${id}`, { cookie, json })).body).toMatchObject({
    hasPassword: false,
  });
  // If none are stored, none have to be entered.
  const { secretHeaders: __, ...back } = connection();
  const again = await rest("PUT", `/data-sources/${id}`, {
    cookie,
    json: { name: "Orders", connection: back },
  });
  expect(again.body).toMatchObject({ hasPassword: false, connection: back });
});

test("does not become a database, nor a database a REST API", async () => {
  const { id } = (await create()).body;
  const database = { host: "h", port: 1, database: "d", user: "u", password: "p" };
  const changed = await rest("PUT", `/data-sources/${id}`, {
    cookie,
    json: { name: "X", connection: database },
  });
  expect([changed.status, changed.body.errors[0].path]).toEqual([400, "connection"]);
  for (const [kind, given] of [
    ["RestApi", database],
    ["PostgreSql", connection()],
  ]) {
    const json = { projectId, name: "X", kind, connection: given };
    const refused = await rest("POST", "/data-sources", { cookie, json });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: "connection", message: "must match the kind of data source" }],
    ]);
  }
});

test.each([
  [{ baseUrl: "ftp://example.com" }, "connection.baseUrl"],
  [{ baseUrl: "example.com" }, "connection.baseUrl"],
  [{ baseUrl: "https://user:secret@example.com" }, "connection.baseUrl"],
  [{ baseUrl: "https://example.com/?key=secret" }, "connection.baseUrl"],
  [{ headers: { Host: "elsewhere" } }, "connection.headers"],
  [{ headers: { Authorization: "Bearer shown" }, secretHeaders: {} }, "connection.headers"],
  [{ headers: { "X-A": "1", "x-a": "2" } }, "connection.headers"],
  [{ headers: { "X-A": "a\r\nHost: b" } }, "connection.headers.X-A"],
  [{ secretHeaders: { "Transfer-Encoding": "chunked" } }, "connection.secretHeaders"],
  [{ secretHeaders: { "x-team": "twice" } }, "connection.secretHeaders"],
  [{ headers: JSON.parse('{"__proto__": "x"}') }, "connection.headers.__proto__"],
  [{ proxy: "http://evil" }, "connection.proxy"],
])("%j is refused by its path", async (change, path) => {
  const { status: answered, body } = await create(connection(change));
  expect(answered).toBe(400);
  expect(body.errors).toEqual([expect.objectContaining({ path })]);
});

describe("a test of the connection", () => {
  test.each([
    [204, true, undefined],
    [404, true, "The API responds with HTTP 404 at its base URL"],
    [401, false, "The API rejected the request headers (HTTP 401)"],
    [503, false, "The API failed with a server error (HTTP 503)"],
  ])("says what %i means", async (answer, ok, message) => {
    status = answer;
    expect((await tryOut()).body).toEqual({ ok, ...(message && { message }) });
  });

  test("does not follow a redirect", async () => {
    [status, headers] = [302, { location: `${baseUrl}/elsewhere` }];
    expect((await tryOut()).body).toMatchObject({
      ok: false,
      message: expect.stringContaining("not followed"),
    });
    expect(requests).toHaveLength(1);
  });

  test("does not reach non-public addresses unless an operator allows it", async () => {
    env().OUTBOUND_ALLOW = undefined;
    const { port } = new URL(baseUrl);
    for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "0"])
      expect((await tryOut(connection({ baseUrl: `http://${host}:${port}/v1` }))).body).toEqual({
        ok: false,
        message: "The host's address is not public; an operator can allow it with OUTBOUND_ALLOW",
      });
    expect(requests).toEqual([]);
    expect((await create()).status).toBe(201);
    expect(requests).toEqual([]);
  });
});

test("contracts cannot target it, it has no tables, and it does not run SQL", async () => {
  const { id } = (await create()).body;
  const rule = { name: "R", type: "Volume", severity: "Low", configuration: { minRows: 1 } };
  const contract = {
    name: "C",
    dataSourceId: id,
    tableName: "t",
    cronExpression: "0 6 * * *",
    rules: [rule],
  };
  const refused = await rest("POST", "/data-quality/contracts", { cookie, json: contract });
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    "Data contract's data source must be a database type",
  ]);
  const schema = await rest("GET", `/data-sources/${id}/schema`, { cookie });
  expect([schema.status, schema.body.items]).toEqual([200, []]);
  const preview = await rest("POST", "/queries/preview", {
    cookie,
    json: { dataSourceId: id, sql: "select 1" },
  });
  expect([preview.status, preview.body.detail]).toEqual([422, "REST API data sources do not accept SQL"]);
  const session = useSource(id, (_, source) => source.session(async () => 1));
  await expect(session).rejects.toMatchObject({ kind: "refused" });
});
