import { afterAll, beforeAll, expect, test } from "vitest";
import { questionsRouter } from "../../questions/router.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mcpClient, startMcp } from "../../test/mcp-client.ts";
import { createCallerFactory } from "../../trpc.ts";

let door: Awaited<ReturnType<typeof startMcp>>;
beforeAll(async () => {
  door = await startMcp();
});
afterAll(() => door.stop());

test("without a language model there is no tool that asks one", async () => {
  const client = await mcpClient(door.url, (await aKey()).headers);
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(10);
  expect(tools.map(({ name }) => name)).not.toContain("ask");
  await expect(client.callTool({ name: "ask", arguments: { question: "How many?" } })).rejects.toThrow(
    "Unknown tool: ask",
  );
});

test("and no other API answers a question", async () => {
  const caller = createCallerFactory(questionsRouter)(await asAdmin());
  await expect(caller.ask({ question: "How many?" })).rejects.toThrow(
    /^(Data source not found|No language model is configured)$/,
  );
});
