import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import type { Contract, Evaluation } from "@/server/data-quality/schema.ts";
import { formatScore, ScoreTrend } from "./score.tsx";
import { contractStatusOf } from "./score-status.ts";

/** How the contract stands, in five figures. */
export function ContractFigures({
  contract,
  latest,
}: {
  contract: Contract;
  latest: Evaluation | undefined;
}) {
  const { latestScore, previousScore, trend, failureThreshold, enabled } = contract;
  const status = contractStatusOf(latestScore, failureThreshold);
  const active = contract.rules.filter((rule) => rule.enabled).length;
  return (
    <Figures className="max-sm:[&>*:last-child]:col-span-2">
      <Figure
        label={status.word}
        kind={status.kind}
        value={latestScore === null ? "–" : formatScore(latestScore)}
        detail={`threshold ${formatNumber(failureThreshold, 2)}`}
      />
      <Figure
        label="Trend"
        value={
          trend !== null && previousScore !== null ? (
            <ScoreTrend
              trend={trend}
              score={latestScore}
              previousScore={previousScore}
              className="text-base"
            />
          ) : (
            "–"
          )
        }
        detail={
          previousScore === null
            ? latestScore === null
              ? "needs two evaluations"
              : "first evaluation"
            : `from ${formatScore(previousScore)}`
        }
      />
      <Figure
        label="Rules failed"
        {...(latest && { kind: latest.failedCount > 0 ? "critical" : "ok" })}
        value={latest ? latest.failedCount : "–"}
        detail={latest ? `${latest.passedCount} passed` : `${plural(active, "rule")} to check`}
      />
      <Figure
        label="Evaluated"
        value={<Moment at={contract.lastEvaluatedAt} className="text-base" />}
        detail={latest ? (latest.trigger === "Manual" ? "by hand" : "on schedule") : "no result yet"}
      />
      <Figure
        label="Next run"
        value={
          enabled ? (
            <Moment at={contract.nextRunAt} fallback="–" className="text-base" />
          ) : (
            <span className="text-base text-ink-3">disabled</span>
          )
        }
        detail={enabled ? "on schedule" : "only by hand"}
      />
    </Figures>
  );
}
