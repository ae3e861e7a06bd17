import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a piece of work belongs to: said once where it begins, and known to whatever it calls. Every line of the log
 * carries it. Nothing in it is secret, nor text that a caller has written, unless it was checked.
 */
export type WorkContext = {
  requestId?: string;
  /** As a template: `/svc/api/projects/{id}`. */
  route?: string;
  principal?: { kind: string; userId: number; keyId?: number };
  job?: string;
  run?: number | string;
};

const store = new AsyncLocalStorage<WorkContext>();

/** Does the work in this context, and no others. */
export function within<T>(workContext: WorkContext, work: () => T): T {
  return store.run(workContext, work);
}

export const workContext = (): WorkContext | undefined => store.getStore();

/** Adds what has been found out since the work began; nothing happens outside of any. */
export function addToWorkContext(more: WorkContext): void {
  Object.assign(store.getStore() ?? {}, more);
}
