import { describe, expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { modelCalls } from "../tables.ts";
import { exhaustedBudget, findUnpriced, usedThisMonth } from "./budget.ts";
import { aStoredActor, aStoredCycle } from "./cycles.fixture.ts";

describe("an actor's usage this month", () => {
  async function aCall(actorId: number, call: Partial<typeof modelCalls.$inferInsert>) {
    const executionId = await aStoredCycle(actorId);
    await db.insert(modelCalls).values({
      actorId,
      executionId,
      step: "propose",
      model: "mine",
      askedAt: new Date(),
      ...call,
    });
  }

  test("is the sum of its calls since the month began in UTC, whatever their outcome", async () => {
    const one = await aStoredActor();
    const other = await aStoredActor();
    const idle = await aStoredActor();
    const begin = new Date(new Date().toISOString().slice(0, 7));
    await aCall(one, { askedAt: begin, inputTokens: 2_000_000_000, outputTokens: 2_000_000_000, cost: 0.1 });
    await aCall(one, { inputTokens: 10, outputTokens: 5, cost: 0.2, failure: "It is no JSON" });
    await aCall(one, { inputTokens: 100, outputTokens: 50, cost: null });
    await aCall(one, {});
    await aCall(one, { askedAt: new Date(begin.getTime() - 1), inputTokens: 7, outputTokens: 7, cost: 7 });
    await aCall(other, { inputTokens: 1, outputTokens: 0, cost: 0 });
    const used = await usedThisMonth([one, other, idle]);
    expect(used).toEqual(
      new Map([
        [one, { tokens: 4_000_000_165, cost: 0.3 }],
        [other, { tokens: 1, cost: 0 }],
        [idle, { tokens: 0, cost: 0 }],
      ]),
    );
    expect(await usedThisMonth([])).toEqual(new Map());
    // A call without tokens cost nothing; the cost of one without a price is unknown.
    await aCall(idle, { inputTokens: 0, outputTokens: 0, cost: null, failure: "It took too long" });
    expect(await findUnpriced([one, other, idle])).toEqual(new Set([one]));
  });
});

test.each([
  [{ budgetTokens: null, budgetCost: null }, { tokens: 1e12, cost: 1e6 }, false, null],
  [{ budgetTokens: 1000, budgetCost: null }, { tokens: 999, cost: 9 }, false, null],
  [
    { budgetTokens: 1000, budgetCost: null },
    { tokens: 1000, cost: 0 },
    true,
    "The monthly budget of 1,000 tokens is used up",
  ],
  [{ budgetTokens: null, budgetCost: 12.5 }, { tokens: 9, cost: 12.49 }, true, null],
  [
    { budgetTokens: null, budgetCost: 12.5 },
    { tokens: 9, cost: 12.5 },
    true,
    "The monthly budget of $12.50 is used up",
  ],
  [
    { budgetTokens: 1000, budgetCost: 5 },
    { tokens: 9, cost: 0 },
    false,
    "The monthly budget of $5.00 cannot be enforced because the model's price is unknown: set LLM_PRICE_INPUT and LLM_PRICE_OUTPUT",
  ],
])("a budget of %j after %j, with a price: %j", (budget, used, hasPrice, reason) => {
  expect(exhaustedBudget(budget, used, hasPrice)).toBe(reason);
});
