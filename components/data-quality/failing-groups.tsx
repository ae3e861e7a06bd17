"use client";
import type { Evaluation, GroupResults } from "@/server/data-quality/evaluations/schema.ts";
import { GroupRows } from "./group-rows.tsx";
import { useAllGroups } from "./use-all-groups.ts";

/** The failing groups of a result. */
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
  return <GroupRows groups={useAllGroups(evaluation, ruleId, groups) ?? groups} of={ruleName} />;
}
