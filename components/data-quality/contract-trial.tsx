"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { formatDuration, formatNumber } from "@/components/ui/format.ts";
import { FlaskConical } from "@/components/ui/icons.tsx";
import { useLatePart } from "@/components/ui/late-part.ts";
import { Status } from "@/components/ui/status.tsx";
import type { ContractForm } from "./contract-form.ts";
import { lateRules } from "./late-rules.ts";
import { formatScore } from "./score.tsx";
import { scoreStatusOf } from "./score-status.ts";
import type { WholeTrial } from "./use-trials.ts";

/** "Try all": the score of the contract as it is in the form. */
export function ContractTrial({
  trial,
  isRunning,
  onTry,
}: {
  trial: WholeTrial;
  isRunning: boolean;
  onTry: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button icon={FlaskConical} pending={isRunning} onClick={onTry}>
        {isRunning ? "Trying…" : "Try all"}
      </Button>
      <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        {!isRunning && trial && "failure" in trial && (
          <Status kind="critical">
            <span className="break-words">{trial.failure}</span>
          </Status>
        )}
        {!isRunning && trial && "result" in trial && <WouldScore trial={trial} />}
      </div>
    </div>
  );
}

function WouldScore({ trial: { result, of } }: { trial: Exclude<WholeTrial, null | { failure: string }> }) {
  const { control } = useFormContext<ContractForm>();
  const form = useWatch({ control }) as ContractForm;
  const { part } = useLatePart(lateRules);
  const threshold = Number(form.failureThreshold);
  const status = scoreStatusOf(result.overallScore, threshold);
  return (
    <>
      <Status kind={status.kind}>
        <span className="tabular-nums">Would score {formatScore(result.overallScore)}</span>
      </Status>
      <span className="text-ink-2 tabular-nums">
        {Number.isFinite(threshold) &&
          `${result.overallScore < threshold ? "below" : "meets"} the threshold of ${formatNumber(threshold, 2)}, `}
        {result.passedCount} passed, {result.failedCount} failed
      </span>
      <span className="text-xs text-ink-3">in {formatDuration(result.executionTimeMs)}</span>
      {part && JSON.stringify(part.contractDraftOf(form)) !== of && (
        <span className="text-xs text-ink-3">before your last change</span>
      )}
    </>
  );
}
