import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { readSettings } from "../../env.ts";
import { captureLog } from "../../test/captured-log.ts";
import { type Reply, startModelServer } from "../../test/model-server.ts";
import { briefing } from "../models/briefing.fixture.ts";
import { builtInName } from "../models/built-in.ts";
import type { Proposal } from "../proposal.ts";
import { actorExecutions, actors, modelCalls } from "../tables.ts";
import { type Answer, askModel, type Question } from "./ask-model.ts";
import { aStoredActor, aStoredCycle } from "./cycles.fixture.ts";

const logged = captureLog();
const server = await startModelServer();
afterAll(() => server.close());

const key = `sk-${randomBytes(16).toString("hex")}`;
const settings = (more: Record<string, string | undefined> = {}) =>
  readSettings({
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: server.url,
    LLM_MODEL: "gpt-4.1-mini",
    LLM_REQUESTS_PER_MINUTE: "1000",
    ...more,
  });

const proposal: Proposal = {
  summary: "Watch the orders.",
  analysis: "They come **daily**.",
  keyFindings: ["Orders come daily."],
  actions: [
    {
      kind: "CreateQuery",
      reasoning: "The newest order is 20 hours old.",
      name: "Orders are late",
      description: "No order came for 36 hours.",
      sql: "select max(created_at) from sales.orders having max(created_at) < now() - interval '36 hours'",
    },
    {
      kind: "CreateSubscription",
      reasoning: "They come daily.",
      queryName: "Orders are late",
      queryId: null,
      cronExpression: "17 6 * * *",
      timezone: "UTC",
    },
  ],
  answers: [],
  notification: null,
};
const answered = (usage = { input: 1000, output: 200 }): Reply => ({ answer: proposal, usage });

async function aQuestion(more: Partial<Question> = {}): Promise<Question> {
  const actorId = more.actorId ?? (await aStoredActor());
  return {
    actorId,
    executionId: await aStoredCycle(actorId),
    step: "propose",
    briefing: briefing(),
    ...more,
  };
}

const rowOf = async <Row>(rows: Promise<Row[]>) => {
  const [row] = await rows;
  if (!row) throw new Error("There is no row");
  return row;
};
const callOf = ({ executionId }: Question) =>
  rowOf(db.select().from(modelCalls).where(eq(modelCalls.executionId, executionId)));
const actorOf = ({ actorId }: Question) => rowOf(db.select().from(actors).where(eq(actors.id, actorId)));
const cycleOf = ({ executionId }: Question) =>
  rowOf(db.select().from(actorExecutions).where(eq(actorExecutions.id, executionId)));

beforeEach(async () => {
  await db.delete(modelCalls);
  server.requests.length = 0;
});

describe("a response", () => {
  test("is a proposal with its cost, which is added up", async () => {
    const question = await aQuestion();
    server.reply(answered());
    // gpt-4.1-mini: $0.40 and $1.60 per million; 1000 × 0.4 + 200 × 1.6 = 720 millionths.
    const expected: Answer = { proposal, model: "gpt-4.1-mini", tokensUsed: 1200, cost: 0.00072 };
    expect(await askModel(question, settings())).toEqual(expected);
    expect(await callOf(question)).toMatchObject({
      answer: proposal,
      failure: null,
      inputTokens: 1000,
      outputTokens: 200,
      cost: 0.00072,
      answeredAt: expect.any(Date),
    });
    expect(await actorOf(question)).toMatchObject({ totalTokensUsed: 1200, totalCost: 0.00072 });
    expect(await cycleOf(question)).toMatchObject({
      tokensUsed: 1200,
      estimatedCost: 0.00072,
      model: "gpt-4.1-mini",
    });

    server.reply(answered({ input: 2000, output: 0 }));
    const repair = { proposal, faults: [{ index: 0, errors: ['relation "sales.orders" does not exist'] }] };
    await askModel({ ...question, step: "repair", repair }, settings());
    expect(await cycleOf(question)).toMatchObject({ tokensUsed: 3200, estimatedCost: 0.00152 });
    expect(await actorOf(question)).toMatchObject({ totalTokensUsed: 3200, totalCost: 0.00152 });
    expect(server.requests[1]?.body.messages.at(-1)?.content).toContain('relation \\"sales.orders\\"');
  });

  test("is requested with a schema that strict servers accept, the key, and a maximum length", async () => {
    server.reply(answered());
    await askModel(await aQuestion(), settings());
    const [asked] = server.requests;
    expect(asked?.path).toBe("/v1/chat/completions");
    expect(asked?.headers.authorization).toBe(`Bearer ${key}`);
    expect(asked?.body).toMatchObject({ model: "gpt-4.1-mini", max_tokens: 16_000, temperature: 0.2 });
    expect(asked?.body.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    const schema = asked?.body.response_format?.json_schema;
    expect(schema).toMatchObject({ strict: true, schema: { type: "object", additionalProperties: false } });
    const written = JSON.stringify(schema);
    expect(written).toContain('"anyOf"');
    for (const unknown of ["oneOf", "minimum", "maximum", "$schema", "allOf"])
      expect(written).not.toContain(`"${unknown}"`);
  });

  test("of a reasoning model is requested without options that it rejects", async () => {
    server.reply(answered());
    await askModel(await aQuestion(), settings({ LLM_MODEL: "gpt-5-mini" }));
    const body = server.requests[0]?.body;
    expect(body).toMatchObject({ model: "gpt-5-mini", max_completion_tokens: 16_000 });
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("max_tokens");
  });

  test("of a server without a key and schemas is requested as JSON; reasoning and Markdown around it are removed", async () => {
    const local = { OPENAI_API_KEY: undefined, LLM_MODEL: "qwen3:8b", LLM_OUTPUT: "json" };
    server.reply({ text: `<think>Orders?</think>\n\`\`\`json\n${JSON.stringify(proposal)}\n\`\`\`\n` });
    const question = await aQuestion();
    const answer = await askModel(question, settings(local));
    expect(answer).toEqual({ proposal, model: "qwen3:8b", tokensUsed: 1200, cost: null });
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(server.requests[0]?.body.response_format).toEqual({ type: "json_object" });
    expect(await actorOf(question)).toMatchObject({ totalTokensUsed: 1200, totalCost: 0 });
    expect(await cycleOf(question)).toMatchObject({ tokensUsed: 1200, estimatedCost: null });
  });

  test("costs what the settings say, which may be nothing", async () => {
    server.reply(answered(), answered());
    const dear = { LLM_PRICE_INPUT: "10", LLM_PRICE_OUTPUT: "50", LLM_MODEL: "mine" };
    expect((await askModel(await aQuestion(), settings(dear))).cost).toBe(0.02);
    const free = { LLM_PRICE_INPUT: "0", LLM_PRICE_OUTPUT: "0", LLM_MODEL: "mine" };
    expect((await askModel(await aQuestion(), settings(free))).cost).toBe(0);
  });

  test("has estimated tokens if the server does not report them", async () => {
    const question = await aQuestion();
    const choices = [
      { index: 0, message: { role: "assistant", content: "x".repeat(400) }, finish_reason: "stop" },
    ];
    server.reply({ body: JSON.stringify({ id: "1", created: 1, model: "m", choices }) });
    await expect(askModel(question, settings())).rejects.toThrow("is not JSON");
    const { inputTokens, outputTokens } = await callOf(question);
    expect(outputTokens).toBe(100);
    expect(inputTokens).toBeGreaterThan(1000);
  });

  test("is made storable before anyone sees it", async () => {
    const spoiled = { ...proposal, summary: "Watch\u0000 the orders.", keyFindings: ["\ud83d"] };
    server.reply({ answer: spoiled });
    const question = await aQuestion();
    const answer = await askModel(question, settings());
    expect(answer.proposal).toEqual({ ...proposal, keyFindings: ["\ufffd"] });
    expect((await callOf(question)).answer).toEqual(answer.proposal);
  });
});

describe("a call that was made before", () => {
  test("is not repeated: its response is returned", async () => {
    const question = await aQuestion();
    server.reply(answered());
    const first = await askModel(question, settings());
    expect(await askModel(question, settings())).toEqual(first);
    expect(server.requests).toHaveLength(1);
    expect(await actorOf(question)).toMatchObject({ totalTokensUsed: 1200 });
  });

  test("and failed fails again", async () => {
    const question = await aQuestion();
    server.reply({ text: "No." });
    const message = "The language model's answer is not JSON";
    await expect(askModel(question, settings())).rejects.toMatchObject({ name: "ModelFailure", message });
    await expect(askModel(question, settings())).rejects.toMatchObject({ name: "ModelFailure", message });
    expect(server.requests).toHaveLength(1);
  });

  test("and was never answered, because the process ended, is repeated", async () => {
    const question = await aQuestion();
    const { actorId, executionId, step } = question;
    await db.insert(modelCalls).values({ actorId, executionId, step, model: "gone", askedAt: new Date() });
    server.reply(answered());
    expect(await askModel(question, settings({ LLM_CONCURRENCY: "1" }))).toMatchObject({ tokensUsed: 1200 });
    expect(await callOf(question)).toMatchObject({ model: "gpt-4.1-mini", answer: proposal });
  });

  test("and is made twice at once, because its process seemed dead, has one response and is paid for twice", async () => {
    const question = await aQuestion();
    const dead = askModel(question, settings());
    await server.asked(1);
    const alive = askModel(question, settings());
    await server.asked(2);
    const other = { ...proposal, summary: "Something else." };
    server.reply({ text: "No.", usage: { input: 10, output: 1 } });
    await expect(dead).rejects.toThrow("is not JSON");
    server.reply({ answer: other, usage: { input: 100, output: 10 } });
    expect((await alive).proposal).toEqual(other);
    expect(await actorOf(question)).toMatchObject({ totalTokensUsed: 121 });
    expect(await cycleOf(question)).toMatchObject({ tokensUsed: 121 });
    expect((await askModel(question, settings())).proposal).toEqual(other);
  });
});

describe("a failure is worded for everyone", () => {
  const at = (status: number, more: { code?: string } = {}): Reply => ({
    status,
    message: `Incorrect key ${key} at internal-llm.example.com`,
    headers: { "retry-after-ms": "0" },
    ...more,
  });

  test.each<[string, Reply[], string]>([
    ["no JSON", [{ text: "I would watch the orders." }], "The language model's answer is not JSON"],
    ["half of it", [{ text: '{"summary":', finishReason: "length" }], "was too long and was cut off"],
    [
      "another form",
      [{ answer: { ...proposal, keyFindings: "none" } }],
      "The language model's answer is not a proposal (keyFindings: Invalid input: expected array, received string)",
    ],
    [
      "an unknown action",
      [{ answer: { ...proposal, actions: [{ kind: "DropTable", reasoning: "" }] } }],
      "is not a proposal (actions.0.kind: ",
    ],
    [
      "too much",
      [{ answer: { ...proposal, sudo: true } }],
      'is not a proposal (the answer: Unrecognized key: "sudo")',
    ],
    ["nothing", [{ text: "" }], "The language model's answer is not JSON"],
    ["a refusal", [{ refusal: "I will not." }], "The language model refused to answer"],
    ["a filter", [{ text: "", finishReason: "content_filter" }], "The language model refused to answer"],
    ["429 three times", [at(429), at(429), at(429)], "is rate limiting requests (429); try again later"],
    [
      "no quota",
      Array(3).fill(at(429, { code: "insufficient_quota" })),
      "The quota at the language model's server is used up",
    ],
    [
      "500 three times",
      [at(500), at(503), at(500)],
      "The language model's server failed (500); try again later",
    ],
    ["a wrong key", [at(401)], "The language model's server rejected the key (401): check OPENAI_API_KEY"],
    ["no such model", [at(404)], "does not know the model or the address (404): check LLM_MODEL"],
    ["a bad request", [at(400)], "The language model's server rejected the request (400)"],
    [
      "a redirect",
      [{ status: 307, headers: { location: "http://127.0.0.1:9/" } }],
      "rejected the request (307)",
    ],
    [
      "another protocol",
      [{ body: "<html>Welcome</html>" }],
      "returned a response that is not in OpenAI's format",
    ],
    [
      "no choices",
      [{ body: '{"id":"1","created":1,"model":"m","choices":[]}' }],
      "returned a response that is not in OpenAI's format",
    ],
    ["a flood", [{ text: "x".repeat(5_000_000) }], "returned a response that is not in OpenAI's format"],
  ])("%s", async (_what, replies, words) => {
    const question = await aQuestion();
    server.reply(...replies);
    const failure = await askModel(question, settings()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "ModelFailure", message: expect.stringContaining(words) });
    expect(server.requests).toHaveLength(replies.length);
    expect((await callOf(question)).failure).toBe((failure as Error).message);
    for (const secret of [key, "internal-llm", "127.0.0.1"]) expect(String(failure)).not.toContain(secret);
  });

  test("after a 429, the server's Retry-After is respected, and the call then succeeds", async () => {
    server.reply({ status: 429, headers: { "retry-after": "0" } }, answered());
    expect(await askModel(await aQuestion(), settings())).toMatchObject({ tokensUsed: 1200 });
    expect(server.requests).toHaveLength(2);
  });

  test("the time limit aborts a call that hangs, and one that waits for a retry", async () => {
    const hasty = settings({ LLM_TIMEOUT_S: "1" });
    server.reply("hang", { status: 429, headers: { "retry-after": "30" } });
    const words = "The language model did not respond within 1 s";
    await expect(askModel(await aQuestion(), hasty)).rejects.toMatchObject({
      name: "ModelFailure",
      message: words,
    });
    await expect(askModel(await aQuestion(), hasty)).rejects.toMatchObject({
      name: "ModelFailure",
      message: words,
    });
  });

  test("a server that is down or disconnects is unreachable", async () => {
    const gone = await startModelServer();
    await gone.close();
    server.reply("disconnect", "disconnect", "disconnect");
    const asked = [server.url, gone.url].map(async (OPENAI_BASE_URL) =>
      askModel(await aQuestion(), settings({ OPENAI_BASE_URL })).catch(String),
    );
    const words = "ModelFailure: The language model's server cannot be reached";
    expect(await Promise.all(asked)).toEqual([words, words]);
    expect(server.requests).toHaveLength(3);
  });

  test("the tokens of an unreadable response are paid for", async () => {
    const question = await aQuestion();
    server.reply({ text: "No.", usage: { input: 500, output: 500 } });
    await expect(askModel(question, settings())).rejects.toThrow("is not JSON");
    expect(await callOf(question)).toMatchObject({ inputTokens: 500, outputTokens: 500, cost: 0.001 });
    expect(await actorOf(question)).toMatchObject({ totalTokensUsed: 1000, totalCost: 0.001 });
    expect(await cycleOf(question)).toMatchObject({ tokensUsed: 1000, estimatedCost: 0.001 });
  });

  test("the key is not in any log", () => {
    expect(logged.join("\n")).toContain("The model returned no proposal");
    expect(logged.join("\n")).not.toContain(key);
  });
});

describe("a monthly budget", () => {
  test("of tokens stops the actor once they are used up, and limits the response before that", async () => {
    const actorId = await aStoredActor({ budgetTokens: 3000 });
    server.reply(answered({ input: 2000, output: 200 }), answered({ input: 700, output: 100 }));
    await askModel(await aQuestion({ actorId }), settings());
    await askModel(await aQuestion({ actorId }), settings());
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([3000, 800]);
    const question = await aQuestion({ actorId });
    await expect(askModel(question, settings())).rejects.toMatchObject({
      name: "BudgetExhausted",
      message: "The monthly budget of 3,000 tokens is used up",
    });
    expect(server.requests).toHaveLength(2);
    expect(
      await db.select().from(modelCalls).where(eq(modelCalls.executionId, question.executionId)),
    ).toEqual([]);
    // Others continue, and so does the actor in the next month.
    server.reply(answered(), answered());
    await askModel(await aQuestion(), settings());
    await db.update(modelCalls).set({ askedAt: sql`date_trunc('month', now(), 'UTC') - interval '1 ms'` });
    await askModel(question, settings());
  });

  test("that cuts off a response is named as the reason", async () => {
    const question = await aQuestion({ actorId: await aStoredActor({ budgetTokens: 50 }) });
    server.reply({ text: '{"summary": "Wat', finishReason: "length" });
    await expect(askModel(question, settings())).rejects.toThrow(
      "was too long and was cut off. The monthly budget has only 50 tokens left",
    );
  });

  test("of money stops the actor once it is spent, and limits the response before that", async () => {
    const actorId = await aStoredActor({ budgetCost: 0.01 });
    server.reply(answered({ input: 20_000, output: 2000 }));
    await askModel(await aQuestion({ actorId }), settings());
    // $0.01 at $1.60 per million is 6250 tokens.
    expect(server.requests[0]?.body.max_tokens).toBe(6250);
    await expect(askModel(await aQuestion({ actorId }), settings())).rejects.toMatchObject({
      name: "BudgetExhausted",
      message: "The monthly budget of $0.01 is used up",
    });
  });

  test("of money cannot be enforced if the model's price is unknown", async () => {
    const question = await aQuestion({ actorId: await aStoredActor({ budgetCost: 5 }) });
    await expect(askModel(question, settings({ LLM_MODEL: "mine" }))).rejects.toMatchObject({
      name: "BudgetExhausted",
      message: expect.stringMatching(/model's price is unknown: set LLM_PRICE_INPUT and LLM_PRICE_OUTPUT/),
    });
    expect(server.requests).toEqual([]);
  });

  test("does not stop the built-in planner, which is free", async () => {
    const actorId = await aStoredActor({ budgetTokens: 100, budgetCost: 0.01 });
    server.reply(answered());
    await askModel(await aQuestion({ actorId }), settings());
    const question = await aQuestion({ actorId });
    expect(await askModel(question, readSettings({}))).toMatchObject({
      model: builtInName,
      tokensUsed: 0,
      cost: 0,
    });
    expect(await cycleOf(question)).toMatchObject({ model: builtInName, tokensUsed: 0, estimatedCost: 0 });
    expect(server.requests).toHaveLength(1);
  });
});

describe("limits on calls", () => {
  /** Resolves when the call has checked for its turn this many times. */
  function looked(times: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let count = 0;
    const isWanted = async () => {
      count += 1;
      if (count > times) resolve();
    };
    return { isWanted, again: promise };
  }

  test("make a second call wait until the first has ended", async () => {
    const one = settings({ LLM_CONCURRENCY: "1" });
    const first = askModel(await aQuestion(), one);
    await server.asked(1);
    const { isWanted, again } = looked(2);
    const second = askModel(await aQuestion({ isWanted }), one);
    await again;
    expect(server.requests).toHaveLength(1);
    server.reply(answered(), answered());
    await Promise.all([first, second]);
    expect(server.requests).toHaveLength(2);
  });

  test("hold for many concurrent calls", async () => {
    const questions = await Promise.all(Array.from({ length: 8 }, () => aQuestion()));
    const asked = questions.map((question) => askModel(question, settings({ LLM_CONCURRENCY: "3" })));
    await server.asked(3);
    const [{ open } = { open: 0 }] = await db
      .select({ open: sql`count(*) filter (where answered_at is null)`.mapWith(Number) })
      .from(modelCalls);
    expect(open).toBe(3);
    expect(server.requests).toHaveLength(3);
    server.reply(...Array.from({ length: 8 }, () => answered()));
    await Promise.all(asked);
    expect(server.requests).toHaveLength(8);
  });

  test("make a call wait for its minute", async () => {
    const slow = settings({ LLM_REQUESTS_PER_MINUTE: "1" });
    server.reply(answered(), answered());
    await askModel(await aQuestion(), slow);
    const { isWanted, again } = looked(1);
    const second = askModel(await aQuestion({ isWanted }), slow);
    await again;
    expect(server.requests).toHaveLength(1);
    await db.update(modelCalls).set({ askedAt: sql`asked_at - interval '61 seconds'` });
    await second;
    expect(server.requests).toHaveLength(2);
  });

  test("do not count abandoned calls, nor the built-in planner", async () => {
    const one = settings({ LLM_CONCURRENCY: "1", LLM_REQUESTS_PER_MINUTE: "1" });
    const { actorId, executionId, step } = await aQuestion();
    const askedAt = new Date(Date.now() - (120 + 31) * 1000);
    await db.insert(modelCalls).values({ actorId, executionId, step, model: "gone", askedAt });
    await askModel(await aQuestion(), readSettings({}));
    server.reply(answered());
    await askModel(await aQuestion(), one);
    // And it does not wait.
    await askModel(await aQuestion(), readSettings({ LLM_CONCURRENCY: "1", LLM_REQUESTS_PER_MINUTE: "1" }));
  });

  test("stop applying to a call that is no longer wanted, at any time", async () => {
    for (const turn of [1, 2]) {
      let count = 0;
      const isWanted = async () => {
        count += 1;
        if (count === turn) throw new Error("Paused");
      };
      const question = await aQuestion({ isWanted });
      await expect(askModel(question, settings())).rejects.toThrow("Paused");
      expect(await db.select().from(modelCalls)).toEqual([]);
    }
    expect(server.requests).toEqual([]);
  });
});
