import { expect, test } from "vitest";
import { aKey } from "../test/factories/api-keys.ts";
import { findDoor } from "./doors.ts";

test.each([
  ["/svc/api/projects", "/svc/api/{path}"],
  ["/svc/api/projects/1", "/svc/api/{path}"],
  ["/svc/api", "/svc/api/{path}"],
  ["/svc/api/auth/csrf", "/svc/api/auth/{nextauth}"],
  ["/svc/api/auth/callback/credentials", "/svc/api/auth/{nextauth}"],
  ["/svc/api/authors", "/svc/api/{path}"],
  ["/svc/api/inngest", "/svc/api/inngest"],
  ["/svc/api/metrics", "/svc/api/metrics"],
  ["/svc/api/hub/user-auth", "/svc/api/hub/user-auth"],
  ["/svc/api/hub/apps/plumbline/events", "/svc/api/hub/apps/{appId}/{resource}"],
  ["/svc/api/hub/apps/plumbline/x/y", "/svc/api/{path}"],
  ["/svc/trpc/projects.list,session.me", "/svc/trpc/{trpc}"],
  ["/svc/mcp", "/svc/mcp"],
  ["/svc/unsubscribe", "/svc/unsubscribe"],
  ["/svc/pictures/12.png", "/svc/pictures/{picture}"],
  ["/metrics", "/metrics"],
  ["/openapi/v1.json", "/openapi/v1.json"],
  ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/{resource}"],
  ["/.well-known/oauth-protected-resource/svc/mcp", "/.well-known/oauth-protected-resource/{resource}"],
])("%s is handled by %s", (path, route) => {
  expect(findDoor(path)?.route).toBe(route);
});

test.each([
  "/",
  "/projects",
  "/svc",
  "/svc/x",
  "/svc/trpc",
  "/svc/trpc/a/b",
  "/svc/mcp/x",
  "/openapi/v1xjson",
])("%s is left to the pages", (path) => {
  expect(findDoor(path)).toBeNull();
});

async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const door = findDoor(path);
  if (!door) throw new Error(`No door answers ${path}`);
  return door.answer(new Request(`http://localhost${path}`, { method, headers }));
}

test.each([
  ["GET", "/openapi/v1.json", 200],
  ["HEAD", "/openapi/v1.json", 200],
  ["OPTIONS", "/openapi/v1.json", 204],
  ["POST", "/metrics", 405],
  ["GET", "/metrics", 401],
  ["GET", "/svc/api/metrics", 401],
  ["GET", "/svc/api/auth/csrf", 200],
  ["GET", "/svc/api/auth/nothing", 401],
  ["GET", "/svc/api/hub/user-auth", 401],
  ["POST", "/svc/api/hub/user-auth", 401],
  ["GET", "/svc/trpc/session.setupStatus", 200],
  ["PUT", "/svc/trpc/session.setupStatus", 405],
  ["GET", "/svc/trpc/%zz", 400],
  ["POST", "/svc/trpc/session.setupStatus,%E2%82", 400],
  ["POST", "/svc/api/hub/apps/%zz/events", 400],
  ["POST", "/svc/api/hub/apps/plumbline/%", 400],
  ["GET", "/svc/mcp", 401],
  ["POST", "/svc/api/inngest", 404],
  ["GET", "/.well-known/oauth-protected-resource", 404],
])("%s %s is a %i without credentials", async (method, path, status) => {
  expect((await ask(method, path)).status).toBe(status);
});

test("with a key, a method that only another handler of the path has is a 405 with the allowed ones", async () => {
  const { headers } = await aKey();
  for (const [path, allow] of [
    ["/svc/api/metrics", "GET"],
    ["/svc/api/hub/user-auth", "POST"],
    ["/svc/api/auth/csrf", "GET"],
  ] as const) {
    const answer = await ask("DELETE", path, headers);
    expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, allow]);
  }
});
