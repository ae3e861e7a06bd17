"use client";
import { trpc } from "@/components/trpc/client.tsx";
import type { Evaluation, GroupResults } from "@/server/data-quality/schema.ts";
import { GroupRows } from "./group-rows.tsx";

/** The failing groups of a result. A list of evaluations has a few of them, so the others are fetched. */
export function FailingGroups({
  evaluation,
  ruleId,
  ruleName,
  groups,
}: {
  evaluation: Pick<Evaluation, "id">;
  ruleId: number;
  ruleName: string;
  groups: GroupResults;
}) {
  const { data } = trpc.dataQuality.evaluation.useQuery(
    { id: evaluation.id },
    {
      enabled: groups.worst.length > 0 && groups.worst.length < groups.failing,
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  const all = data?.ruleResults.find((result) => result.ruleId === ruleId)?.groups;
  return <GroupRows groups={all ?? groups} of={ruleName} />;
}
