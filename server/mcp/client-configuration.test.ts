import { afterAll, beforeAll, expect, test } from "vitest";
import { snippetsFor } from "@/components/api-keys/snippets.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { mcpClient, startMcp } from "../test/mcp-client.ts";

let door: Awaited<ReturnType<typeof startMcp>>;
beforeAll(async () => {
  door = await startMcp();
});
afterAll(() => door.stop());

test.each([["Read"], ["Execute"], ["Admin"]] as const)(
  "what the dialog shows for a %s key is read by a client, and connects",
  async (scope) => {
    const { rawKey } = await aKey({ scopes: [scope] });
    const { origin } = new URL(door.url);
    const snippet = snippetsFor(rawKey, origin).find(({ name }) => name === "MCP client");
    const { mcpServers } = JSON.parse(snippet?.text ?? "") as {
      mcpServers: Record<string, { type: string; url: string; headers: Record<string, string> }>;
    };
    const [server] = Object.values(mcpServers);
    expect(server?.type).toBe("http");
    const client = await mcpClient(server?.url ?? "", server?.headers ?? {});
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_context");
    expect(tools.some(({ name }) => name === "query")).toBe(scope !== "Read");
  },
);
