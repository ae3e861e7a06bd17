import { afterAll, beforeAll, expect, test } from "vitest";
import { aKey } from "../../test/factories/api-keys.ts";
import { mcpClient, startMcp } from "../../test/mcp-client.ts";
import { tools } from "./tools.ts";

let door: Awaited<ReturnType<typeof startMcp>>;
let client: Awaited<ReturnType<typeof mcpClient>>;
beforeAll(async () => {
  door = await startMcp();
  client = await mcpClient(door.url, (await aKey({ scopes: ["Read"] })).headers);
});
afterAll(() => door.stop());

const textOf = async (name: string, args: Record<string, string> = {}) => {
  const { messages } = await client.getPrompt({ name, arguments: args });
  expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
  const [message] = messages;
  return message?.content.type === "text" ? message.content.text : "";
};

test("prompts are common questions, and only name existing tools", async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    "review_quality",
    "explain_subscription",
    "answer_question",
  ]);
  const known = new Set(tools.map(({ name }) => name));
  for (const { name, title, description, arguments: taken = [] } of prompts) {
    expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
    const text = await textOf(name, Object.fromEntries(taken.map((each) => [each.name, "7"])));
    expect(text, name).toContain("Pass project_id 7 to every tool.");
    for (const word of text.match(/\b(?:get|list|dry|evaluate)_\w+/g) ?? [])
      expect(known, word).toContain(word);
  }
});

test("prompts include their arguments", async () => {
  expect(await textOf("explain_subscription")).toContain("my worst subscription");
  expect(await textOf("explain_subscription", { subscription_id: "12" })).toContain("why subscription 12 is");
  expect(await textOf("answer_question", { question: "How late?" })).toContain("from my data: How late?");
  expect(await textOf("review_quality")).not.toContain("project_id");
});

test.each<[string, Record<string, string>, string]>([
  ["nothing", {}, "Unknown prompt: nothing"],
  ["__proto__", {}, "Unknown prompt: __proto__"],
  ["answer_question", {}, "question is required"],
  ["answer_question", { question: " " }, "question is required"],
  ["review_quality", { table: "x" }, "table is not an argument of this prompt"],
])("%s with %j is a protocol error", async (name, args, message) => {
  await expect(client.getPrompt({ name, arguments: args })).rejects.toThrow(`MCP error -32602: ${message}`);
});

test("a client may set a log level", async () => {
  expect(await client.setLoggingLevel("debug")).toEqual({});
});
