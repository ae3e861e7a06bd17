import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "@playwright/test";
import { sessionCookie, signIn } from "./api.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** Requests that no browser sends, byte by byte: whatever path and headers a stranger tries, nothing is revealed. */
const url = new URL(sharedUrl);
const kept = "Kept from strangers";

test.beforeAll(async () => {
  const api = await signIn(url.origin);
  expect((await api("POST", "/projects", { name: kept })).status).toBe(201);
});

type Answer = { status: number; headers: IncomingMessage["headers"]; body: string };

/** The response to exactly this path, following redirects within the service. */
async function get(path: string, headers: Record<string, string> = {}, hops = 4): Promise<Answer> {
  const { hostname, port } = url;
  const sent = request({
    hostname,
    port,
    path,
    headers: { host: url.host, connection: "close", ...headers },
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const body = await text(response);
  const { statusCode = 0, headers: answered } = response;
  const leadsOn = [307, 308].includes(statusCode) && answered.location?.startsWith("/");
  if (leadsOn && hops > 0) return get(answered.location ?? "", headers, hops - 1);
  return { status: statusCode, headers: answered, body };
}

const doors = [
  ...["/svc/api/projects", "//svc/api/projects", "/svc//api//projects", "/svc/api/projects/"],
  ...["/svc/api/%70rojects", "/%73vc/api/projects", "/svc%2fapi%2fprojects", "/svc/api/%2e%2e/api/projects"],
  ...["/svc/api/auth/../projects", "/svc/api/auth/..%2fprojects", "/svc/api/auth/csrf/../../projects"],
  ...["/svc/api/projects%00", "/svc/api/projects;x=1", "/SVC/API/PROJECTS", "/svc\\api\\projects"],
  ...[
    "http://elsewhere.example/svc/api/projects",
    "/openapi/../svc/api/projects",
    "/_next/../svc/api/projects",
  ],
  ...["/svc/trpc/projects.list", "/svc/trpc//projects.list", "/svc/trpc/%70rojects.list"],
  ...["/svc/trpc/session.setupStatus,projects.list?batch=1", "/svc/trpc/projects.list?batch=1&input=%7B%7D"],
  ...["/projects", "//projects", "/%70rojects", "/projects?_rsc=1", "/(console)/projects", "/projects.rsc"],
  ...["/_next/data/x/projects.json", "/sign-in/../projects", "/setup/..%2fprojects"],
];

/** Only the page's part of the tree, without the layout that checks for a session. */
const pageAlone = encodeURIComponent(
  JSON.stringify([
    "",
    { children: ["(console)", { children: ["projects", { children: ["__PAGE__", {}, null, "refetch"] }] }] },
  ]),
);
const guises: Record<string, string>[] = [
  {},
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { rsc: "1" },
  { rsc: "1", "next-router-state-tree": pageAlone },
  { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/projects/__PAGE__" },
  {
    "x-forwarded-host": "localhost",
    "x-original-url": "/svc/api/projects",
    "x-rewrite-url": "/svc/api/projects",
  },
  { "x-invoke-path": "/projects", "x-matched-path": "/svc/api/projects", "x-forwarded-for": "127.0.0.1" },
  { authorization: "Bearer null", cookie: "next-auth.session-token=x; __Secure-next-auth.session-token=x" },
];

test("an unauthenticated caller learns nothing, by any path or trick", async () => {
  for (const path of doors)
    for (const headers of guises) {
      const { status, body } = await get(path, headers);
      const what = `${path} ${JSON.stringify(headers)}`;
      expect([200, 207, 307, 308, 400, 401, 404], what).toContain(status);
      expect(body, what).not.toContain(kept);
    }
});

test("what requires authentication is available after signing in", async () => {
  const cookie = await sessionCookie(url.origin);
  for (const path of ["/svc/api/projects", "/svc//api//projects", "/svc/trpc/projects.list", "/projects"])
    expect((await get(path, { cookie })).body, path).toContain(kept);
  for (const headers of [guises[2], guises[3]])
    expect((await get("/projects", { cookie, ...headers })).body).toContain(kept);
});

test("headers set by the process cannot be set by the sender", async () => {
  const cookie = await sessionCookie(url.origin);
  await get("/svc/api/projects", { cookie, "x-plumbline-address": "192.0.2.66" });
  const { body } = await get("/svc/api/audit-log", { cookie, "x-plumbline-path": "//elsewhere.example" });
  expect(body).toContain('"address":"127.0.0.1"');
  expect(body).not.toContain("192.0.2.66");
  const { headers } = await get("/data-quality?x=1", { "x-plumbline-path": "//elsewhere.example" }, 0);
  expect(headers.location).toBe("/sign-in?next=%2Fdata-quality%3Fx%3D1");
});

/** Sends a body without a declared length, and returns the response and how much of it could be sent. */
async function stream(path: string, type: string): Promise<{ status: number; megabytes: number }> {
  const { hostname, port } = url;
  const sent = request({
    ...{ hostname, port, path, method: "POST" },
    headers: { host: url.host, "content-type": type, "transfer-encoding": "chunked" },
  });
  let status = 0;
  const closed = new Promise((resolve) => sent.once("close", resolve).once("error", resolve));
  sent.once("response", (response) => {
    status = response.statusCode ?? 0;
    response.resume();
  });
  const megabyte = Buffer.alloc(1024 * 1024, " ");
  let megabytes = 0;
  for (; megabytes < 300 && !sent.destroyed; megabytes++)
    if (!sent.write(megabyte))
      await Promise.race([new Promise((resolve) => sent.once("drain", resolve)), closed]);
  sent.destroy();
  return { status, megabytes };
}

test("no endpoint reads an endless body", async () => {
  const json = "application/json";
  const streamed = [
    ["/svc/trpc/session.setUp", json, 413],
    ["/svc/api/setup", json, 413],
    ["/svc/api/auth/callback/credentials", "application/x-www-form-urlencoded", 413],
    ["/svc/api/hub/apps/plumbline/events", json, 413],
    ["/svc/api/projects", json, 401],
    ["/svc/mcp", json, 401],
    ["/svc/api/inngest", json, 404],
    ["/setup", "multipart/form-data; boundary=x", 405],
  ] as const;
  // All at once: the service keeps each connection open for some seconds after its response.
  await Promise.all(
    streamed.map(async ([path, type, expected]) => {
      const { status, megabytes } = await stream(path, type);
      expect([status, megabytes < 100], `${path}: ${megabytes} MB`).toEqual([expected, true]);
    }),
  );
});

test("a known path rejects other methods with 405 and lists the allowed ones", async () => {
  for (const [method, path, allow] of [
    ["GET", "/svc/api/auth/callback/credentials", "POST"],
    ["PUT", "/svc/api/auth/csrf", "GET"],
    ["DELETE", "/svc/api/auth/signout", "GET, POST"],
    ["PUT", "/svc/api/hub/apps/plumbline/events", "POST"],
    ["PUT", "/svc/trpc/session.me", "GET, POST"],
    ["POST", "/control-tower", "GET, HEAD, OPTIONS"],
    ["POST", "/metrics", "GET, HEAD, OPTIONS"],
  ] as const) {
    const answer = await fetch(url.origin + path, { method });
    expect([answer.status, answer.headers.get("allow")], `${method} ${path}`).toEqual([405, allow]);
  }
});

test("signing in through a foreign domain's name is rejected", async () => {
  const { hostname, port } = url;
  const sent = request({
    ...{ hostname, port, method: "POST", path: "/svc/api/auth/callback/credentials" },
    headers: { host: "attacker.example", "content-type": "application/x-www-form-urlencoded" },
  });
  sent.end("email=a&password=b");
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(403);
  expect(await text(response)).toContain("PUBLIC_URL");
});
