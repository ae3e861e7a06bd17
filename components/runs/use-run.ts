"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Facts, factsOf, messageOf } from "@/components/trpc/errors.ts";
import { asSentence } from "@/components/ui/sentence.ts";

/** Something a page runs and waits for. `Progress` is what is known before it ends. */
export type Run<Result, Progress = never> =
  | { state: "running"; since: number; progress: Progress | null }
  | { state: "done"; result: Result }
  | { state: "failed"; facts: Facts; message: string }
  | { state: "cancelled" };

/** The work: stops waiting when the signal is aborted, and may report progress. */
export type Work<Result, Progress = never> = (control: {
  signal: AbortSignal;
  report: (progress: Progress) => void;
}) => Promise<Result>;

/**
 * Runs several things at once, each with a key: starting a key again replaces its previous run. Leaving the page
 * cancels the waiting; the server's background work continues.
 */
export function useRuns<Key, Result, Progress = never>() {
  const [runs, setRuns] = useState<ReadonlyMap<Key, Run<Result, Progress>>>(new Map());
  const current = useRef(new Map<Key, AbortController>());
  useEffect(() => {
    const own = current.current;
    return () => {
      for (const controller of own.values()) controller.abort();
    };
  }, []);

  /** Resolves to the result, or null if the run failed or was canceled. */
  const start = useCallback(async (key: Key, work: Work<Result, Progress>): Promise<Result | null> => {
    current.current.get(key)?.abort();
    const own = new AbortController();
    current.current.set(key, own);
    const become = (run: Run<Result, Progress>) => setRuns((others) => new Map(others).set(key, run));
    const since = Date.now();
    become({ state: "running", since, progress: null });
    try {
      const result = await work({
        signal: own.signal,
        report: (progress) => !own.signal.aborted && become({ state: "running", since, progress }),
      });
      if (own.signal.aborted) return null;
      become({ state: "done", result });
      return result;
    } catch (error) {
      if (!own.signal.aborted)
        become({ state: "failed", facts: factsOf(error), message: asSentence(messageOf(error)) });
      return null;
    }
  }, []);

  const cancel = useCallback((key: Key) => {
    current.current.get(key)?.abort();
    setRuns((others) =>
      others.get(key)?.state === "running" ? new Map(others).set(key, { state: "cancelled" }) : others,
    );
  }, []);

  /** Sets a result obtained another way, such as from a run of everything, replacing the key's own run. */
  const put = useCallback((key: Key, result: Result) => {
    current.current.get(key)?.abort();
    setRuns((others) => new Map(others).set(key, { state: "done", result }));
  }, []);

  return { of: (key: Key): Run<Result, Progress> | null => runs.get(key) ?? null, start, cancel, put };
}

/** One thing that a page runs, possibly repeatedly. */
export function useRun<Result, Progress = never>() {
  const runs = useRuns<"only", Result, Progress>();
  return {
    run: runs.of("only"),
    start: useCallback((work: Work<Result, Progress>) => runs.start("only", work), [runs.start]),
    cancel: useCallback(() => runs.cancel("only"), [runs.cancel]),
  };
}
