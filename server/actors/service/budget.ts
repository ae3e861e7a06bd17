import { and, gte, inArray, isNull, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { modelCalls } from "../tables.ts";

/** `cost` is in US dollars. */
export type Used = { tokens: number; cost: number };
export type Budget = { budgetTokens: number | null; budgetCost: number | null };

/** No think cycles until next month, or its budget is a larger one. */
export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
}

/**
 * What actors have used in this month of the calendar, in UTC, by the database's clock: of each that is asked for,
 * also where it is nothing. Calls whose price is unknown count with their tokens, and cost nothing here.
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

/** Those of the actors that have made calls whose price is unknown: their cost is more than what is added up. */
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
 * Why an actor may not ask a language model any more this month; null while it may. A budget in money cannot be kept
 * by a model whose price is unknown, and so does not let it think at all.
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
