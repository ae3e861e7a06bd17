"use client";
import { useState } from "react";
import type { z } from "zod";
import { type Run, useRun } from "@/components/runs/use-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Preview, previewInput } from "@/server/queries/schema.ts";

export type PreviewInput = z.input<typeof previewInput>;

/** What to run: a step by its key, or the whole query with null. `label` is used within sentences. */
export type RunTarget = {
  stepKey: number | null;
  label: string;
  /** The keys of the query's steps, in order, when it ran. */
  keys: readonly number[];
  /** If only a part of the step's text ran: where it begins in it. */
  part?: { from: number; text: string };
};

export type QueryRun = { target: RunTarget } & Run<Preview>;

/** Runs unsaved steps one at a time: another run, or leaving the page, cancels the previous one. */
export function useQueryRun() {
  const { client } = trpc.useUtils();
  const [target, setTarget] = useState<RunTarget | null>(null);
  const { run, start, cancel } = useRun<Preview>();
  const shown: QueryRun | null = run && target && { ...run, target };
  return {
    run: shown,
    start: (next: RunTarget, input: PreviewInput) => {
      setTarget(next);
      return start(({ signal }) => client.queries.preview.mutate(input, { signal }));
    },
    cancel,
  };
}
