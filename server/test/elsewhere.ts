import { AsyncLocalStorage } from "node:async_hooks";

/** Calls a function as someone else would at the same time: it takes no part in the transaction that is open here. */
export const elsewhere: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();
