import { and, gte, inArray, isNull, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { modelCalls } from "../tables.ts";

/** `cost` is in US dollars. */
export type Used = { tokens: number; cost: number };
export type Budget = { budgetTokens: number | null; budgetCost: number | null };

/** No think cycles until next month, or until the budget is raised. */
export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
}

/**
 * The usage of actors in the current calendar month, in UTC by the database's clock; includes each requested actor,
 * even without any usage. Calls whose price is unknown count with their tokens, but cost nothing here.
 */
export async function usedThisMonth(
  actorIds: readonly number[],
  connection: Connection = db,
): Promise<Map<number, Used>> {
  const used = new Map<number, Used>(actorIds.map((id) => [id, { tokens: 0, cost: 0 }]));
  if (actorIds.length === 0) return used;
  const { inputTokens, outputTokens, cost } = modelCalls;
  const rows = await connection
    .select({
      actorId: modelCalls.actorId,
      tokens: sql`sum(coalesce(${inputTokens}, 0)::bigint + coalesce(${outputTokens}, 0))`.mapWith(Number),
      cost: sql`coalesce(sum(${cost}), 0)`.mapWith(Number),
    })
    .from(modelCalls)
    .where(
      and(
        inArray(modelCalls.actorId, [...actorIds]),
        gte(modelCalls.askedAt, sql`date_trunc('month', clock_timestamp(), 'UTC')`),
      ),
    )
    .groupBy(modelCalls.actorId);
  for (const { actorId, tokens, cost } of rows) if (actorId !== null) used.set(actorId, { tokens, cost });
  return used;
}

/** The actors with calls whose price is unknown: their actual cost is higher than the sum. */
export async function findUnpriced(actorIds: readonly number[]): Promise<Set<number>> {
  if (actorIds.length === 0) return new Set();
  const { actorId, inputTokens, outputTokens, cost } = modelCalls;
  const isUsed = sql`coalesce(${inputTokens}, 0)::bigint + coalesce(${outputTokens}, 0) > 0`;
  const rows = await db
    .selectDistinct({ actorId })
    .from(modelCalls)
    .where(and(inArray(actorId, [...actorIds]), isNull(cost), isUsed));
  return new Set(rows.flatMap((row) => row.actorId ?? []));
}

/**
 * Why an actor may no longer call a language model this month; null if it may. A budget in money cannot be enforced for
 * a model whose price is unknown, so then the actor may not think at all.
 */
export function exhaustedBudget(
  { budgetTokens, budgetCost }: Budget,
  used: Used,
  hasPrice: boolean,
): string | null {
  if (budgetTokens !== null && used.tokens >= budgetTokens)
    return `The monthly budget of ${budgetTokens.toLocaleString("en-US")} tokens is used up`;
  if (budgetCost === null) return null;
  if (used.cost >= budgetCost) return `The monthly budget of ${dollars(budgetCost)} is used up`;
  if (hasPrice) return null;
  return `The monthly budget of ${dollars(budgetCost)} cannot be enforced because the model's price is unknown: set LLM_PRICE_INPUT and LLM_PRICE_OUTPUT`;
}

const dollars = (amount: number) =>
  amount.toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 8 });
