"use client";
import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { trpc } from "@/components/trpc/client.tsx";
import { type Facts, factsOf } from "@/components/trpc/errors.ts";
import type { Preview, previewInput } from "@/server/queries/schema.ts";

export type PreviewInput = z.input<typeof previewInput>;

/** What is run: a step by its key, or with null the whole query. `label` is said within sentences. */
export type RunTarget = { stepKey: number | null; label: string };

export type QueryRun = { target: RunTarget } & (
  | { state: "running"; since: number }
  | { state: "done"; preview: Preview }
  | { state: "failed"; facts: Facts }
  | { state: "cancelled" }
);

/** Runs what is not stored, one after the other: another run, and leaving the page, cancel the one before. */
export function useQueryRun(onDone: (target: RunTarget, preview: Preview) => void) {
  const { client } = trpc.useUtils();
  const [run, setRun] = useState<QueryRun | null>(null);
  const current = useRef<AbortController | null>(null);
  const { mutateAsync } = useMutation({
    mutationFn: ({ input, signal }: { input: PreviewInput; signal: AbortSignal }) =>
      client.queries.preview.mutate(input, { signal }),
  });
  useEffect(() => () => current.current?.abort(), []);

  const start = async (target: RunTarget, input: PreviewInput) => {
    current.current?.abort();
    const own = new AbortController();
    current.current = own;
    setRun({ target, state: "running", since: Date.now() });
    try {
      const preview = await mutateAsync({ input, signal: own.signal });
      if (own.signal.aborted) return;
      setRun({ target, state: "done", preview });
      onDone(target, preview);
    } catch (error) {
      if (!own.signal.aborted) setRun({ target, state: "failed", facts: factsOf(error) });
    }
  };
  const cancel = useCallback(() => {
    current.current?.abort();
    setRun((was) => was && { target: was.target, state: "cancelled" });
  }, []);
  return { run, start, cancel, forget: useCallback(() => setRun(null), []) };
}
