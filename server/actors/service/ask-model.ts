import { setTimeout as delay } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { env, type Settings } from "../../env.ts";
import type { Briefing } from "../briefing.ts";
import { questionFor } from "../models/built-in.ts";
import { type Outcome as Answered, callModel } from "../models/call-model.ts";
import { ModelFailure } from "../models/model-failure.ts";
import { type ModelInUse, modelInUse } from "../models/model-in-use.ts";
import { costOf } from "../models/prices.ts";
import { promptFor } from "../models/prompt.ts";
import { proposalOutput } from "../models/proposal-output.ts";
import type { Proposal } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { storableProposal } from "../storable-proposal.ts";
import { actorExecutions, actors, modelCalls } from "../tables.ts";
import { type Budget, BudgetExhausted, exhaustedBudget, type Used, usedThisMonth } from "./budget.ts";
import { isUnanswered, type Turn, takeTurn } from "./model-turns.ts";

export type Question = {
  actorId: number;
  executionId: number;
  /** Which call of the cycle it is; each is asked once. */
  step: "propose" | "repair";
  briefing: Briefing;
  repair?: Repair | null;
  /** Throws when the answer is not wanted any more. Awaited before each turn that is waited for, and before the call. */
  isWanted?: () => Promise<void>;
};

/** `cost` is in US dollars; null where the price is unknown. */
export type Answer = { proposal: Proposal; model: string; tokensUsed: number; cost: number | null };

/** Enough for fifty actions with some thought before them. */
const mostOutputTokens = 16_000;

/**
 * Asks the model in use for a proposal, once: what was answered already is returned, and a failure thrown again,
 * without another call. What was asked and never answered, because the process ended, is asked anew.
 *
 * The call waits until the limits on calls, which hold for all processes, let it. Its tokens and cost are written down
 * with the answer, and added to the actor's and the execution's. They count also where the answer cannot be used.
 *
 * Throws ModelFailure, BudgetExhausted, and what `isWanted` throws.
 */
export async function askModel(question: Question, settings: Settings = env()): Promise<Answer> {
  const inUse = modelInUse(settings);
  for (;;) {
    const known = await knownAnswer(question);
    if (known) return known;
    await question.isWanted?.();
    const turn = await nextTurn(question, inUse, settings);
    if ("waitMs" in turn) await delay(turn.waitMs);
    else return await keep(question, turn, inUse, await ask(question, turn, inUse, settings));
  }
}

async function ask(
  question: Question,
  turn: GrantedTurn,
  inUse: ModelInUse,
  settings: Settings,
): Promise<Outcome> {
  try {
    await question.isWanted?.();
    return await outcomeOf(question, inUse, turn.room, settings);
  } catch (error) {
    // Nothing came of it that could be kept: it is as if it had not been asked.
    await db.delete(modelCalls).where(and(isTheTurn(turn), isUnanswered));
    throw error;
  }
}

const isTheTurn = ({ id, askedAt }: Turn) => and(eq(modelCalls.id, id), eq(modelCalls.askedAt, askedAt));

type StoredCall = typeof modelCalls.$inferSelect;

async function knownAnswer({ executionId, step }: Question): Promise<Answer | null> {
  const [call] = await db
    .select()
    .from(modelCalls)
    .where(and(eq(modelCalls.executionId, executionId), eq(modelCalls.step, step)));
  return call ? answerIn(call) : null;
}

/** null while there is none. */
function answerIn({ answer, failure, model, inputTokens, outputTokens, cost }: StoredCall): Answer | null {
  if (failure !== null) throw new ModelFailure(failure);
  if (!answer) return null;
  return { proposal: answer, model, tokensUsed: (inputTokens ?? 0) + (outputTokens ?? 0), cost };
}

/** How much the model may write; `why` is what it is cut off for, where the budget leaves less than is usual. */
type Room = { outputTokens: number; why: string | null };

type GrantedTurn = Turn & { room: Room };

function nextTurn(
  question: Question,
  inUse: ModelInUse,
  settings: Settings,
): Promise<GrantedTurn | { waitMs: number }> {
  const { actorId, executionId, step } = question;
  return db.transaction(async (tx) => {
    const room = inUse.isBuiltIn
      ? { outputTokens: mostOutputTokens, why: null }
      : await roomInBudget(tx, actorId, inUse);
    const turn = await takeTurn(tx, { actorId, executionId, step }, inUse, settings);
    return "waitMs" in turn ? turn : { ...turn, room };
  });
}

async function roomInBudget(tx: Transaction, actorId: number, { price }: ModelInUse): Promise<Room> {
  const [budget] = await tx
    .select({ budgetTokens: actors.budgetTokens, budgetCost: actors.budgetCost })
    .from(actors)
    .where(eq(actors.id, actorId));
  if (!budget) throw new Error(`There is no actor ${actorId}`);
  const used = (await usedThisMonth([actorId], tx)).get(actorId) ?? { tokens: 0, cost: 0 };
  const reason = exhaustedBudget(budget, used, price !== null);
  if (reason) throw new BudgetExhausted(reason);
  const left = tokensLeft(budget, used, price?.outputPerMillion ?? 0);
  return left < mostOutputTokens
    ? { outputTokens: left, why: `The monthly budget leaves room for only ${left} tokens` }
    : { outputTokens: mostOutputTokens, why: null };
}

function tokensLeft({ budgetTokens, budgetCost }: Budget, used: Used, outputPerMillion: number): number {
  const byTokens = budgetTokens === null ? Infinity : budgetTokens - used.tokens;
  const byCost =
    budgetCost === null || outputPerMillion === 0
      ? Infinity
      : Math.floor(((budgetCost - used.cost) * 1_000_000) / outputPerMillion);
  return Math.max(1, Math.min(byTokens, byCost));
}

type Outcome = Answered<Proposal>;

async function outcomeOf(
  { briefing, repair = null, actorId, executionId, step }: Question,
  inUse: ModelInUse,
  room: Room,
  settings: Settings,
): Promise<Outcome> {
  const asked = inUse.isBuiltIn ? null : promptFor(briefing, repair);
  const outcome = await callModel<Proposal>(
    inUse,
    {
      ...(asked
        ? { instructions: asked.system, prompt: asked.prompt }
        : { prompt: "See the options", providerOptions: questionFor({ briefing, repair }) }),
      output: proposalOutput,
      wanted: "proposal",
      maxOutputTokens: room.outputTokens,
      whyShort: room.why,
      about: { actorId, executionId, step },
    },
    settings,
  );
  return outcome.answer ? { ...outcome, answer: storableProposal(outcome.answer) } : outcome;
}

/**
 * Writes down what came of a call, with what it cost. Should another process have asked the same meanwhile, believing
 * this one dead, the first answer counts, and only its own failure; all calls are paid for.
 */
async function keep(
  question: Question,
  turn: Turn,
  inUse: ModelInUse,
  { tokens, answer: proposal, failure }: Outcome,
): Promise<Answer> {
  const cost = costOf(tokens, inUse.price);
  const call = await db.transaction(async (tx) => {
    const decides = failure ? and(isTheTurn(turn), isUnanswered) : isUnanswered;
    const here = eq(modelCalls.id, turn.id);
    await tx
      .update(modelCalls)
      .set({ answeredAt: sql`clock_timestamp()`, answer: proposal, failure: failure?.message ?? null })
      .where(and(here, decides));
    const [stored] = await tx
      .update(modelCalls)
      .set({
        inputTokens: sql`coalesce(${modelCalls.inputTokens}, 0) + ${tokens.input}::integer`,
        outputTokens: sql`coalesce(${modelCalls.outputTokens}, 0) + ${tokens.output}::integer`,
        // Once it was unknown, the sum is.
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
  const answer = answerIn(call);
  if (answer) return answer;
  throw failure ?? new Error(`The model call ${turn.id} has neither an answer nor a failure`);
}
