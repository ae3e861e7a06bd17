import { AsyncLocalStorage } from "node:async_hooks";
import type { Cost, RunCost } from "./cost.ts";

/** What a run's statements have cost so far; null while none has cost anything. */
export class SpentByRun {
  #cost: RunCost | null = null;

  constructor(before: RunCost | null = null) {
    this.#cost = before;
  }

  get cost(): RunCost | null {
    return this.#cost;
  }

  /** A run is on one data source, whose costs are in one unit. */
  add({ unit, amount }: Cost): void {
    const { amount: before, statements } = this.#cost ?? { amount: 0, statements: 0 };
    this.#cost = { unit, amount: before + amount, statements: statements + 1 };
  }
}

/** What statements are run for, so that their costs are counted there. */
export type Charged = { contractId: number | null; spent?: SpentByRun };

const store = new AsyncLocalStorage<Charged>();

/** Does the work; what its statements cost is counted as the contract's, if there is one, and as the run's. */
export const chargeTo = <T>(charged: Charged, work: () => T): T => store.run(charged, work);

export const chargedContract = (): number | null => store.getStore()?.contractId ?? null;

export const chargeRun = (cost: Cost): void => store.getStore()?.spent?.add(cost);
