import { expect, test } from "vitest";
import { readSettings } from "../../env.ts";
import { proposalSchema } from "../proposal.ts";
import { briefing } from "./briefing.fixture.ts";
import { builtInModel, builtInName, questionFor } from "./built-in.ts";
import { modelInUse } from "./model-in-use.ts";
import { bareJson } from "./openai.ts";

const call = { prompt: [] };

test("without a language model, the built-in planner thinks, at no cost", async () => {
  expect(modelInUse(readSettings({}))).toEqual({
    model: builtInModel,
    name: "Built-in planner (no language model)",
    isBuiltIn: true,
    price: { inputPerMillion: 0, outputPerMillion: 0 },
  });
});

test("it answers a briefing with a proposal immediately, and nothing else", async () => {
  const providerOptions = questionFor({ briefing: briefing(), repair: null });
  const { content, usage, finishReason } = await builtInModel.doGenerate({ ...call, providerOptions });
  const [text] = content;
  expect(proposalSchema.safeParse(JSON.parse(text?.type === "text" ? text.text : "")).error).toBeUndefined();
  expect([usage.inputTokens.total, usage.outputTokens.total, finishReason.unified]).toEqual([0, 0, "stop"]);
  await expect(builtInModel.doGenerate(call)).rejects.toThrow("without a briefing");
  await expect(builtInModel.doStream({ ...call, providerOptions })).rejects.toThrow(
    "does not support streaming",
  );
});

test.each([
  [{ OPENAI_API_KEY: "sk-1" }, "gpt-6.1-terra", { inputPerMillion: 1, outputPerMillion: 5 }],
  [
    { OPENAI_API_KEY: "sk-1", LLM_MODEL: "gpt-5-mini" },
    "gpt-5-mini",
    { inputPerMillion: 0.25, outputPerMillion: 2 },
  ],
  [{ OPENAI_BASE_URL: "http://localhost:11434/v1", LLM_MODEL: "qwen3:8b" }, "qwen3:8b", null],
  [
    { OPENAI_API_KEY: "sk-1", LLM_MODEL: "gpt-5-mini", LLM_PRICE_INPUT: "0.5", LLM_PRICE_OUTPUT: "4" },
    "gpt-5-mini",
    { inputPerMillion: 0.5, outputPerMillion: 4 },
  ],
])("with %j it is %s, and its price %j", (given, name, price) => {
  const inUse = modelInUse(readSettings(given));
  expect(inUse).toMatchObject({ name, isBuiltIn: false, price });
  expect(inUse.name).not.toBe(builtInName);
  expect(inUse.model.modelId).toBe(name);
});

test.each([
  ['{"a":1}', '{"a":1}'],
  ['```json\n{"a":"```"}\n```', '{"a":"```"}'],
  ['<think>{"b":2}</think>\n\n```\n{"a":1}\n```\n', '{"a":1}'],
  ['{"a":"<think>x</think>"}', '{"a":"<think>x</think>"}'],
])("of %j, %j is JSON", (text, json) => {
  expect(bareJson(text)).toBe(json);
});
