"use client";
import { useState } from "react";
import { type FieldPath, type UseFieldArrayReturn, useFormContext } from "react-hook-form";
import { type Run, useRun, useRuns } from "@/components/runs/use-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import type { ContractDryRun, DryRunResult } from "@/server/data-quality/dry-run-schema.ts";
import type { ContractForm } from "./contract-form.ts";
import { formPath, ruleMessage } from "./form-paths.ts";
import { lateRules } from "./late-rules.ts";
import type { problemsOfTrial, Trial } from "./trial.ts";
import type { UnfoldedRules } from "./use-unfolded-rules.ts";

export type WholeTrial = { result: ContractDryRun; of: string } | { failure: string } | null;

type RuleParts = Awaited<ReturnType<typeof lateRules.load>>;

/** What was tried, and the reason if the form's own errors prevented it. */
type Tried = { of: string; refusal: string | null };

/**
 * Tries one or all rules in the editor; results follow their rules when these move. Trying a rule again restarts its
 * measurement with the current values, and leaving the page cancels it.
 */
export function useTrials(list: UseFieldArrayReturn<ContractForm, "rules">, unfolded: UnfoldedRules) {
  const { getValues, setError, clearErrors } = useFormContext<ContractForm>();
  const { client } = trpc.useUtils();
  const rules = useRuns<string, DryRunResult>();
  const contract = useRun<ContractDryRun>();
  const [tried, setTried] = useState<ReadonlyMap<string, Tried>>(new Map());
  const [whole, setWhole] = useState<Tried | null>(null);
  const [isPreparing, setPreparing] = useState(false);

  const mark = (id: string, of: string, refusal: string | null = null) =>
    setTried((before) => new Map(before).set(id, { of, refusal }));
  const refuse = (path: string, message: string) =>
    setError(path as FieldPath<ContractForm>, { type: "trial", message });
  /** Shows problems on their fields; returns the message for the trial, or null if it can run. */
  const refusalOf = (problems: ReturnType<typeof problemsOfTrial>): string | null => {
    for (const { path, message } of problems) refuse(path, message);
    if (problems.length === 0) return null;
    return problems.some(({ path }) => !path.startsWith("rules."))
      ? "Choose a table first."
      : "Some values are not valid yet; see the messages beside them.";
  };

  const tryRule = async (index: number) => {
    const id = list.fields[index]?.id;
    const form = getValues();
    const rule = form.rules[index];
    // An expanded rule has loaded it.
    const { part } = lateRules.state();
    if (id === undefined || !rule || !part) return;
    clearErrors(`rules.${index}`);
    const refusal = refusalOf(part.problemsOfTrial(form, index));
    mark(id, part.trialKey(form, rule), refusal);
    if (refusal !== null) return rules.cancel(id);
    await rules.start(id, async ({ signal }) => {
      try {
        return await client.dataQuality.dryRunRule.mutate(part.ruleDraftOf(form, rule), { signal });
      } catch (error) {
        const ofRule = factsOf(error).errors.filter(({ path }) => path.startsWith("rule."));
        if (!signal.aborted)
          for (const { path, message } of ofRule)
            refuse(formPath(path.replace(/^rule\./, `rules.${index}.`)), ruleMessage(message));
        throw error;
      }
    });
  };

  const tryAll = async () => {
    setPreparing(true);
    try {
      await tryWith(await lateRules.load());
    } catch (error) {
      setWhole({ of: "", refusal: messageOf(error) });
    } finally {
      setPreparing(false);
    }
  };

  const tryWith = async ({ contractDraftOf, enabledPlaces, problemsOfTrial, trialKey }: RuleParts) => {
    const form = getValues();
    clearErrors("rules");
    const problems = problemsOfTrial(form);
    const refusal = refusalOf(problems);
    const draft = contractDraftOf(form);
    setWhole({ of: JSON.stringify(draft), refusal });
    if (refusal !== null) {
      unfolded.open(problems.flatMap(({ path }) => /^rules\.(\d+)\./.exec(path)?.[1] ?? []).map(Number));
      return;
    }
    const ids = list.fields.map(({ id }) => id);
    const result = await contract.start(({ signal }) =>
      client.dataQuality.dryRunContract.mutate(draft, { signal }),
    );
    for (const [order, place] of enabledPlaces(draft.rules).entries()) {
      const [id, rule, found] = [ids[place], form.rules[place], result?.ruleResults[order]];
      if (id === undefined || !rule || !found) continue;
      mark(id, trialKey(form, rule));
      rules.put(id, found);
    }
  };

  return {
    of: (fieldId: string) => trialOf(tried.get(fieldId), rules.of(fieldId)),
    tryRule,
    tryAll,
    whole: wholeOf(whole, contract.run),
    isTryingAll: isPreparing || contract.run?.state === "running",
  };
}

function trialOf(tried: Tried | undefined, run: Run<DryRunResult> | null): Trial | null {
  if (!tried) return null;
  const { of, refusal } = tried;
  if (refusal !== null) return { state: "failed", message: refusal, of };
  if (run?.state === "running") return { state: "running" };
  if (run?.state === "done") return { state: "done", result: run.result, of };
  return run?.state === "failed" ? { state: "failed", message: run.message, of } : null;
}

function wholeOf(tried: Tried | null, run: Run<ContractDryRun> | null): WholeTrial {
  if (!tried) return null;
  if (tried.refusal !== null) return { failure: tried.refusal };
  if (run?.state === "done") return { result: run.result, of: tried.of };
  return run?.state === "failed" ? { failure: run.message } : null;
}
