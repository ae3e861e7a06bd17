"use client";
import { useCallback, useState } from "react";
import { someInvalid } from "@/components/editors/editor-footer.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import type { Draft, DraftProblem } from "./query-draft.ts";
import { saveFailure } from "./save-failure.ts";

/** State of the query editor: the draft, errors by field path, and the last save failure. */
export function useWrittenQuery(start: () => Draft) {
  const [draft, setDraft] = useState(start);
  const [problems, setProblems] = useState<readonly DraftProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  /** Records the problems found; returns whether there are none. */
  const judge = useCallback((found: readonly DraftProblem[]): boolean => {
    setProblems(found);
    setFailure(found.length > 0 ? someInvalid : null);
    return found.length === 0;
  }, []);
  /** Changes the draft and clears errors that may no longer apply. */
  const change = useCallback(
    (next: (draft: Draft) => Draft) => {
      judge([]);
      setDraft(next);
    },
    [judge],
  );
  /** Records the server's error and returns its details. */
  const refuse = useCallback((error: unknown) => {
    const facts = factsOf(error);
    setProblems(facts.errors);
    setFailure(saveFailure(facts));
    return facts;
  }, []);
  return { draft, problems, failure, setDraft, change, judge, refuse };
}

export type WrittenQuery = ReturnType<typeof useWrittenQuery>;
