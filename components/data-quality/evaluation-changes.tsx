"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { formatExact, formatNumber, plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Select } from "@/components/ui/select.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Status, type StatusKind } from "@/components/ui/status.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import type { EvaluationChanges as Changes, ruleChanges } from "@/server/data-quality/history-schema.ts";
import { formatPoints, formatScore } from "./score.tsx";

type Change = (typeof ruleChanges)[number];

const words: Record<Exclude<Change, "Unchanged">, { kind: StatusKind; word: string }> = {
  NewlyFailing: { kind: "critical", word: "Newly failing" },
  Recovered: { kind: "ok", word: "Recovered" },
  Worse: { kind: "warning", word: "Worse" },
  Better: { kind: "ok", word: "Better" },
  Added: { kind: "neutral", word: "Added" },
  Removed: { kind: "neutral", word: "Removed" },
};

const shownAtMost = 12;
const comparableAtMost = 50;

/** How an evaluation differs from the previous one: new failures, recoveries, and changed scores. */
export function EvaluationChanges({
  evaluationId,
  evaluations,
}: {
  evaluationId: number;
  /** Evaluations to compare with, newest first. */
  evaluations: readonly Evaluation[];
}) {
  const [chosen, setChosen] = useState<{ of: number; with: number } | null>(null);
  // A comparison chosen for one evaluation doesn't apply to another.
  const comparedWith = chosen?.of === evaluationId ? chosen.with : undefined;
  const zone = useZone();
  const others = evaluations
    .filter(({ id, status }) => id !== evaluationId && status === "Completed")
    .slice(0, comparableAtMost);
  const { data, error, isPending, refetch } = trpc.dataQuality.changes.useQuery(
    { id: evaluationId, ...(comparedWith !== undefined && { comparedWith }) },
    { staleTime: 60_000 },
  );
  if (data && data.comparedWith === null && others.length < 2) return null;
  return (
    <section aria-labelledby="changes" className="flex min-w-0 flex-col gap-2 lg:col-span-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 id="changes" className="text-sm font-semibold">
          What changed
        </h2>
        {data?.comparedWith && (
          <span className="text-xs text-ink-3 tabular-nums">
            since <Moment at={data.comparedWith.evaluatedAt} exact />
            {isComparable(data) &&
              `: ${formatScore(data.comparedWith.overallScore)} → ${formatScore(data.evaluation.overallScore)}`}
            {data.scoreDelta !== null && data.scoreDelta !== 0 && ` (${signed(data.scoreDelta)})`}
          </span>
        )}
        {others.length > 1 && (
          <Select
            aria-label="Compared with"
            size="sm"
            className="ml-auto w-56"
            value={comparedWith === undefined ? "before" : String(comparedWith)}
            onValueChange={(value) =>
              setChosen(value === "before" ? null : { of: evaluationId, with: Number(value) })
            }
            options={[
              { value: "before", label: "Previous measured evaluation" },
              ...others.map(({ id, evaluatedAt, overallScore, couldNotEvaluate }) => ({
                value: String(id),
                label: evaluatedAt === null ? `Evaluation ${id}` : formatExact(new Date(evaluatedAt), zone),
                ...(overallScore !== null && {
                  hint: couldNotEvaluate ? "could not be evaluated" : formatScore(overallScore),
                }),
              })),
            ]}
          />
        )}
      </div>
      {isPending ? (
        <Skeleton className="w-72" />
      ) : error ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
          The comparison failed. {asSentence(messageOf(error))}
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        data &&
        (data.comparedWith === null ? (
          <p className="text-sm text-ink-2">No earlier measured evaluation.</p>
        ) : !isComparable(data) ? (
          <p className="text-sm text-ink-2">
            Nothing to compare: {data.evaluation.couldNotEvaluate ? "this" : "that"} evaluation could not
            reach the data source.
          </p>
        ) : (
          <ChangeList changes={data} />
        ))
      )}
    </section>
  );
}

function ChangeList({ changes: { rules } }: { changes: Changes }) {
  const changed = rules.filter(({ change }) => change !== "Unchanged");
  const unchanged = rules.length - changed.length;
  if (changed.length === 0)
    return (
      <p className="text-sm text-ink-2">
        {rules.length === 0
          ? "Results per rule were not kept."
          : `Nothing: ${plural(unchanged, "rule stands", "rules stand")} as before.`}
      </p>
    );
  return (
    <ul className="border-t text-sm">
      {changed.slice(0, shownAtMost).map(({ key, name, change, before, after, scoreDelta }) => (
        <li key={key} className="flex min-h-8 flex-wrap items-center gap-x-4 border-b py-1">
          <span className="w-32 shrink-0">
            {change !== "Unchanged" && <Status kind={words[change].kind}>{words[change].word}</Status>}
          </span>
          <span className="min-w-0 flex-1 basis-40 truncate" title={name}>
            {name}
          </span>
          <span className="text-ink-2 tabular-nums">
            {before && after && (
              <>
                {formatScore(before.score)} → {formatScore(after.score)}
              </>
            )}
            {before && !after && `scored ${formatScore(before.score)}`}
            {!before && after && `scores ${formatScore(after.score)}`}
          </span>
          <span className="w-16 text-right tabular-nums">
            {scoreDelta === null || scoreDelta === 0 ? "" : signed(scoreDelta)}
          </span>
          <span className="hidden w-40 truncate text-right text-xs text-ink-3 tabular-nums md:block">
            {measuredText(before?.measured ?? null, after?.measured ?? null)}
          </span>
        </li>
      ))}
      {changed.length > shownAtMost && (
        <li className="py-1 text-xs text-ink-3">and {changed.length - shownAtMost} more</li>
      )}
      {unchanged > 0 && (
        <li className="py-1 text-xs text-ink-3">
          {plural(unchanged, "other stands", "others stand")} as before.
        </li>
      )}
    </ul>
  );
}

const isComparable = ({ evaluation, comparedWith }: Changes) =>
  !evaluation.couldNotEvaluate && comparedWith !== null && !comparedWith.couldNotEvaluate;

const signed = (points: number) => `${points > 0 ? "+" : ""}${formatPoints(points)}`;

function measuredText(before: number | null, after: number | null): string {
  if (before === null || after === null || before === after) return "";
  return `measured ${formatNumber(before, 2)} → ${formatNumber(after, 2)}`;
}
