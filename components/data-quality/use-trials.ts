"use client";
import { useState } from "react";
import { type FieldPath, type UseFieldArrayReturn, useFormContext } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import type { ContractDryRun } from "@/server/data-quality/schema.ts";
import type { ContractForm } from "./contract-form.ts";
import { formPath, ruleMessage } from "./contract-problems.ts";
import {
  contractDraftOf,
  enabledPlaces,
  problemsOfTrial,
  ruleDraftOf,
  type Trial,
  trialMark,
} from "./trial.ts";
import type { UnfoldedRules } from "./use-unfolded-rules.ts";

export type WholeTrial = { result: ContractDryRun; of: string } | { failure: string } | null;

/** Tries rules of the editor, one or all of them; the results stay with their rules wherever these move. */
export function useTrials(list: UseFieldArrayReturn<ContractForm, "rules">, unfolded: UnfoldedRules) {
  const { getValues, setError, clearErrors } = useFormContext<ContractForm>();
  const [trials, setTrials] = useState<ReadonlyMap<string, Trial>>(new Map());
  const [whole, setWhole] = useState<WholeTrial>(null);
  const one = trpc.dataQuality.dryRunRule.useMutation();
  const all = trpc.dataQuality.dryRunContract.useMutation();

  const keep = (entries: (readonly [string, Trial])[]) =>
    setTrials((before) => new Map([...before, ...entries]));
  const refuse = (path: string, message: string) =>
    setError(path as FieldPath<ContractForm>, { type: "trial", message });

  const tryRule = async (index: number) => {
    const id = list.fields[index]?.id;
    const form = getValues();
    const rule = form.rules[index];
    if (id === undefined || !rule) return;
    const of = trialMark(form, rule);
    clearErrors(`rules.${index}`);
    const problems = problemsOfTrial(form, index);
    for (const { path, message } of problems) refuse(path, message);
    if (problems.length > 0) {
      const isTarget = problems.some(({ path }) => !path.startsWith("rules."));
      const message = isTarget ? "Choose a table first." : "Some values cannot be used yet; each says why.";
      return keep([[id, { state: "failed", message, of }]]);
    }
    keep([[id, { state: "running" }]]);
    try {
      keep([[id, { state: "done", result: await one.mutateAsync(ruleDraftOf(form, rule)), of }]]);
    } catch (error) {
      const ofRule = factsOf(error).errors.filter(({ path }) => path.startsWith("rule."));
      for (const { path, message } of ofRule)
        refuse(formPath(path.replace(/^rule\./, `rules.${index}.`)), ruleMessage(message));
      keep([[id, { state: "failed", message: asSentence(messageOf(error)), of }]]);
    }
  };

  const tryAll = async () => {
    const form = getValues();
    clearErrors("rules");
    const problems = problemsOfTrial(form);
    for (const { path, message } of problems) refuse(path, message);
    if (problems.length > 0) {
      unfolded.open(problems.flatMap(({ path }) => /^rules\.(\d+)\./.exec(path)?.[1] ?? []).map(Number));
      const isTarget = problems.some(({ path }) => !path.startsWith("rules."));
      return setWhole({
        failure: isTarget ? "Choose a table first." : "Some values cannot be used yet; each says why.",
      });
    }
    const draft = contractDraftOf(form);
    const ids = list.fields.map(({ id }) => id);
    setWhole(null);
    try {
      const result = await all.mutateAsync(draft);
      const entries = enabledPlaces(draft.rules).flatMap((place, order) => {
        const [id, rule, found] = [ids[place], form.rules[place], result.ruleResults[order]];
        return id === undefined || !rule || !found
          ? []
          : [[id, { state: "done", result: found, of: trialMark(form, rule) }] as const];
      });
      keep(entries);
      setWhole({ result, of: JSON.stringify(draft) });
    } catch (error) {
      setWhole({ failure: asSentence(messageOf(error)) });
    }
  };

  return {
    of: (fieldId: string) => trials.get(fieldId) ?? null,
    tryRule,
    tryAll,
    whole,
    isTryingAll: all.isPending,
  };
}
