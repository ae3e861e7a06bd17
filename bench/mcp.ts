import { rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { signIn } from "../e2e/api.ts";
import { scratch, startService } from "../e2e/service.ts";
import { interleave, median } from "./measure.ts";

/**
 * Measures the overhead of MCP in both kinds of revisions: a tool and the REST path of the same procedure, in turns,
 * with the same key, on the built service with its demo. A key that sees everything also has its project looked up; one restricted to its project
 * does not.
 */
const rounds = 9;
const calls = 60;

export async function run(say: (line: string) => void): Promise<void> {
  const dataDir = join(scratch, "bench-mcp");
  rmSync(dataDir, { recursive: true, force: true });
  const service = await startService(dataDir, { DEMO: "on", RATE_LIMIT_PRINCIPAL: "off" });
  try {
    const admin = await signIn(service.url);
    const { items } = (await admin("GET", "/projects")).body as { items: { id: number }[] };
    const keys = {
      "a key for the project": { allowedProjectIds: items.map(({ id }) => id) },
      "a key without a limit": {},
    };
    say(`Milliseconds a call, one after the other: median of ${rounds} rounds of ${calls} calls in turns`);
    for (const [who, limit] of Object.entries(keys)) {
      const made = await admin("POST", "/api-keys", { name: who, scopes: ["Execute"], ...limit });
      const headers = { authorization: `Bearer ${(made.body as { rawKey: string }).rawKey}` };
      say(`${who}:`);
      for (const pair of pairs) {
        const ways = [
          () => restCalls(service.url, headers, pair),
          () => toolCalls(service.url, headers, pair),
          () => statelessCalls(service.url, headers, pair),
        ];
        const [byRest = [], ...byMcp] = await interleave(ways, rounds);
        const figures = ["2025-11-25", "2026-07-28"].map((revision, which) => {
          const times = byMcp[which] ?? [];
          const ratios = times.map((ms, round) => ms / (byRest[round] ?? Number.NaN));
          return `${revision} ${median(times).toFixed(2)} (${median(ratios).toFixed(2)}×)`;
        });
        say(`  ${pair.tool.padEnd(16)} REST ${median(byRest).toFixed(2)}   MCP ${figures.join("   ")}`);
      }
    }
    say("The goal is at most 2×.");
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Pair = { tool: string; args: object; method: "GET" | "POST"; path: string; body?: object };
const sql = "select 1 as one";
const pairs: Pair[] = [
  { tool: "list_contracts", args: {}, method: "GET", path: "/data-quality/contracts" },
  { tool: "get_contract", args: { contract_id: 1 }, method: "GET", path: "/data-quality/contracts/1" },
  {
    tool: "list_evaluations",
    args: { contract_id: 1 },
    method: "GET",
    path: "/data-quality/contracts/1/evaluations",
  },
  {
    tool: "query",
    args: { datasource_id: 1, sql },
    method: "POST",
    path: "/queries/preview",
    body: { dataSourceId: 1, sql },
  },
];

type Headers = Record<string, string>;

const restCalls = (url: string, headers: Headers, { method, path, body }: Pair) =>
  timed(`${url}/svc/api${path}`, method, headers, body, () => true);

/** Calls a tool like a client that is already connected, so that only the overhead of MCP is measured. */
const toolCalls = (url: string, headers: Headers, { tool, args }: Pair) =>
  timed(
    `${url}/svc/mcp`,
    "POST",
    { ...headers, accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } },
    (answer) => answer.includes('"structuredContent"'),
  );

/** The same in the revision that knows no connection. */
const statelessCalls = (url: string, headers: Headers, { tool, args }: Pair) =>
  timed(
    `${url}/svc/mcp`,
    "POST",
    {
      ...{ ...headers, accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28" },
      ...{ "mcp-method": "tools/call", "mcp-name": tool },
    },
    {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: {
        ...{ name: tool, arguments: args },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
    (answer) => answer.includes('"structuredContent"'),
  );

/** The average milliseconds of this many calls. */
async function timed(
  url: string,
  method: string,
  headers: Headers,
  body: object | undefined,
  isRight: (answer: string) => boolean,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const started = performance.now();
  for (let call = 0; call < calls; call++) {
    const { status, text } = await send(url, method, headers, body, agent);
    if (status !== 200 || !isRight(text)) throw new Error(`${url} answered ${status}: ${text.slice(0, 300)}`);
  }
  const elapsed = performance.now() - started;
  agent.destroy();
  return elapsed / calls;
}

function send(url: string, method: string, headers: Headers, body: object | undefined, agent: Agent) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const json = body && JSON.stringify(body);
    const all = { ...headers, ...(json && { "content-type": "application/json" }) };
    const sent = request(url, { method, headers: all, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode, text }));
      response.once("error", reject);
    });
    sent.once("error", reject);
    sent.end(json);
  });
}
