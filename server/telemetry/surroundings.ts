import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a piece of work belongs to: said once where it begins, and known to whatever it calls. Every line of the log
 * carries it. Nothing in it is secret, nor text that a caller has written, unless it was checked.
 */
export type Surroundings = {
  requestId?: string;
  /** As a template: `/svc/api/projects/{id}`. */
  route?: string;
  principal?: { kind: string; userId: number; keyId?: number };
  job?: string;
  run?: number | string;
};

/** One per process, although several parts of it load this module. */
const shared = globalThis as { plumblineSurroundings?: AsyncLocalStorage<Surroundings> };
shared.plumblineSurroundings ??= new AsyncLocalStorage();
const store = shared.plumblineSurroundings;

/** Does the work within these surroundings, and no others. */
export function within<T>(surroundings: Surroundings, work: () => T): T {
  return store.run(surroundings, work);
}

export const surroundings = (): Surroundings | undefined => store.getStore();

/** Adds what has been found out since the work began; nothing happens outside of any. */
export function addToSurroundings(more: Surroundings): void {
  Object.assign(store.getStore() ?? {}, more);
}
