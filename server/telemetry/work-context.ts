import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a piece of work belongs to: set where it begins, and known to everything that it calls. Every log line contains
 * it. Nothing in it is secret, or unchecked text from a caller.
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

/** Adds information found out since the work began; does nothing outside of any work. */
export function addToWorkContext(more: WorkContext): void {
  Object.assign(store.getStore() ?? {}, more);
}
