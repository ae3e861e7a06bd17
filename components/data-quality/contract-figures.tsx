import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import { formatScore, ScoreTrend } from "./score.tsx";
import { contractStatusOf } from "./score-status.ts";

/** The contract's current state in five figures. */
export function ContractFigures({
  contract,
  latest,
}: {
  contract: Contract;
  latest: Evaluation | undefined;
}) {
  const { measured, outage, failureThreshold, enabled } = contract;
  const status = contractStatusOf(contract);
  const threshold = `threshold ${formatNumber(failureThreshold, 2)}`;
  const active = contract.rules.filter((rule) => rule.enabled).length;
  return (
    <Figures className="max-sm:[&>*:last-child]:col-span-2">
      <Figure
        label={status.word}
        kind={status.kind}
        value={measured ? formatScore(measured.score) : "–"}
        detail={outage && measured ? `last measured, ${threshold}` : threshold}
      />
      <Figure
        label="Trend"
        value={
          measured && measured.previousScore !== null && !outage ? (
            <ScoreTrend {...measured} outage={outage} className="text-base" />
          ) : (
            "–"
          )
        }
        detail={trendDetail(contract)}
      />
      <Figure
        label="Rules failed"
        {...(latest && !outage && { kind: latest.failedCount > 0 ? "critical" : "ok" })}
        value={latest && !outage ? latest.failedCount : "–"}
        detail={
          outage
            ? "none could be measured"
            : latest
              ? `${latest.passedCount} passed`
              : `${plural(active, "rule")} to check`
        }
      />
      <Figure
        label={outage ? "Last tried" : "Evaluated"}
        value={<Moment at={contract.lastEvaluatedAt} className="text-base" />}
        detail={
          outage
            ? "without an answer"
            : latest
              ? latest.trigger === "Manual"
                ? "manually"
                : "on schedule"
              : "no result yet"
        }
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
        detail={enabled ? "on schedule" : "only manually"}
      />
    </Figures>
  );
}

function trendDetail({ measured, outage }: Contract): string {
  if (outage) return "none while it could not be evaluated";
  if (!measured) return "needs two evaluations";
  return measured.previousScore === null ? "first evaluation" : `from ${formatScore(measured.previousScore)}`;
}
