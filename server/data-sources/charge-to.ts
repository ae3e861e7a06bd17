import { AsyncLocalStorage } from "node:async_hooks";

/** What statements are run for, so that their costs are counted there. */
export type Charged = { contractId: number };

const store = new AsyncLocalStorage<Charged>();

/** Does the work; what its statements cost is counted as the contract's. */
export const chargeTo = <T>(charged: Charged, work: () => T): T => store.run(charged, work);

export const chargedContract = (): number | null => store.getStore()?.contractId ?? null;
