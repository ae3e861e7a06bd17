import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { grants } from "../../auth/permissions.ts";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import { aSession, aUser, cookieOf, endSessionsOf } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { routes } from "./routes.ts";

let admin: string;
let viewer: string;

beforeAll(async () => {
  [admin, viewer] = await Promise.all([aSession("Admin"), aSession("Viewer")]);
});

describe("errors have an order of precedence", () => {
  test("unauthenticated is a 401 with a challenge, on known and unknown paths alike", async () => {
    for (const path of ["/projects", "/nothing-here"]) {
      const { status, headers, body } = await rest("GET", path);
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe("Bearer");
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(body).toMatchObject({
        status: 401,
        title: "Unauthorized",
        requestId: headers.get("x-request-id"),
      });
    }
  });

  test("a forbidden write is a 403 before its body is read", async () => {
    const { status } = await rest("POST", "/projects", { cookie: viewer, body: "not json" });
    expect(status).toBe(403);
  });

  test("an unknown path is a 404, another method a 405 with the allowed ones", async () => {
    expect((await rest("GET", "/nothing-here", { cookie: admin })).status).toBe(404);
    expect((await rest("GET", "/projects/abc", { cookie: admin })).status).toBe(404);
    expect((await rest("GET", "/projects/01", { cookie: admin })).status).toBe(404);
    const wrong = await rest("PATCH", "/projects/1", { cookie: admin });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("DELETE, GET, PUT");
  });

  test.each([
    ["PUT", "/setup", "POST"],
    ["DELETE", "/setup/status", "GET"],
    ["PUT", "/auth/csrf", "GET"],
    ["GET", "/auth/callback/credentials", "POST"],
    ["PUT", "/auth/callback/credentials", "POST"],
    ["DELETE", "/auth/signin/oidc", "GET, POST"],
    ["PATCH", "/auth/signout", "GET, POST"],
    ["POST", "/auth/me", "GET, PUT"],
    ["GET", "/hub/user-auth", "POST"],
    ["PUT", "/hub/apps/1/events", "POST"],
    ["GET", "/hub/apps/1/batch_events", "POST"],
    ["POST", "/metrics", "GET"],
  ])("%s %s is a 405 with Allow: %s", async (method, path, allow) => {
    const { status, headers } = await rest(method, path, { cookie: admin });
    expect([status, headers.get("allow")]).toEqual([405, allow]);
  });

  test("an unauthenticated caller gets a 405 only where no authentication is needed", async () => {
    expect((await rest("PUT", "/setup")).status).toBe(405);
    expect((await rest("GET", "/auth/callback/credentials")).status).toBe(405);
    expect((await rest("GET", "/hub/user-auth")).status).toBe(401);
    expect((await rest("POST", "/auth/me")).status).toBe(401);
    expect((await rest("GET", "/auth/callback/elsewhere", { cookie: admin })).status).toBe(404);
    expect((await rest("POST", "/inngest", { cookie: admin })).status).toBe(404);
  });

  test("a body over 1 MB is a 413, another type a 415, invalid JSON a 400", async () => {
    const call = (body: string, type = "application/json") =>
      rest("POST", "/projects", { cookie: admin, body, headers: { "content-type": type } });
    expect((await call(`{"name":"${"x".repeat(1024 * 1024)}"}`)).status).toBe(413);
    expect((await call('{"name":"x"}', "text/plain")).status).toBe(415);
    expect((await call("{")).status).toBe(400);
    expect((await call("[]")).status).toBe(400);
    expect((await call("null")).status).toBe(400);
  });
});

describe("input is strict", () => {
  test.each([
    [{ name: "A", color: "red" }, "color"],
    [{ name: "A", id: 7 }, "id"],
    [{ name: "" }, "name"],
    [{}, "name"],
    [{ name: "a\u0000b" }, "name"],
    [{ name: "\ud800" }, "name"],
    [{ name: "x".repeat(201) }, "name"],
  ])("%j names the property that is wrong", async (json, path) => {
    const { status, body } = await rest("POST", "/projects", { cookie: admin, json });
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ path })]);
  });

  test("__proto__ in a body is an unknown property", async () => {
    const body = '{"name":"A","__proto__":{"admin":true}}';
    const answer = await rest("POST", "/projects", {
      cookie: admin,
      body,
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(400);
  });

  test("an id in the body in addition to the path is rejected", async () => {
    const { status, body } = await rest("PUT", "/projects/1", { cookie: admin, json: { id: 2, name: "B" } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: "id", message: "is already given in the path" }]);
  });

  test("unknown, duplicate, and malformed query parameters are rejected", async () => {
    const path = "/projects?limit=5";
    expect((await rest("GET", path, { cookie: admin })).body.errors).toEqual([
      { path: "limit", message: "is not a known parameter" },
    ]);
    expect((await rest("POST", "/projects?name=x", { cookie: admin, json: { name: "A" } })).status).toBe(400);
  });
});

test("text in any script is preserved, and the created resource is at its Location", async () => {
  const name = "Проект 数据 🎯 e\u0301";
  const created = await rest("POST", "/projects", { cookie: admin, json: { name } });
  expect(created.status).toBe(201);
  const location = created.headers.get("location") ?? "";
  expect(location).toBe(`/svc/api/projects/${created.body.id}`);
  const found = await rest("GET", location.slice("/svc/api".length), { cookie: admin });
  expect(found.body).toEqual({
    id: created.body.id,
    name,
    description: null,
    revision: 1,
    createdAt: created.body.createdAt,
  });
  expect(found.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const removed = await rest("DELETE", `/projects/${created.body.id}`, { cookie: admin });
  expect([removed.status, removed.body]).toEqual([204, null]);
  expect((await rest("GET", `/projects/${created.body.id}`, { cookie: admin })).status).toBe(404);
});

describe("a write with a cookie from another site", () => {
  test.each([
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ origin: "https://elsewhere.example" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "same-origin", origin: "http://localhost:3000" }, 201],
    [{}, 201],
  ])("with %j is a %i", async (headers, expected) => {
    const { status } = await rest("POST", "/projects", {
      cookie: admin,
      json: { name: "P" },
      headers: headers as Record<string, string>,
    });
    expect(status).toBe(expected);
  });
});

describe("a session", () => {
  test("of a user who was disabled, demoted, or changed the password is checked again on each request", async () => {
    const user = await aUser("Admin");
    const cookie = await cookieOf(user);
    const create = async () => (await rest("POST", "/projects", { cookie, json: { name: "P" } })).status;
    expect(await create()).toBe(201);
    await db.update(users).set({ role: "Viewer" }).where(sql`id = ${user.id}`);
    expect(await create()).toBe(403);
    await db.update(users).set({ role: "Admin", enabled: false }).where(sql`id = ${user.id}`);
    expect(await create()).toBe(401);
    await db.update(users).set({ enabled: true }).where(sql`id = ${user.id}`);
    await endSessionsOf(user);
    expect(await create()).toBe(401);
  });

  test("with a tampered cookie is unauthenticated", async () => {
    expect((await rest("GET", "/projects", { cookie: `${admin.slice(0, -4)}AAAA` })).status).toBe(401);
  });
});

test("every route rejects unauthenticated callers, and Viewers who lack permission, before anything else", async () => {
  for (const { method, path, permission } of routes) {
    if (permission === "anonymous") continue;
    const concrete = path.replaceAll(/\{\w+\}/g, "1");
    expect.soft((await rest(method, concrete)).status, `${method} ${path} by nobody`).toBe(401);
    if (grants(permission, { role: "Viewer", scopes: null, projectIds: null })) continue;
    expect
      .soft((await rest(method, concrete, { cookie: viewer })).status, `${method} ${path} by a Viewer`)
      .toBe(403);
  }
});
