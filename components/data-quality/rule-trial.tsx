"use client";
import { useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useMay } from "@/components/auth/use-me.ts";
import { Button } from "@/components/ui/button.tsx";
import { formatDuration } from "@/components/ui/format.ts";
import { FlaskConical } from "@/components/ui/icons.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { DryRunResult } from "@/server/data-quality/dry-run-schema.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { GroupRows } from "./group-rows.tsx";
import { RuleChart } from "./rule-chart.tsx";
import { pointsLost } from "./rule-shares.ts";
import { SampleRows } from "./sample-rows.tsx";
import { formatPoints, formatScore } from "./score.tsx";
import { type Trial, trialKey } from "./trial.ts";

/** "Try it" below a rule, with the result on today's data. */
export function RuleTrial({
  index,
  share,
  trial,
  onTry,
}: {
  index: number;
  /** Percent of the score; 0 for a disabled rule. */
  share: number;
  trial: Trial | null;
  onTry: () => void;
}) {
  const mayTry = useMay("evaluations:run");
  const { control, clearErrors, formState } = useFormContext<ContractForm>();
  const rule = useWatch({ control, name: `rules.${index}` });
  const [dataSourceId, schemaName, tableName, samples] = useWatch({
    control,
    name: ["dataSourceId", "schemaName", "tableName", "samples"],
  });
  const isOld =
    trial !== null &&
    trial.state !== "running" &&
    trial.of !== trialKey({ dataSourceId, schemaName, tableName, samples }, rule);
  // What the trial rejected is being fixed, so its errors go; the next trial or save says whether it is fixed.
  const { isSubmitted } = formState;
  const isMended = isOld && trial.state === "failed" && !isSubmitted;
  useEffect(() => {
    if (isMended) clearErrors([`rules.${index}`, "dataSourceId", "tableName", "schemaName"]);
  }, [isMended, clearErrors, index]);
  if (!mayTry) return null;
  const isRunning = trial?.state === "running";
  return (
    <div className="flex min-w-0 flex-col gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button size="sm" icon={FlaskConical} pending={isRunning} onClick={onTry}>
          {isRunning ? "Trying…" : trial?.state === "done" ? "Try again" : "Try it"}
        </Button>
        <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          {trial === null && (
            <span className="text-xs text-ink-3">Measures it on the table now. Nothing is saved.</span>
          )}
          {trial?.state === "failed" && !isMended && (
            <Status kind="critical">
              <span className="break-words">{trial.message}</span>
            </Status>
          )}
          {trial?.state === "done" && <Verdict result={trial.result} share={share} />}
          {isOld && trial.state === "done" && (
            <span className="text-xs text-ink-3">before your last change</span>
          )}
        </div>
      </div>
      {trial?.state === "done" && <Found result={trial.result} configuration={rule.configuration} />}
    </div>
  );
}

function Verdict({ result, share }: { result: DryRunResult; share: number }) {
  const lost = pointsLost(share, result.score);
  return (
    <>
      <Status kind={result.passed ? "ok" : "critical"}>{result.passed ? "Would pass" : "Would fail"}</Status>
      <span className="tabular-nums">
        scores {formatScore(result.score)}
        {lost > 0 && `, which costs ${formatPoints(lost)} points`}
      </span>
      <span className="text-xs text-ink-3">in {formatDuration(result.executionTimeMs)}</span>
    </>
  );
}

function Found({
  result,
  configuration,
}: {
  result: DryRunResult;
  configuration: RuleForm["configuration"];
}) {
  const { actualValue, expectedValue, message, samples, groups, course } = result;
  return (
    <>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        <dt className="text-ink-3">Observed</dt>
        <dd className="break-words">{actualValue ?? "–"}</dd>
        <dt className="text-ink-3">Expected</dt>
        <dd className="break-words">{expectedValue ?? "–"}</dd>
        {message && (
          <>
            <dt className="text-ink-3">Message</dt>
            <dd className="break-words whitespace-pre-line">{message}</dd>
          </>
        )}
      </dl>
      {course?.some(({ usual }) => usual !== null) && (
        <RuleChart
          rule={{ type: result.ruleType, configuration }}
          points={course.map((point) => ({ ...point, score: null }))}
        />
      )}
      {groups && <GroupRows groups={groups} of={result.ruleName} />}
      {samples && samples.rows.length > 0 && (
        <SampleRows samples={samples} type={result.ruleType} of={result.ruleName} />
      )}
    </>
  );
}
