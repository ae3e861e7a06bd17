import { BudgetSpent, type Limits, type Session, type Source } from "./engines/engine.ts";

/** What is left of a budget, or why nothing is. */
export type BudgetLeft = { amount: number; spent: string | null };

/**
 * Refuses statements once the data source's budget for today is spent; without a budget, it is the source itself. What has
 * begun ends, so a day costs at most what the statements cost that were running when the budget was reached. Plans cost
 * nothing, and so does what a gate refuses.
 */
export function metered(source: Source, left: (() => Promise<BudgetLeft>) | null): Source {
  if (left === null) return source;
  const rest = async (): Promise<number> => {
    const { amount, spent } = await left();
    if (spent !== null) throw new BudgetSpent(spent);
    return amount;
  };
  const within = async (limits: Limits): Promise<Limits> => ({ ...limits, maxCost: await rest() });
  return {
    ...source,
    async introspect(signal) {
      await rest();
      return source.introspect(signal);
    },
    session: (work) => source.session((session) => work(meteredSession(session, within))),
  };
}

const meteredSession = (session: Session, within: (limits: Limits) => Promise<Limits>): Session => ({
  ...session,
  read: async (statement, limits) => session.read(statement, await within(limits)),
});
