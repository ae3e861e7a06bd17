"use client";
import { useEffect, useRef } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { isReadingKey } from "@/components/ui/reading-key.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { TaughtTable, TeachAnswer } from "@/server/findings/schema.ts";

export type Verdict = TeachAnswer["verdict"];

const verdictOfKey: Record<string, Verdict> = { r: "Right", w: "Wrong", u: "Unsure" };

/** The questions about a table, one after the other: r, w, and u answer, z takes the latest answer back. */
export function useTeach(table: TaughtTable) {
  const utils = trpc.useUtils();
  const asked = trpc.findings.teach.useQuery(table, {
    ...{ retry: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY },
  });
  const changed = {
    onSuccess: () => utils.findings.teach.invalidate(table),
    onError: (error: { message: string }) =>
      toast.error("The answer was not saved", { description: asSentence(messageOf(error)) }),
  };
  const send = trpc.findings.teachAnswer.useMutation(changed);
  const takeBack = trpc.findings.teachUndo.useMutation(changed);
  const isBusy = send.isPending || takeBack.isPending || asked.isFetching;
  const question = asked.data?.question ?? null;
  const answered = asked.data?.answered ?? 0;
  const answer = (verdict: Verdict) => {
    if (!question || isBusy) return;
    send.mutate({ ...table, column: question.column, cell: question.cell, verdict });
  };
  const undo = (all = false) => {
    if (answered > 0 && !isBusy) takeBack.mutate({ ...table, all });
  };
  const latest = useRef({ answer, undo });
  useEffect(() => {
    latest.current = { answer, undo };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const verdict = verdictOfKey[event.key];
      if (event.repeat || !isReadingKey(event) || (!verdict && event.key !== "z")) return;
      event.preventDefault();
      if (verdict) latest.current.answer(verdict);
      else latest.current.undo();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return { asked, question, answered, isBusy, answer, undo };
}
