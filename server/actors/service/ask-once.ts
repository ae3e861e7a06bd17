import { setTimeout as delay } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { env, type Settings } from "../../env.ts";
import { type Asked, callModel, type Outcome } from "../models/call-model.ts";
import { ModelFailure } from "../models/model-failure.ts";
import { type ModelInUse, modelInUse } from "../models/model-in-use.ts";
import { costOf } from "../models/prices.ts";
import { actorExecutions, actors, modelCalls } from "../tables.ts";
import { type Budget, BudgetExhausted, exhaustedBudget, type Used, usedThisMonth } from "./budget.ts";
import { isUnanswered, type Turn, takeTurn } from "./model-turns.ts";

/** A call of a cycle, and how to handle its answer. */
export type Step<T> = {
  actorId: number;
  executionId: number;
  /** Identifies the call within the cycle; each is made once. */
  step: "read" | "propose" | "repair";
  /** The request to the model in use. */
  asked: (inUse: ModelInUse) => Omit<Asked<T>, "maxOutputTokens" | "whyShort" | "about">;
  maxOutputTokens: number;
  /** The answer as stored. */
  storable: (answer: T) => T;
  /** Throws if the answer is no longer wanted. Awaited before each wait for a turn, and before the call. */
  isWanted?: (() => Promise<void>) | undefined;
};

/** `cost` is in US dollars; null if the price is unknown. */
export type Answered<T> = { answer: T; model: string; tokensUsed: number; cost: number | null };

/**
 * Asks the model in use, once: if the call was already answered, returns that answer or rethrows its failure, without
 * another call. A call that was never answered, because the process ended, is repeated.
 *
 * Waits until the limits on calls, which hold across processes, allow it. Tokens and cost are stored with the answer,
 * and added to the actor's and the execution's. They count even if the answer cannot be used.
 *
 * Throws ModelFailure, BudgetExhausted, and whatever `isWanted` throws.
 */
export async function askOnce<T>(question: Step<T>, settings: Settings = env()): Promise<Answered<T>> {
  const inUse = modelInUse(settings);
  for (;;) {
    const known = await knownAnswer<T>(question);
    if (known) return known;
    await question.isWanted?.();
    const turn = await nextTurn(question, inUse, settings);
    if ("waitMs" in turn) await delay(turn.waitMs);
    else return await keep(question, turn, inUse, await ask(question, turn, inUse, settings));
  }
}

async function ask<T>(
  question: Step<T>,
  turn: GrantedTurn,
  inUse: ModelInUse,
  settings: Settings,
): Promise<Outcome<T>> {
  try {
    await question.isWanted?.();
    return await outcomeOf(question, inUse, turn.room, settings);
  } catch (error) {
    // It produced nothing to store, so it counts as not made.
    await db.delete(modelCalls).where(and(isTheTurn(turn), isUnanswered));
    throw error;
  }
}

const isTheTurn = ({ id, askedAt }: Turn) => and(eq(modelCalls.id, id), eq(modelCalls.askedAt, askedAt));

type StoredCall = typeof modelCalls.$inferSelect;

async function knownAnswer<T>({
  executionId,
  step,
}: Pick<Step<T>, "executionId" | "step">): Promise<Answered<T> | null> {
  const [call] = await db
    .select()
    .from(modelCalls)
    .where(and(eq(modelCalls.executionId, executionId), eq(modelCalls.step, step)));
  return call ? answerIn<T>(call) : null;
}

/** null if there is none yet. */
function answerIn<T>({
  answer,
  failure,
  model,
  inputTokens,
  outputTokens,
  cost,
}: StoredCall): Answered<T> | null {
  if (failure !== null) throw new ModelFailure(failure);
  if (!answer) return null;
  // A step's answers always have that step's type.
  return { answer: answer as T, model, tokensUsed: (inputTokens ?? 0) + (outputTokens ?? 0), cost };
}

/** The maximum length of the answer; `why` is the reason if the budget leaves less than usual. */
type Room = { outputTokens: number; why: string | null };

type GrantedTurn = Turn & { room: Room };

function nextTurn<T>(
  question: Step<T>,
  inUse: ModelInUse,
  settings: Settings,
): Promise<GrantedTurn | { waitMs: number }> {
  const { actorId, executionId, step, maxOutputTokens } = question;
  return db.transaction(async (tx) => {
    const room = inUse.isBuiltIn
      ? { outputTokens: maxOutputTokens, why: null }
      : await tokensLeftInBudget(tx, question, inUse);
    const turn = await takeTurn(tx, { actorId, executionId, step }, inUse, settings);
    return "waitMs" in turn ? turn : { ...turn, room };
  });
}

async function tokensLeftInBudget<T>(
  tx: Transaction,
  { actorId, maxOutputTokens }: Pick<Step<T>, "actorId" | "maxOutputTokens">,
  { price }: ModelInUse,
): Promise<Room> {
  const [budget] = await tx
    .select({ budgetTokens: actors.budgetTokens, budgetCost: actors.budgetCost })
    .from(actors)
    .where(eq(actors.id, actorId));
  if (!budget) throw new Error(`Actor ${actorId} does not exist`);
  const used = (await usedThisMonth([actorId], tx)).get(actorId) ?? { tokens: 0, cost: 0 };
  const reason = exhaustedBudget(budget, used, price !== null);
  if (reason) throw new BudgetExhausted(reason);
  const left = tokensLeft(budget, used, price?.outputPerMillion ?? 0);
  return left < maxOutputTokens
    ? { outputTokens: left, why: `The monthly budget has only ${left} tokens left` }
    : { outputTokens: maxOutputTokens, why: null };
}

function tokensLeft({ budgetTokens, budgetCost }: Budget, used: Used, outputPerMillion: number): number {
  const byTokens = budgetTokens === null ? Infinity : budgetTokens - used.tokens;
  const byCost =
    budgetCost === null || outputPerMillion === 0
      ? Infinity
      : Math.floor(((budgetCost - used.cost) * 1_000_000) / outputPerMillion);
  return Math.max(1, Math.min(byTokens, byCost));
}

async function outcomeOf<T>(
  { asked, storable, actorId, executionId, step }: Step<T>,
  inUse: ModelInUse,
  room: Room,
  settings: Settings,
): Promise<Outcome<T>> {
  const outcome = await callModel<T>(
    inUse,
    {
      ...asked(inUse),
      maxOutputTokens: room.outputTokens,
      whyShort: room.why,
      about: { actorId, executionId, step },
    },
    settings,
  );
  return outcome.failure ? outcome : { ...outcome, answer: storable(outcome.answer) };
}

/**
 * Stores the outcome of a call, with its cost. If another process made the same call meanwhile, believing this one
 * dead, its answer counts, and this one's only if that failed; all calls are paid for.
 */
async function keep<T>(
  question: Step<T>,
  turn: Turn,
  inUse: ModelInUse,
  { tokens, answer: given, failure }: Outcome<T>,
): Promise<Answered<T>> {
  const cost = costOf(tokens, inUse.price);
  const call = await db.transaction(async (tx) => {
    const decides = failure ? and(isTheTurn(turn), isUnanswered) : isUnanswered;
    const here = eq(modelCalls.id, turn.id);
    await tx
      .update(modelCalls)
      .set({
        answeredAt: sql`clock_timestamp()`,
        answer: given as StoredCall["answer"],
        failure: failure?.message ?? null,
      })
      .where(and(here, decides));
    const [stored] = await tx
      .update(modelCalls)
      .set({
        inputTokens: sql`coalesce(${modelCalls.inputTokens}, 0) + ${tokens.input}::integer`,
        outputTokens: sql`coalesce(${modelCalls.outputTokens}, 0) + ${tokens.output}::integer`,
        // Once a cost is unknown, the sum is unknown.
        cost: sql`case when ${modelCalls.inputTokens} is null then 0 else ${modelCalls.cost} end + ${cost}::numeric`,
      })
      .where(here)
      .returning();
    if (!stored) throw new Error(`The model call ${turn.id} is gone`);
    await tx
      .update(actors)
      .set({
        totalTokensUsed: sql`${actors.totalTokensUsed} + ${tokens.input + tokens.output}::bigint`,
        totalCost: sql`${actors.totalCost} + ${cost ?? 0}::numeric`,
      })
      .where(eq(actors.id, question.actorId));
    const ofCycle = sql`from ${modelCalls} where ${eq(modelCalls.executionId, question.executionId)} and not ${isUnanswered}`;
    await tx
      .update(actorExecutions)
      .set({
        tokensUsed: sql`(select coalesce(sum(${modelCalls.inputTokens}::bigint + ${modelCalls.outputTokens}), 0) ${ofCycle})`,
        estimatedCost: sql`(select case when count(*) = count(${modelCalls.cost}) then sum(${modelCalls.cost}) end ${ofCycle})`,
        model: inUse.name,
      })
      .where(eq(actorExecutions.id, question.executionId));
    return stored;
  });
  const answer = answerIn<T>(call);
  if (answer) return answer;
  throw failure ?? new Error(`The model call ${turn.id} has neither an answer nor a failure`);
}
