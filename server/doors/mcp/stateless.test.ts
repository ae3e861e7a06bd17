import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLog } from "../../audit/tables.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { mcpClient, startMcp } from "../../test/mcp-client.ts";

/** Revision 2026-07-28, beside those whose clients connect first, on the same address. */
let door: Awaited<ReturnType<typeof startMcp>>;
let key: Awaited<ReturnType<typeof aKey>>;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  door = await startMcp();
  source = await aDataSource({ name: "Depot" });
  key = await aKey({ allowedProjectIds: [source.projectId] });
});
afterAll(async () => {
  await door.stop();
  await closeSources();
});

const revision = "2026-07-28";
const meta = (capabilities: object = {}, version = revision) => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});
const withTasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const withForms = { elicitation: { form: {} } };

type Sent = {
  method: string;
  params?: Record<string, unknown>;
  capabilities?: object;
  headers?: Record<string, string | undefined>;
  id?: number;
};
type Answer = { result?: Record<string, unknown>; error?: { code: number; message: string; data?: object } };

/** One request as its bytes are on the wire, with the headers that repeat its body unless they say otherwise. */
async function send({ method, params = {}, capabilities = {}, headers = {}, id = 1 }: Sent) {
  const name = (params.name ?? params.uri ?? params.taskId) as string | undefined;
  const all = {
    ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
    ...{ "mcp-protocol-version": revision, "mcp-method": method, "mcp-name": name },
    ...key.headers,
    ...headers,
  };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  const sent = request(door.url, {
    ...{ method: "POST", agent: false },
    headers: Object.fromEntries(present) as Record<string, string>,
  });
  sent.end(JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: meta(capabilities), ...params } }));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const body = response.statusCode === 202 ? {} : ((await json(response)) as Answer & { id: unknown });
  return { status: response.statusCode, headers: response.headers, body: body as Answer & { id: unknown } };
}

const call = (name: string, args: object = {}, more: Partial<Sent> = {}, extra: object = {}) =>
  send({ method: "tools/call", ...more, params: { name, arguments: args, ...extra } });

describe("the official clients of both lines", () => {
  const newClient = async (mode: "legacy" | "auto" | { pin: string }, fetched: Request[] = []) => {
    const client = new NewClient({ name: "tests", version: "2" }, { versionNegotiation: { mode } });
    const transport = new NewTransport(new URL(door.url), {
      requestInit: { headers: key.headers },
      fetch: (url, init) => {
        fetched.push(new Request(url, init));
        return fetch(url, init);
      },
    });
    await client.connect(transport);
    return client;
  };

  test("get the same tools, results, resources, and prompts from one address", async () => {
    const old = await mcpClient(door.url, key.headers);
    const clients = [await newClient("legacy"), await newClient("auto"), await newClient({ pin: revision })];
    expect(clients.map((client) => client.getNegotiatedProtocolVersion())).toEqual([
      "2025-11-25",
      revision,
      revision,
    ]);
    const names = (await old.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("query");
    for (const client of clients) {
      expect(client.getServerVersion()).toMatchObject({ name: "plumbline", title: "Plumbline" });
      expect(client.getInstructions()).toBe(old.getInstructions());
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
      const rows = await client.callTool({ name: "query", arguments: { sql: "select 2 as two" } });
      expect(rows.structuredContent).toMatchObject({ rows: [[2]] });
      const refused = await client.callTool({ name: "query", arguments: { sql: "delete from projects" } });
      expect(refused.isError).toBe(true);
      const uri = `svc://project/${source.projectId}/report`;
      expect((await client.listResources()).resources.map((each) => each.uri)).toContain(uri);
      expect((await client.readResource({ uri })).contents[0]).toMatchObject({ uri });
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(4);
      expect((await client.listPrompts()).prompts).toHaveLength(3);
      const prompt = await client.getPrompt({
        name: "answer_question",
        arguments: { question: "How many?" },
      });
      expect(JSON.stringify(prompt.messages)).toContain("How many?");
      await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow(
        "Unknown tool: nothing",
      );
      await client.close();
    }
    await old.close();
  });

  test("of the new line connect to nothing, and keep lists for as long as we say", async () => {
    const sent: Request[] = [];
    const client = await newClient("auto", sent);
    for (const _ of [1, 2, 3]) await client.listTools();
    const methods = await Promise.all(sent.map(async (each) => each.headers.get("mcp-method")));
    expect(methods).toEqual(["server/discover", "tools/list"]);
    expect(sent.every((each) => each.headers.get("mcp-session-id") === null)).toBe(true);
    await client.close();
  });

  test("of the new line answer our questions: the person chooses a project", async () => {
    const other = await aProject({ name: "Other" });
    const both = await aKey({ allowedProjectIds: [source.projectId, other.id] });
    const client = new NewClient(
      { name: "tests", version: "2" },
      { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {} } } },
    );
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params);
      return { action: "accept", content: { project_id: String(source.projectId) } };
    });
    await client.connect(new NewTransport(new URL(door.url), { requestInit: { headers: both.headers } }));
    const result = await client.callTool({ name: "query", arguments: { sql: "select 3 as three" } });
    expect(result.structuredContent).toMatchObject({ rows: [[3]] });
    expect(asked).toMatchObject([{ mode: "form", message: "Which project?" }]);
    await client.close();
  });
});

describe("server/discover", () => {
  test("says what there is, without a handshake", async () => {
    const { status, headers, body } = await send({ method: "server/discover" });
    expect([status, headers["mcp-session-id"], headers["cache-control"]]).toEqual([
      200,
      undefined,
      "no-store",
    ]);
    expect(body.result).toEqual({
      resultType: "complete",
      supportedVersions: [revision],
      capabilities: {
        tools: {},
        resources: {},
        prompts: {},
        extensions: { "io.modelcontextprotocol/tasks": {} },
      },
      instructions: expect.stringContaining("get_context"),
      ttlMs: 3_600_000,
      cacheScope: "public",
      _meta: {
        "io.modelcontextprotocol/serverInfo": { name: "plumbline", title: "Plumbline", version: "1" },
      },
    });
  });

  test("asks who is calling first, like every method", async () => {
    const none = { authorization: undefined };
    expect((await send({ method: "server/discover", headers: none })).status).toBe(401);
    const origin = { origin: "https://attacker.example", host: "localhost:3000" };
    expect((await send({ method: "server/discover", headers: origin })).status).toBe(403);
    expect((await send({ method: "server/discover", headers: { host: "attacker.example" } })).status).toBe(
      403,
    );
  });
});

test("every list says how long it may be kept, and by whom", async () => {
  const kept = async (method: string, params: Record<string, unknown> = {}) => {
    const { ttlMs, cacheScope } = (await send({ method, params })).body.result as Record<string, unknown>;
    return [ttlMs, cacheScope];
  };
  expect(await kept("tools/list")).toEqual([300_000, "private"]);
  expect(await kept("resources/list")).toEqual([60_000, "private"]);
  expect(await kept("resources/templates/list")).toEqual([3_600_000, "public"]);
  expect(await kept("prompts/list")).toEqual([3_600_000, "public"]);
  const uri = `svc://project/${source.projectId}/quality`;
  expect(await kept("resources/read", { uri })).toEqual([0, "private"]);
});

describe("a request is refused", () => {
  const refusal = async (sent: Sent) => {
    const { status, body } = await send(sent);
    expect(body.id).toBe(sent.id ?? 1);
    return [status, body.error?.code];
  };
  const list = { method: "tools/list", id: 7 };

  test("for what its _meta lacks", async () => {
    const { "io.modelcontextprotocol/clientCapabilities": _, ...without } = meta();
    expect(await refusal({ ...list, params: { _meta: without } })).toEqual([400, -32602]);
    expect(await refusal({ ...list, params: { _meta: {} } })).toEqual([400, -32602]);
    const { "io.modelcontextprotocol/clientInfo": __, ...nameless } = meta();
    expect((await send({ ...list, params: { _meta: nameless } })).status).toBe(200);
  });

  test("for a version that is not ours, with those that are", async () => {
    const future = { ...list, params: { _meta: meta({}, "2099-01-01") } };
    const { status, body } = await send({ ...future, headers: { "mcp-protocol-version": "2099-01-01" } });
    expect([status, body.error]).toMatchObject([
      400,
      { code: -32022, data: { supported: [revision], requested: "2099-01-01" } },
    ]);
  });

  test("for headers that do not repeat its body", async () => {
    const query = { method: "tools/call", params: { name: "query", arguments: { sql: "select 1" } } };
    for (const headers of [
      { "mcp-method": "tools/list" },
      { "mcp-method": undefined },
      { "mcp-method": "TOOLS/CALL" },
      { "mcp-name": "get_context" },
      { "mcp-name": undefined },
      { "mcp-name": "=?base64?!?=" },
      { "mcp-protocol-version": undefined },
      { "mcp-protocol-version": "2025-11-25" },
    ])
      expect.soft(await refusal({ ...query, headers }), JSON.stringify(headers)).toEqual([400, -32020]);
    const base64 = `=?base64?${Buffer.from("query").toString("base64")}?=`;
    for (const name of ["  query  ", base64])
      expect((await send({ ...query, headers: { "mcp-name": name } })).body.result).toMatchObject({
        structuredContent: { rows: [[1]] },
      });
  });

  test("for a method that this revision does not have", async () => {
    for (const method of ["initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list", "x"])
      expect.soft(await refusal({ method }), method).toEqual([404, -32601]);
  });

  test("for parameters that do not fit, and resources that are not there", async () => {
    expect(await refusal({ method: "tools/call", params: { arguments: {} } })).toEqual([200, -32602]);
    expect(await refusal({ method: "tools/call", params: { name: "query", arguments: [] } })).toEqual([
      200, -32602,
    ]);
    expect(await refusal({ method: "resources/read", params: { uri: "svc://project/1/x" } })).toEqual([
      200, -32602,
    ]);
    expect(await refusal({ method: "prompts/get", params: { name: "answer_question" } })).toEqual([
      200, -32602,
    ]);
  });

  test("for being in a batch, which this revision has given up", async () => {
    const body = [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta() } }];
    const headers = {
      ...key.headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const answer = await fetch(door.url, { method: "POST", headers, body: JSON.stringify(body) });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32600 }, id: null }]);
  });
});

test("a notification is accepted and not answered", async () => {
  const headers = { ...key.headers, "content-type": "application/json", "mcp-protocol-version": revision };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  });
  expect((await fetch(door.url, { method: "POST", headers, body })).status).toBe(202);
});

test("a tool that the caller may not call is unknown, and calls are audited as ever", async () => {
  const reader = await aKey({ scopes: ["Read"], allowedProjectIds: [source.projectId] });
  const { body } = await call("query", { sql: "select 1" }, { headers: reader.headers });
  expect(body.error).toMatchObject({ code: -32602, message: "Unknown tool: query" });
  const entriesOf = async (run: () => Promise<unknown>) => {
    const before = await db.$count(auditLog);
    await run();
    const entries = await db.select().from(auditLog).orderBy(auditLog.id).offset(before);
    return entries.map(({ id: _, at: __, ...entry }) => entry);
  };
  const query = { name: "query", arguments: { sql: "select 41 + 1" } };
  const client = await mcpClient(door.url, key.headers);
  const [byOld, byNew] = [
    await entriesOf(() => client.callTool(query)),
    await entriesOf(() => call(query.name, query.arguments)),
  ];
  expect(byNew).toEqual(byOld);
  expect(byNew).toMatchObject([{ principalKind: "ApiKey", principalId: key.id }]);
});

describe("input_required", () => {
  test("asks which project, and takes the answer with the same checks as an argument", async () => {
    const [north, south] = [await aProject({ name: "Northern" }), await aProject({ name: "Southern" })];
    const hidden = await aProject({ name: "Hidden" });
    const both = (await aKey({ allowedProjectIds: [north.id, south.id] })).headers;
    const ask = (capabilities: object, extra: object = {}) =>
      call("get_context", {}, { headers: both, capabilities }, extra);

    expect((await ask(withForms)).body.result).toEqual({
      resultType: "input_required",
      inputRequests: {
        project_id: {
          method: "elicitation/create",
          params: {
            mode: "form",
            message: "Which project?",
            requestedSchema: {
              type: "object",
              properties: {
                project_id: {
                  type: "string",
                  title: "Project",
                  oneOf: [
                    { const: String(north.id), title: "Northern" },
                    { const: String(south.id), title: "Southern" },
                  ],
                },
              },
              required: ["project_id"],
            },
          },
        },
      },
      _meta: expect.anything(),
    });
    const answered = (content: object, action = "accept") =>
      ask(withForms, { inputResponses: { project_id: { action, content }, more: { action: "accept" } } });
    const chosen = (await answered({ project_id: String(south.id) })).body.result;
    expect(chosen).toMatchObject({
      resultType: "complete",
      structuredContent: { project: { name: "Southern" } },
    });
    const other = (await answered({ project_id: String(hidden.id) })).body.result;
    expect(other).toMatchObject({ isError: true, content: [{ text: "No project found" }] });
    const unclear = (await answered({ project_id: "south" })).body.result;
    expect(unclear).toMatchObject({ resultType: "input_required" });
    for (const action of ["decline", "cancel"])
      expect((await answered({}, action)).body.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("Several projects: specify project_id.") }],
      });
  });

  test("is not sent to a client that cannot ask", async () => {
    const other = await aProject();
    const both = (await aKey({ allowedProjectIds: [source.projectId, other.id] })).headers;
    for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }, withTasks]) {
      const { body } = await call("get_context", {}, { headers: both, capabilities });
      expect(body.result).toMatchObject({ resultType: "complete", isError: true });
    }
    const { body } = await call("get_context", {}, { headers: both, capabilities: { elicitation: {} } });
    expect(body.result).toMatchObject({ resultType: "input_required" });
  });

  test("takes back no state that was not signed for this caller", async () => {
    const state = { capabilities: withForms };
    for (const requestState of ["x", "v1.e30.AAAA", ""])
      expect((await call("get_context", {}, state, { requestState })).body.error).toMatchObject({
        code: -32602,
      });
  });
});

describe("tasks", () => {
  /** Its one rule waits until the test lets go of a lock. */
  async function aSlowContract() {
    const table = `slow_${Math.random().toString(36).slice(2)}`;
    await sql.unsafe(`create table public.${table} (id int); insert into public.${table} values (1)`);
    const contract = await aContract({
      dataSourceId: source.id,
      tableName: table,
      rules: [{ name: "Rows", type: "Volume", configuration: { minRows: 1 } }],
    });
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locked: () => void = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const lock = sql.begin(async (tx) => {
      await tx.unsafe(`lock table public.${table} in access exclusive mode`);
      locked();
      await held;
    });
    await isLocked;
    return {
      contract,
      async release() {
        release();
        await lock;
      },
    };
  }

  const get = (taskId: string, more: Partial<Sent> = {}) =>
    send({ method: "tasks/get", capabilities: withTasks, ...more, params: { taskId } });

  async function ended(taskId: string) {
    for (;;) {
      const { result } = (await get(taskId)).body;
      if (result?.status !== "working") return result;
    }
  }

  test("long work answers with a task that says how far it is, and in the end with the tool's result", async () => {
    const { contract, release } = await aSlowContract();
    const started = await call(
      "evaluate_contract",
      { contract_id: contract.id },
      { capabilities: withTasks },
    );
    expect(started.body.result).toMatchObject({
      resultType: "task",
      status: "working",
      statusMessage: expect.stringMatching(/^Evaluation \d+ is in progress: 0 of 1 rules$/),
      createdAt: expect.stringMatching(/Z$/),
      lastUpdatedAt: expect.stringMatching(/Z$/),
      ttlMs: 86_400_000,
      pollIntervalMs: 1000,
    });
    const taskId = String(started.body.result?.taskId);
    expect((await get(taskId)).body.result).toMatchObject({
      resultType: "complete",
      taskId,
      status: "working",
    });

    const more = { capabilities: withTasks };
    const updated = await send({ method: "tasks/update", ...more, params: { taskId, inputResponses: {} } });
    expect(updated.body.result).toEqual({ resultType: "complete", _meta: expect.anything() });
    const cancelled = await send({ method: "tasks/cancel", ...more, params: { taskId } });
    expect(cancelled.body.result).toEqual({ resultType: "complete", _meta: expect.anything() });

    await release();
    const done = await ended(taskId);
    expect(done).toMatchObject({
      resultType: "complete",
      status: "completed",
      result: { structuredContent: { overallScore: 100, status: "Completed" } },
    });
    // The same as who waits is answered.
    const waited = await call("evaluate_contract", { contract_id: contract.id });
    const { structuredContent } = waited.body.result as { structuredContent: object };
    expect(done?.result).toMatchObject({
      structuredContent: Object.fromEntries(
        Object.keys(structuredContent).map((name) => [name, expect.toSatisfy(() => true)]),
      ),
    });
  });

  test("short work, and clients that know no tasks, are answered with the result", async () => {
    const contract = await aContract({ dataSourceId: source.id, tableName: "projects" });
    for (const capabilities of [withTasks, {}, withForms]) {
      const { body } = await call("evaluate_contract", { contract_id: contract.id }, { capabilities });
      expect(body.result).toMatchObject({
        resultType: "complete",
        structuredContent: { status: "Completed" },
      });
    }
    const { body } = await call(
      "scan_data_source",
      { datasource_id: source.id },
      { capabilities: withTasks },
    );
    expect(["complete", "task"]).toContain(body.result?.resultType);
  });

  test("an error is the call's result", async () => {
    const { body } = await call(
      "evaluate_contract",
      { contract_id: 2_000_000_000 },
      { capabilities: withTasks },
    );
    expect(body.result).toMatchObject({ isError: true, content: [{ text: "Data contract not found" }] });
  });

  test("belong to the key that began them, and to what it may still see", async () => {
    const { contract, release } = await aSlowContract();
    const started = await call(
      "evaluate_contract",
      { contract_id: contract.id },
      { capabilities: withTasks },
    );
    const taskId = String(started.body.result?.taskId);
    const other = await aKey({ allowedProjectIds: [source.projectId] });
    expect((await get(taskId, { headers: other.headers })).body.error).toMatchObject({ code: -32602 });
    await release();
    await ended(taskId);
    for (const unknown of ["x", `${taskId}x`, taskId.slice(1)])
      expect((await get(unknown)).body.error).toMatchObject({ code: -32602 });
  });

  test("are not there for clients that did not say that they know them", async () => {
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { status, body } = await send({ method, params: { taskId: "x" } });
      expect([status, body.error]).toMatchObject([
        400,
        { code: -32021, data: { requiredCapabilities: withTasks } },
      ]);
    }
  });
});
