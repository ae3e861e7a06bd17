"use client";
import { useEffect, useSyncExternalStore } from "react";
import { NotLoaded } from "./not-loaded.ts";

/** A part of a page that is loaded after it: when the browser is idle, or when someone reaches for it. */
export type LatePart<Part> = {
  /** Resolves once it is there. If it cannot be loaded, the next call tries again. */
  load: () => Promise<Part>;
  /** What is known of it. The same object until that changes. */
  state: () => LateState<Part>;
  subscribe: (listener: () => void) => () => void;
};

export type LateState<Part> = {
  /** Null until it is there. */
  part: Part | null;
  /** Whether it could not be loaded, and is not being loaded again. */
  hasFailed: boolean;
};

/** `fetch` imports the part. */
export function latePart<Part>(fetch: () => Promise<Part>): LatePart<Part> {
  let state: LateState<Part> = { part: null, hasFailed: false };
  let loading: Promise<Part> | null = null;
  const listeners = new Set<() => void>();
  const become = (next: LateState<Part>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const start = async () => {
    if (state.hasFailed) become({ part: null, hasFailed: false });
    try {
      const part = await fetch();
      become({ part, hasFailed: false });
      return part;
    } catch (error) {
      loading = null;
      become({ part: null, hasFailed: true });
      throw new NotLoaded(error);
    }
  };
  return {
    load: () => {
      loading ??= start();
      return loading;
    },
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What is rendered on the server has none of it, and neither has the browser's first look at that. */
const onServer: LateState<never> = { part: null, hasFailed: false };

export const useLatePart = <Part>({ subscribe, state }: LatePart<Part>): LateState<Part> =>
  useSyncExternalStore<LateState<Part>>(subscribe, state, () => onServer);

/** Loads it as soon as the browser has nothing else to do. */
export function useWhenIdle({ load }: LatePart<unknown>): void {
  useEffect(() => {
    // Whoever needs it then is told if it fails.
    const begin = () => void load().catch(() => {});
    if (!window.requestIdleCallback) {
      const timer = setTimeout(begin, 200);
      return () => clearTimeout(timer);
    }
    const idle = window.requestIdleCallback(begin, { timeout: 2000 });
    return () => window.cancelIdleCallback(idle);
  }, [load]);
}
