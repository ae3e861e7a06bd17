"use client";
import { ruleTypes } from "@/server/data-quality/rules/rules.ts";
import { RuleColumnValues } from "./rule-column-values.tsx";
import type { RuleContext } from "./rule-context.ts";
import { RuleForm } from "./rule-form.tsx";
import { RuleTrial } from "./rule-trial.tsx";
import type { Trial } from "./trial.ts";

/** What an expanded rule shows: its form, what its columns hold, and trying it. */
export function OpenRule({
  index,
  sentenceId,
  context,
  contractId,
  share,
  isEnabled,
  trial,
  onTry,
}: {
  index: number;
  sentenceId: string;
  context: RuleContext;
  contractId: number | undefined;
  /** Percent of the score. */
  share: number;
  isEnabled: boolean;
  trial: Trial | null;
  onTry: () => void;
}) {
  return (
    <>
      <RuleForm {...{ index, context, share, contractId, sentenceId }} types={ruleTypes} />
      <RuleColumnValues index={index} context={context} />
      <RuleTrial index={index} share={isEnabled ? share : 0} trial={trial} onTry={onTry} />
    </>
  );
}
