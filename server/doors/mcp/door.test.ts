import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { captureLog } from "../../test/captured-log.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { mcpClient, startMcp } from "../../test/mcp-client.ts";
import { handleProtectedResource } from "./discovery.ts";
import { handleMcp } from "./door.ts";

/** Checks before any tool is called: authentication, origin, and message format. */
const lines = captureLog();
let door: Awaited<ReturnType<typeof startMcp>>;
let key: Awaited<ReturnType<typeof aKey>>;

beforeAll(async () => {
  door = await startMcp();
  const { projectId } = await aDataSource({ name: "Depot" });
  key = await aKey({ allowedProjectIds: [projectId] });
});
afterAll(async () => {
  await door.stop();
  await closeSources();
});

const accepted = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const message = (method: string, params: object = {}, id: number | string = 1) => ({
  ...{ jsonrpc: "2.0", id, method, params },
});
const list = message("tools/list");
const call = (name: string, args: object, id = 1) => message("tools/call", { name, arguments: args }, id);

type Sent = { method?: string; headers?: Record<string, string | undefined>; body?: unknown };

/** One request as raw bytes, with a key unless the headers specify otherwise. */
async function send({ method = "POST", headers = {}, body }: Sent) {
  const all = { ...accepted, ...key.headers, ...headers };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  const sent = request(door.url, {
    method,
    agent: false,
    headers: Object.fromEntries(present) as Record<string, string>,
  });
  sent.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode: status, headers: answered } = response;
  const text = status === 202 ? null : await json(response);
  return { status, headers: answered, body: text as Record<string, unknown> };
}

const problem = (status: number, detail?: string) => ({
  status,
  headers: { "content-type": "application/problem+json" },
  body: { status, requestId: expect.any(String), ...(detail && { detail }) },
});
const fault = (status: number, code: number) => ({
  status,
  headers: { "content-type": "application/json" },
  body: { jsonrpc: "2.0", error: { code, message: expect.any(String) }, id: null },
});

describe("authentication", () => {
  test("accepts a key or a session, and rejects others as in REST", async () => {
    const none = { authorization: undefined };
    expect((await send({ body: list })).status).toBe(200);
    expect((await send({ body: list, headers: { ...none, cookie: await aSession() } })).status).toBe(200);
    for (const headers of [
      none,
      { authorization: key.headers.authorization.replace("Bearer", "bearer") },
      { ...none, "x-api-key": key.rawKey },
      { ...none, cookie: "next-auth.session-token=x" },
    ])
      expect(await send({ body: list, headers })).toMatchObject(problem(401, "Authentication is required"));
    const refused = await send({ body: list, headers: { authorization: `${key.headers.authorization}x` } });
    expect(refused).toMatchObject(problem(401, "Invalid or expired API key"));
    expect(refused.headers["www-authenticate"]).toBe("Bearer");
    expect(refused.headers["x-request-id"]).toBe(refused.body.requestId);
  });

  test("comes first: an unauthenticated caller learns of no other errors", async () => {
    const strange = [
      { method: "GET" },
      { method: "DELETE" },
      { body: "{" },
      { body: list, headers: { host: "x.example" } },
    ];
    for (const sent of strange)
      expect
        .soft((await send({ ...sent, headers: { ...sent.headers, authorization: undefined } })).status)
        .toBe(401);
  });
});

describe("hosts and origins", () => {
  const { host } = new URL("http://localhost:3000");

  test("the service's own name, localhost, and addresses are accepted", async () => {
    for (const each of [
      host,
      "localhost",
      "localhost:8080",
      "127.0.0.1:3000",
      "[::1]:3000",
      "192.0.2.1",
      "LOCALHOST:3000",
    ])
      expect.soft((await send({ body: list, headers: { host: each } })).status, each).toBe(200);
  });

  test("a name that was rebound to this address is rejected", async () => {
    for (const each of [
      ...["attacker.example", "attacker.example:3000", "localhost.attacker.example", "127.0.0.1.nip.example"],
      ...[
        "localhost:3000@attacker.example",
        "attacker.example#localhost",
        "attacker.example/localhost",
        "0x7f.1.example",
      ],
    ])
      expect
        .soft(await send({ body: list, headers: { host: each } }), each)
        .toMatchObject(problem(403, expect.stringContaining("PUBLIC_URL") as unknown as string));
  });

  test("a page of another origin is rejected, whatever its credentials", async () => {
    for (const origin of [
      "https://attacker.example",
      "null",
      "http://localhost:3001",
      "http://localhost:3000.attacker.example",
    ])
      expect.soft((await send({ body: list, headers: { host, origin } })).status, origin).toBe(403);
    for (const origin of ["http://localhost:3000", undefined])
      expect.soft((await send({ body: list, headers: { host, origin } })).status, origin).toBe(200);
  });

  test("with a cookie, only the service's own pages are accepted", async () => {
    const cookie = await aSession();
    for (const site of ["cross-site", "same-site"]) {
      const headers = { authorization: undefined, cookie, "sec-fetch-site": site };
      expect(await send({ body: list, headers })).toMatchObject(problem(403));
    }
    const headers = { authorization: undefined, cookie, "sec-fetch-site": "same-origin" };
    expect((await send({ body: list, headers })).status).toBe(200);
  });
});

describe("message format", () => {
  test("only POST is supported: there are no streams or sessions", async () => {
    for (const method of ["GET", "DELETE", "PUT", "PATCH", "OPTIONS"]) {
      const answer = await send({ method });
      expect.soft(answer, method).toMatchObject(problem(405, "This path accepts POST"));
      expect.soft(answer.headers.allow, method).toBe("POST");
    }
  });

  test("invalid JSON-RPC is a protocol error", async () => {
    for (const body of [
      "{",
      "",
      "null",
      "[]x",
      '"tools/list"',
      "{}",
      { jsonrpc: "1.0", id: 1, method: "ping" },
      { ...list, id: {} },
      [1],
    ])
      expect.soft(await send({ body }), JSON.stringify(body)).toMatchObject(fault(400, -32700));
    const tooMany = Array.from({ length: 101 }, (_, id) => message("ping", {}, id));
    expect(await send({ body: tooMany })).toMatchObject(fault(400, -32600));
  });

  test("the headers must specify JSON, and a known version", async () => {
    expect((await send({ body: list, headers: { "content-type": "text/plain" } })).status).toBe(415);
    expect((await send({ body: list, headers: { accept: "text/html" } })).status).toBe(406);
    expect((await send({ body: list, headers: { "mcp-protocol-version": "1999-01-01" } })).status).toBe(400);
    expect((await send({ body: list, headers: { "mcp-protocol-version": "2025-06-18" } })).status).toBe(200);
  });

  test("a body over a megabyte is not read", async () => {
    const body = JSON.stringify(call("query", { sql: "x".repeat(1024 * 1024) }));
    expect(await send({ body })).toMatchObject(fault(413, -32000));
    expect(await send({ body, headers: { "transfer-encoding": "chunked" } })).toMatchObject(
      fault(413, -32000),
    );
    const fits = await send({ body: call("query", { sql: `select 1 --${"x".repeat(90_000)}` }) });
    expect(fits.body.result).toMatchObject({ structuredContent: { rows: [[1]] } });
  });

  test("concurrent requests are answered separately", async () => {
    const ids = [1, 2, 3, 4, 5, 6];
    const all = await Promise.all(
      ids.map((id) => send({ body: call("query", { sql: `select ${id}` }, id) })),
    );
    expect(all.map(({ body }) => body)).toMatchObject(
      ids.map((id) => ({ id, result: { structuredContent: { rows: [[id]] } } })),
    );
  });

  test("a notification is accepted and not answered", async () => {
    const { status } = await send({ body: { jsonrpc: "2.0", method: "notifications/initialized" } });
    expect(status).toBe(202);
  });

  test("an unknown method and invalid parameters are protocol errors", async () => {
    const codeOf = async (body: object) => {
      const answer = await send({ body });
      return [answer.status, (answer.body.error as { code: number }).code];
    };
    for (const method of [
      "tools/delete",
      "prompts/delete",
      "resources/subscribe",
      "completion/complete",
      "tasks/list",
      "sampling/createMessage",
    ])
      expect.soft(await codeOf(message(method, { level: "debug" })), method).toEqual([200, -32601]);
    expect(await codeOf(message("tools/call", { name: 1 }))).toEqual([200, -32603]);
    expect(await codeOf(message("tools/call", { name: "get_context", arguments: [] }))).toEqual([
      200, -32603,
    ]);
    const asTask = message("tools/call", { name: "get_context", task: { ttl: 1000 } });
    expect(await codeOf(asTask)).toEqual([200, -32603]);
  });

  test("responses identify the request but are not cached, and the log contains no key", async () => {
    const answer = await send({ body: message("ping") });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-request-id": expect.any(String) });
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
    expect(answer.body).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(lines.some((line) => line.includes("message was invalid"))).toBe(true);
    expect(lines.join()).not.toContain(key.rawKey.slice(16));
  });
});

describe("a batch", () => {
  const answers = async (body: object[]) => {
    const { status, body: all } = await send({ body });
    expect(status).toBe(200);
    return (all as unknown as { id: number; result?: object; error?: object }[]).toSorted(
      (a, b) => a.id - b.id,
    );
  };

  test("is answered as one, with each request separate", async () => {
    const [first, second, third] = await answers([
      call("query", { sql: "select 1 as one" }, 1),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } } as object,
      call("query", { sql: "delete from projects" }, 2),
      call("nothing", {}, 3),
    ]);
    expect(first?.result).toMatchObject({ structuredContent: { rows: [[1]] } });
    expect(second?.result).toMatchObject({ isError: true });
    expect(third?.error).toMatchObject({ code: -32602 });
  });

  test("with a duplicate id is still answered", async () => {
    const { status } = await send({ body: [message("ping", {}, 1), message("ping", {}, 1)] });
    expect(status).toBe(200);
  });
});

test("calls are rate limited: requests as in REST, and those of a batch individually", async () => {
  vi.stubEnv("RATE_LIMIT_PRINCIPAL", "5");
  vi.resetModules();
  const limited = (await import("./door.ts")).handleMcp;
  try {
    const post = (body: unknown) =>
      limited(
        new Request("http://localhost:3000/svc/mcp", {
          method: "POST",
          headers: { host: "localhost:3000", ...accepted, ...key.headers },
          body: JSON.stringify(body),
        }),
      );
    const response = await post(Array.from({ length: 7 }, (_, id) => call("list_contracts", {}, id)));
    const results = (await response.json()) as { result?: object; error?: { message: string } }[];
    expect(results.filter(({ result }) => result)).toHaveLength(5);
    expect(results.find(({ error }) => error)?.error?.message).toMatch(
      /^Too many requests; try again in \d+ s$/,
    );
    const next = await post(list);
    expect([next.status, next.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  } finally {
    vi.unstubAllEnvs();
    vi.resetModules();
  }
});

describe("discovery", () => {
  const wellKnown = "http://localhost:3000/.well-known/oauth-protected-resource";
  const settings = {
    OIDC_ISSUER: "https://id.example.com/realms/corp",
    OIDC_CLIENT_ID: "plumbline",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_DEFAULT_ROLE: "Viewer",
    PUBLIC_URL: "https://plumbline.example",
  };
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  test("without a provider there is no metadata, and the challenge is plain", () => {
    expect(handleProtectedResource(new Request(wellKnown)).status).toBe(404);
    expect(handleProtectedResource(new Request(`${wellKnown}/svc/mcp`)).status).toBe(404);
  });

  test("with a provider the challenge leads to the metadata, and that to the provider", async () => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    vi.resetModules();
    const { handleMcp } = await import("./door.ts");
    const { handleProtectedResource } = await import("./discovery.ts");
    const refused = await handleMcp(new Request("https://plumbline.example/svc/mcp", { method: "POST" }));
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer resource_metadata="https://plumbline.example/.well-known/oauth-protected-resource/svc/mcp"',
    ]);
    for (const path of ["", "/svc/mcp"]) {
      const answer = handleProtectedResource(new Request(wellKnown + path));
      expect(z.looseObject({}).parse(await answer.json())).toEqual({
        resource: "https://plumbline.example/svc/mcp",
        authorization_servers: ["https://id.example.com/realms/corp"],
        bearer_methods_supported: ["header"],
        scopes_supported: ["openid", "profile", "email"],
        resource_name: "Plumbline",
      });
    }
    expect(handleProtectedResource(new Request(`${wellKnown}/elsewhere`)).status).toBe(404);
  });
});

test("the official client connects, and receives instructions", async () => {
  const client = await mcpClient(door.url, key.headers);
  expect(client.getServerVersion()).toMatchObject({ name: "plumbline", title: "Plumbline" });
  expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {}, logging: {} });
  expect(client.getInstructions()).toMatch(/get_context[\s\S]*dry_run[\s\S]*never follow an instruction/);
  await client.ping();
  await client.close();
});

test("an incomplete body is the caller's error, and leaves nothing open", async () => {
  const body = new ReadableStream({ pull: (stream) => stream.error(new Error("gone")) });
  const answer = await handleMcp(
    new Request("http://localhost:3000/svc/mcp", {
      method: "POST",
      headers: { host: "localhost:3000", ...accepted, ...key.headers },
      body,
      duplex: "half",
    } as RequestInit),
  );
  expect(answer.status).toBe(400);
});
