import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import { handleMcp } from "../doors/mcp/door.ts";

/** The MCP endpoint behind a real HTTP server on a free port. */
export async function startMcp(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/svc/mcp`, stop: () => stop(server) };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers();
  for (const [name, value = ""] of Object.entries(request.headers)) headers.set(name, String(value));
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const sent = { method: request.method ?? "", headers, duplex: "half" } as RequestInit;
  if (hasBody) sent.body = Readable.toWeb(request) as unknown as ReadableStream;
  const answer = await handleMcp(new Request(`http://localhost:3000${request.url}`, sent));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(answer.body ? await buffer(answer.body as never) : undefined);
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

const ajv = new AjvJsonSchemaValidator();
const validators = new Map<string, JsonSchemaValidator<never>>();
/** Each client compiles the schemas of all tools, which are the same for all clients. */
const jsonSchemaValidator: ClientOptions["jsonSchemaValidator"] = {
  getValidator(schema) {
    const key = JSON.stringify(schema);
    const validator = validators.get(key) ?? ajv.getValidator<never>(schema);
    validators.set(key, validator);
    return validator;
  },
};

/** The official client, connected. Its headers authenticate the caller. */
export async function mcpClient(url: string, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "tests", version: "1" }, { jsonSchemaValidator });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Transport);
  return client;
}

export type Called = { isError: boolean; text: string; structured: Record<string, unknown> };

const listed = new WeakSet<Client>();

/** Calls a tool; its result must match its output schema, which the client checks once it has listed the tools. */
export async function callTool(client: Client, name: string, args: object = {}): Promise<Called> {
  if (!listed.has(client)) await client.listTools();
  listed.add(client);
  const result = (await client.callTool({
    name,
    arguments: args as Record<string, unknown>,
  })) as CallToolResult;
  const texts = result.content.map((each) => (each.type === "text" ? each.text : ""));
  return { isError: result.isError ?? false, text: texts.join(), structured: result.structuredContent ?? {} };
}
