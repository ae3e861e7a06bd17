import { afterAll, beforeAll, expect, test } from "vitest";
import { configurationsFor } from "@/components/api-keys/configurations.ts";
import { snippetsFor } from "@/components/api-keys/snippets.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { mcpClient, startMcp } from "../../test/mcp-client.ts";

let door: Awaited<ReturnType<typeof startMcp>>;
beforeAll(async () => {
  door = await startMcp();
});
afterAll(() => door.stop());

test.each([["Read"], ["Execute"], ["Admin"]] as const)(
  "a client accepts the configuration for a %s key in the dialog, and connects",
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

test("a client accepts each HTTP configuration on the page, and connects", async () => {
  const { rawKey } = await aKey({ scopes: ["Read"] });
  const { origin } = new URL(door.url);
  const files = configurationsFor(rawKey, origin).filter(({ text }) => text.startsWith("{"));
  const servers = files.flatMap(({ text }) => {
    const { mcpServers, servers } = JSON.parse(text.replaceAll(`\${input:plumbline-key}`, rawKey));
    return (mcpServers ?? servers).plumbline as { url?: string; headers: Record<string, string> };
  });
  const byHttp = servers.filter(({ url }) => url !== undefined);
  expect(byHttp).toHaveLength(3);
  for (const { url = "", headers } of byHttp) {
    const client = await mcpClient(url, headers);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  }
});
