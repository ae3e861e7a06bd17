import { setTimeout as delay } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { env, type Settings } from "../../env.ts";
import { Problem } from "../../errors.ts";
import { limits } from "../limits.ts";
import { type Asked, callModel, type Outcome } from "../models/call-model.ts";
import { modelInUse } from "../models/model-in-use.ts";
import { costOf } from "../models/prices.ts";
import { modelCalls } from "../tables.ts";
import { isUnanswered, takeTurn } from "./model-turns.ts";

/** `cost` is in US dollars; null if the price is unknown. The answer is null if there is a `failure`. */
export type AnsweredNow<T> = {
  answer: T | null;
  failure: string | null;
  model: string;
  tokensUsed: number;
  cost: number | null;
};

/**
 * Asks the language model on behalf of someone who waits for the answer, outside of any actor's cycle. The same limits
 * on calls apply, and all calls are counted together. Usage is stored, the answer is not.
 *
 * Throws rejected if no language model is configured, and rate_limited if no turn comes in time.
 */
export async function askNow<T>(
  asked: Asked<T>,
  settings: Settings = env(),
  step: "ask" | "review" = "ask",
): Promise<AnsweredNow<T>> {
  const inUse = modelInUse(settings);
  if (inUse.isBuiltIn) throw new Problem("rejected", "No language model is configured");
  const call = { actorId: null, executionId: null, step } as const;
  const latest = Date.now() + limits.turnMs;
  for (;;) {
    const turn = await db.transaction((tx) => takeTurn(tx, call, inUse, settings));
    if (!("waitMs" in turn)) {
      const { answer, failure, tokens } = await orWithdrawn(turn.id, () => callModel(inUse, asked, settings));
      const cost = costOf(tokens, inUse.price);
      await db
        .update(modelCalls)
        .set({
          answeredAt: sql`clock_timestamp()`,
          failure: failure?.message ?? null,
          inputTokens: tokens.input,
          outputTokens: tokens.output,
          cost,
        })
        .where(eq(modelCalls.id, turn.id));
      const tokensUsed = tokens.input + tokens.output;
      return { answer, failure: failure?.message ?? null, model: inUse.name, tokensUsed, cost };
    }
    if (Date.now() + turn.waitMs > latest)
      throw new Problem("rate_limited", "Too many requests to the language model; try again in a minute", {
        headers: { "retry-after": "60" },
      });
    await delay(turn.waitMs);
  }
}

/** A call that ends with a bug counts as not made. */
async function orWithdrawn<T>(id: number, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await call();
  } catch (error) {
    await db.delete(modelCalls).where(and(eq(modelCalls.id, id), isUnanswered));
    throw error;
  }
}
