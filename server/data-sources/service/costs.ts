import { and, eq, gt, sql, sum } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { log } from "../../telemetry/log.ts";
import { chargedContract, chargeRun } from "../charge-to.ts";
import { type Cost, type CostUnit, costText } from "../cost.ts";
import { costUnitOf, type Kind } from "../kinds.ts";
import type { BudgetLeft } from "../metered.ts";
import { dataSourceCosts } from "../tables.ts";
import { getDataSource } from "./load-data-sources.ts";

/** The database's clock decides which day it is, so that all processes agree. */
const today = sql`(now() at time zone 'UTC')::date`;
const isToday = sql`${dataSourceCosts.day} = ${today}`;
const isLately = gt(dataSourceCosts.day, sql`${today} - 30`);

/** Adds what one statement has cost, to the contract and the run that it was for if there are such. Never rejects. */
export async function recordCost(dataSourceId: number, { unit, amount }: Cost): Promise<void> {
  if (!(amount > 0)) return;
  chargeRun({ unit, amount });
  try {
    await db
      .insert(dataSourceCosts)
      .values({ dataSourceId, day: today, contractId: chargedContract(), unit, amount, statements: 1 })
      .onConflictDoUpdate({
        target: [
          dataSourceCosts.dataSourceId,
          dataSourceCosts.day,
          dataSourceCosts.contractId,
          dataSourceCosts.unit,
        ],
        set: {
          amount: sql`${dataSourceCosts.amount} + excluded.amount`,
          statements: sql`${dataSourceCosts.statements} + 1`,
        },
      });
  } catch (err) {
    log.error({ err, dataSource: dataSourceId }, "The cost of a statement could not be stored");
  }
}

/** What is left of a data source's budget for today. */
export async function leftToday(source: {
  id: number;
  kind: Kind;
  dailyBudget: number | null;
}): Promise<BudgetLeft> {
  const unit = costUnitOf(source.kind);
  if (source.dailyBudget === null || unit === null) return { amount: Number.POSITIVE_INFINITY, spent: null };
  const { amount } = await costOf(and(eq(dataSourceCosts.dataSourceId, source.id), isToday), unit);
  const left = source.dailyBudget - amount;
  if (left > 0) return { amount: left, spent: null };
  const budget = costText({ unit, amount: source.dailyBudget });
  return {
    amount: 0,
    spent: `The daily budget of this data source is spent: ${costText({ unit, amount })} of ${budget}. Statements run again from 00:00 UTC, or when the budget is raised`,
  };
}

/** Throws not_found. */
export async function getSourceCost(ctx: SignedIn, id: number) {
  const { kind, dailyBudget } = await getDataSource(ctx, id);
  const unit = costUnitOf(kind);
  if (unit === null) return { cost: null };
  const isOfSource = eq(dataSourceCosts.dataSourceId, id);
  const [spentToday, last30Days] = await Promise.all([
    costOf(and(isOfSource, isToday), unit),
    costOf(and(isOfSource, isLately), unit),
  ]);
  return { cost: { unit, dailyBudget, today: spentToday, last30Days } };
}

/**
 * What a contract's statements have cost in 30 days on its data source; null if statements cost nothing there. The caller
 * checks access to the contract.
 */
export async function costOfContract(
  ctx: SignedIn,
  { id, dataSourceId }: { id: number; dataSourceId: number },
) {
  const unit = costUnitOf((await getDataSource(ctx, dataSourceId)).kind);
  if (unit === null) return null;
  return { unit, last30Days: await costOf(and(eq(dataSourceCosts.contractId, id), isLately), unit) };
}

async function costOf(where: ReturnType<typeof and>, unit: CostUnit) {
  const [row] = await db
    .select({
      amount: sum(dataSourceCosts.amount).mapWith(Number),
      statements: sum(dataSourceCosts.statements).mapWith(Number),
    })
    .from(dataSourceCosts)
    .where(and(where, eq(dataSourceCosts.unit, unit)));
  return { amount: row?.amount ?? 0, statements: row?.statements ?? 0 };
}
