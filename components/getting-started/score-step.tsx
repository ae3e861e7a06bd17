"use client";
import { Link } from "@/components/ui/link.tsx";
import { RunProgress } from "../data-quality/run-progress.tsx";
import { formatScore } from "../data-quality/score.tsx";
import { scoreStatusOf } from "../data-quality/score-status.ts";
import { useEvaluationRun } from "../data-quality/use-evaluation-run.ts";
import { useProject } from "../projects/use-project.ts";
import { Button } from "../ui/button.tsx";
import { Play } from "../ui/icons.tsx";
import { Status } from "../ui/status.tsx";
import { toast } from "../ui/toaster.tsx";
import type { StepProps } from "./step-props.ts";

/** Evaluates the contract now, instead of at its next scheduled run. */
export function ScoreStep({ guide: { contract }, refresh, open }: StepProps) {
  if (contract === null)
    return (
      <Button variant="primary" onClick={() => open("Rules")}>
        Choose rules for a table
      </Button>
    );
  return <Evaluate contract={contract} refresh={refresh} />;
}

function Evaluate({
  contract: { id, name, score, threshold },
  refresh,
}: {
  contract: NonNullable<StepProps["guide"]["contract"]>;
  refresh: () => Promise<void>;
}) {
  const { href } = useProject();
  const run = useEvaluationRun(id, ({ notEvaluatedBecause }) => {
    void refresh();
    if (notEvaluatedBecause !== null)
      toast.error(`“${name}” could not be evaluated`, { description: notEvaluatedBecause });
  });
  return (
    <div className="flex flex-col gap-3">
      <RunProgress run={run} awaited={null} timezone="UTC" />
      {score !== null && (
        <p className="flex flex-wrap items-baseline gap-3" role="status">
          <span className="text-2xl font-semibold tabular-nums">{formatScore(score)}</span>
          <Status kind={scoreStatusOf(score, threshold).kind}>{scoreStatusOf(score, threshold).word}</Status>
          <Link href={href(`/data-quality/contracts/${id}`)} className="text-accent underline">
            {name}
          </Link>
        </p>
      )}
      <div>
        <Button
          icon={Play}
          variant={score === null ? "primary" : "secondary"}
          pending={run.isRunning}
          onClick={() => void run.start()}
        >
          {score === null ? `Evaluate “${name}”` : "Evaluate again"}
        </Button>
      </div>
    </div>
  );
}
