import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, type Page } from "@playwright/test";
import { signIn } from "./api.ts";
import { openAs } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/**
 * Someone creates a key for an assistant and pastes what the dialog shows; the assistant works with the real service.
 */
const origin = sharedUrl;
const address = `${origin}/svc/mcp`;
test.describe.configure({ mode: "serial" });

let page: Page;
let configured: { type: string; url: string; headers: { Authorization: string } };

test.beforeAll(async ({ browser }) => {
  const api = await signIn(origin);
  expect((await api("POST", "/projects", { name: "For assistants" })).status).toBe(201);
  page = await browser.newPage({ baseURL: origin, permissions: ["clipboard-read", "clipboard-write"] });
});
test.afterAll(() => page?.close());

test("the new key dialog shows a client's configuration, ready to copy", async () => {
  await openAs(page, `${origin}/api-keys`);
  await expect(page).toHaveURL(/\/api-keys$/);
  await page.getByRole("button", { name: "New API key" }).first().click();
  const form = page.getByRole("dialog", { name: "New API key" });
  await form.getByLabel("Name").fill("Assistant");
  await form.getByRole("radio", { name: "Read" }).click();
  await form.getByRole("button", { name: "Create key" }).click();

  const dialog = page.getByRole("dialog", { name: /Store the key/ });
  await expect(dialog.getByRole("tab")).toHaveText(["curl", "MCP client", "CI", "JavaScript"]);
  await dialog.getByRole("tab", { name: "MCP client" }).click();
  await dialog.getByRole("tabpanel").getByRole("button", { name: "Copy" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  configured = JSON.parse(copied).mcpServers.plumbline;
  expect(configured).toMatchObject({ type: "http", url: address });
  await dialog.getByRole("button", { name: "I have stored the key" }).click();
});

test("a client with this configuration connects and reads", async () => {
  const client = new Client({ name: "journey", version: "1" });
  const { Authorization } = configured.headers;
  const transport = new StreamableHTTPClientTransport(new URL(configured.url), {
    requestInit: { headers: { Authorization } },
  });
  await client.connect(transport as Transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("get_context");
  expect(tools.map(({ name }) => name)).not.toContain("query");
  const { resources } = await client.listResources();
  const named = resources.find(({ title }) => title === "For assistants: Quality report");
  const { contents } = await client.readResource({ uri: named?.uri ?? "" });
  expect(JSON.stringify(contents)).toContain("For assistants: quality report");
  await client.close();
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string };

async function send({ method = "POST", headers = {}, body }: Sent) {
  const accepted = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const all = { ...accepted, authorization: configured.headers.Authorization, ...headers };
  const sent = request(address, { method, agent: false, headers: all });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

test("intruders are rejected, and every response has the headers", async () => {
  const answers = {
    ping: await send({ body: ping }),
    stranger: await send({ body: ping, headers: { authorization: "" } }),
    revoked: await send({ body: ping, headers: { authorization: `Bearer sk-svc_${"x".repeat(43)}` } }),
    rebound: await send({ body: ping, headers: { host: "attacker.example" } }),
    strangeHost: await send({ body: ping, headers: { host: "localhost@attacker.example" } }),
    foreignPage: await send({ body: ping, headers: { origin: "https://attacker.example" } }),
    stream: await send({ method: "GET" }),
    end: await send({ method: "DELETE" }),
    options: await send({ method: "OPTIONS" }),
    garbage: await send({ body: "{" }),
    large: await send({ body: JSON.stringify({ text: "x".repeat(1_100_000) }) }),
  };
  expect(Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))).toEqual({
    ...{ ping: 200, stranger: 401, revoked: 401, rebound: 403, strangeHost: 403, foreignPage: 403 },
    ...{ stream: 405, end: 405, options: 405, garbage: 400, large: 413 },
  });
  for (const [name, { headers, body }] of Object.entries(answers)) {
    expect(headers["x-content-type-options"], name).toBe("nosniff");
    expect(headers["content-security-policy"], name).toContain("default-src 'none'");
    expect(headers["access-control-allow-origin"], name).toBeUndefined();
    expect(body, name).not.toContain(configured.headers.Authorization.slice(20));
  }
  expect(answers.stranger.headers["www-authenticate"]).toBe("Bearer");
  for (const { headers } of [answers.stream, answers.end, answers.options])
    expect(headers.allow).toBe("POST");
  for (const path of ["", "/svc/mcp"])
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource${path}`)).status).toBe(404);
});
