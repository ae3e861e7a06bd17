import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asViewer } from "../../test/factories/principals.ts";
import { startMcp } from "../../test/mcp-client.ts";
import { answerPlainCall } from "./plain-call.ts";

/** What is answered without the SDK's server is answered as by it, which answers all that comes in a batch. */
let door: Awaited<ReturnType<typeof startMcp>>;
let key: Awaited<ReturnType<typeof aKey>>;
let contractId: number;

const accepted = { "content-type": "application/json", accept: "application/json, text/event-stream" };

beforeAll(async () => {
  door = await startMcp();
  const source = await aDataSource({ name: "Depot" });
  const rules = [aRule("Volume", { minRows: 1 }), aRule("Uniqueness", { column: "id" })];
  contractId = (await aContract({ dataSourceId: source.id, rules })).id;
  key = await aKey({ scopes: ["Read"], allowedProjectIds: [source.projectId] });
});
afterAll(async () => {
  await door.stop();
  await closeSources();
});

const call = (params: object, id: unknown = 1) => ({ jsonrpc: "2.0", id, method: "tools/call", params });

async function send(body: unknown) {
  const response = await fetch(door.url, {
    method: "POST",
    headers: { ...accepted, ...key.headers },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  const told = ["content-type", "cache-control"].map((name) => headers.get(name));
  return { status, told, body: await response.json() };
}

test.each<[string, () => object]>([
  ["a result", () => call({ name: "get_contract", arguments: { contract_id: contractId } })],
  ["an ID that is a text", () => call({ name: "list_contracts", arguments: {} }, "seven")],
  ["no arguments", () => call({ name: "list_contracts" })],
  ["null for an argument", () => call({ name: "list_contracts", arguments: { project_id: null } })],
  ["a token for progress", () => call({ name: "list_contracts", _meta: { progressToken: 3 } })],
  [
    "something that does not exist",
    () => call({ name: "get_contract", arguments: { contract_id: 2 ** 30 } }),
  ],
  ["an argument of no tool", () => call({ name: "get_contract", arguments: { id: 1 } })],
  [
    "a tool that the key may not call",
    () => call({ name: "evaluate_contract", arguments: { contract_id: 1 } }),
  ],
  ["an unknown tool", () => call({ name: "drop_tables", arguments: {} })],
])("%s is answered as by the SDK", async (_, message) => {
  const answer = await send(message());
  expect(answer).toEqual(await send([message()]));
  expect(answer).toMatchObject({
    status: 200,
    body: { jsonrpc: "2.0", id: (message() as { id: unknown }).id },
  });
});

const plain = call({ name: "list_contracts", arguments: {} });

test("what is plain is answered here", async () => {
  const { principal, ...ctx } = await asViewer();
  const answer = await answerPlainCall({ ...ctx, principal }, new Headers(accepted), plain);
  expect(await answer?.json()).toMatchObject({
    id: 1,
    result: { structuredContent: { items: expect.anything() } },
  });
  const known = new Headers({ ...accepted, "mcp-protocol-version": "2025-06-18" });
  expect(await answerPlainCall({ ...ctx, principal }, known, plain)).not.toBeNull();
});

test.each<[string, unknown, Record<string, string>?]>([
  ["a client that does not take JSON", plain, { accept: "text/event-stream" }],
  ["a client that does not take streams", plain, { accept: "application/json" }],
  ["an unknown revision", plain, { "mcp-protocol-version": "1999-01-01" }],
  ["a batch", [plain]],
  ["a notification", { ...plain, id: undefined }],
  ["an ID that is null", { ...plain, id: null }],
  ["an ID that is a fraction", { ...plain, id: 1.5 }],
  ["another version of JSON-RPC", { ...plain, jsonrpc: "1.0" }],
  ["another method", { ...plain, method: "tools/list" }],
  ["another property", { ...plain, session: 1 }],
  ["no parameters", { ...plain, params: undefined }],
  ["arguments in a list", call({ name: "list_contracts", arguments: [] })],
  ["a task", call({ name: "list_contracts", arguments: {}, task: { ttl: 1 } })],
  ["a related task", call({ name: "list_contracts", _meta: { "io.modelcontextprotocol/related-task": {} } })],
  ["an unknown tool", call({ name: "drop_tables", arguments: {} })],
  ["no message", "tools/call"],
  ["nothing", undefined],
])("%s is left to the SDK", async (_, body, headers = {}) => {
  expect(await answerPlainCall(await asViewer(), new Headers({ ...accepted, ...headers }), body)).toBeNull();
});
