import { trpc } from "@/components/trpc/client.tsx";
import type { Evaluation, GroupResults } from "@/server/data-quality/evaluations/schema.ts";

/** The failing groups of a result. A list of evaluations has a few of them, so the others are fetched. */
export function useAllGroups(
  evaluation: Pick<Evaluation, "id">,
  ruleId: number,
  groups: GroupResults | null,
): GroupResults | null {
  const { data } = trpc.dataQuality.evaluation.useQuery(
    { id: evaluation.id },
    {
      enabled: groups !== null && groups.worst.length > 0 && groups.worst.length < groups.failing,
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  return data?.ruleResults.find((result) => result.ruleId === ruleId)?.groups ?? groups;
}
