"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { Button } from "@/components/ui/button.tsx";
import { formatFixed, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import { isPartlyKept, type RuleHistory, ruleRows } from "./rule-rows.ts";
import { RulesTable } from "./rules-table.tsx";
import { formatScore } from "./score.tsx";

/** The rules of the evaluation shown, or why there are none to show. */
export function RulesSection({
  contract,
  evaluations,
  history,
  selected,
  isLatest,
  onLatest,
  onSelect,
  onApproved,
}: {
  contract: Contract;
  /** Newest first. */
  evaluations: readonly Evaluation[];
  history: RuleHistory;
  selected: Evaluation | undefined;
  isLatest: boolean;
  onLatest: () => void;
  onSelect: (evaluationId: number) => void;
  /** Called when changed columns have been approved. */
  onApproved: () => void;
}) {
  const { href } = useProject();
  const lastMeasured = evaluations.find(
    (each) => !each.couldNotEvaluate && (selected?.evaluatedAt ?? "") > (each.evaluatedAt ?? ""),
  );
  const rows = ruleRows(contract.rules, selected, evaluations, history);
  const lost = rows.reduce((sum, row) => sum + row.lost, 0);
  const isPurged =
    selected !== undefined &&
    !selected.couldNotEvaluate &&
    selected.ruleResults.length === 0 &&
    selected.passedCount + selected.failedCount > 0;
  return (
    <section aria-labelledby="rules" className="flex min-w-0 flex-col gap-2 lg:col-span-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="rules" className="text-sm font-semibold">
          Rules ({contract.rules.length})
        </h2>
        {selected && (
          <span className="text-xs text-ink-3">
            {isLatest ? "as found by the latest evaluation, " : "as found by the evaluation of "}
            <Moment at={selected.evaluatedAt} exact={!isLatest} />
            {selected.overallScore !== null && !selected.couldNotEvaluate
              ? `: ${formatScore(selected.overallScore)}`
              : ""}
            {selected.version !== null && (
              <>
                , judged by{" "}
                <Link
                  href={href(`/data-quality/contracts/${contract.id}?view=versions&to=${selected.version}`)}
                  className="underline hover:text-ink"
                >
                  version {selected.version}
                </Link>
                {selected.version < contract.version && ` of now ${contract.version}`}
              </>
            )}
          </span>
        )}
        {!isLatest && (
          <Button size="sm" onClick={onLatest}>
            Show the latest
          </Button>
        )}
        {lost > 0 && (
          <span className="ml-auto text-xs text-ink-3 tabular-nums">
            Failing rules cost {formatFixed(lost, 2)} points
          </span>
        )}
      </div>
      {selected && isPartlyKept(selected) && (
        <p role="note" className="max-w-prose border-y py-3 text-ink-2">
          {plural(
            selected.passedCount + selected.failedCount - selected.ruleResults.length,
            "rule was",
            "rules were",
          )}{" "}
          changed or removed after this evaluation, and the results went with them. The others keep theirs.
          {isLatest && " The next evaluation measures all rules below."}
        </p>
      )}
      {isPurged && (
        <p role="note" className="max-w-prose border-y py-3 text-ink-2">
          This evaluation ran before its rules were changed, and the results went with them. What remains is
          its score, {formatScore(selected.overallScore ?? 0)}, and its counts: {selected.passedCount} passed,{" "}
          {selected.failedCount} failed.
          {isLatest && " The next evaluation measures the rules below."}
        </p>
      )}
      {selected && !selected.couldNotEvaluate && !isPurged && selected.ruleResults.length === 0 && (
        <p role="note" className="max-w-prose border-y py-3 text-ink-2">
          No rules were enabled, so the score is 100.
        </p>
      )}
      {selected && cannotRun(selected) !== null && (
        <div role="note" className="flex flex-wrap items-start gap-x-3 gap-y-2 border-y py-3 text-ink-2">
          <StatusIcon kind={selected.couldNotEvaluate ? "stalled" : "critical"} className="mt-0.5" />
          <p className="min-w-0 flex-1 basis-64 break-words">
            No rule could be measured. {cannotRun(selected)}
          </p>
          {selected.couldNotEvaluate && lastMeasured && (
            <Button size="sm" onClick={() => onSelect(lastMeasured.id)}>
              Show the last that was measured
            </Button>
          )}
        </div>
      )}
      {(!isPurged || isLatest) && (
        <RulesTable
          rows={rows}
          evaluation={selected}
          samples={contract.samples}
          contract={contract}
          onApproved={onApproved}
          {...(history.series && { series: history.series })}
        />
      )}
    </section>
  );
}

/** Why no rule could run, if the reason is the same for all of them. */
function cannotRun({ notEvaluatedBecause, ruleResults: [first, ...others] }: Evaluation): string | null {
  if (notEvaluatedBecause !== null) return asSentence(notEvaluatedBecause);
  if (!first || first.couldRun) return null;
  const { message } = first;
  return others.length > 0 && others.every((result) => result.message === message) ? message : null;
}
