"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { useNow } from "@/components/ui/moment.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import { type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { SampleMode } from "@/server/data-sources/sample.ts";
import { SampleRows } from "./sample-rows.tsx";

/** Samples are taken after the result; how long to wait for them. */
const maxWaitMs = 3 * 60_000;

/** The rows that failed a rule; renders nothing if the contract keeps no samples. */
export function FailingRows({
  evaluation,
  ruleId,
  ruleName,
  type,
  column,
  mode,
}: {
  evaluation: Pick<Evaluation, "id" | "evaluatedAt">;
  ruleId: number;
  ruleName: string;
  type: RuleType;
  column: string | null;
  mode: SampleMode;
}) {
  const now = useNow();
  const what = ruleDefinition(type).samples?.of;
  const isFresh =
    now !== null && evaluation.evaluatedAt !== null && now - Date.parse(evaluation.evaluatedAt) < maxWaitMs;
  const { data, error, isPending, refetch } = trpc.dataQuality.samples.useQuery(
    { id: evaluation.id, ruleId },
    {
      enabled: mode !== "Off",
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) => (state.data === undefined && isFresh ? 2_000 : false),
    },
  );
  if (data) return <SampleRows samples={data} type={type} of={ruleName} column={column} />;
  if (mode === "Off") return null;
  if (isPending) return <Skeleton className="w-64" />;
  if (factsOf(error).code === "NOT_FOUND")
    return (
      <p role="status" className="text-xs text-ink-3">
        {isFresh
          ? `Looking for ${what === "changes" ? "the changes" : "the rows that fail"}…`
          : what === "changes"
            ? "No changes were kept for this evaluation. They are kept for 30 days."
            : "No failing rows were kept for this evaluation. They are sampled when rows fail a rule and kept for 30 days."}
      </p>
    );
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
      The {what === "changes" ? "changes" : "failing rows"} could not be read.{" "}
      {asSentence(factsOf(error).message)}
      <Button size="sm" onClick={() => void refetch()}>
        Try again
      </Button>
    </p>
  );
}
