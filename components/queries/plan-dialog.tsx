"use client";
import { useEffect } from "react";
import { useRun } from "@/components/runs/use-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import type { QueryPlan } from "@/server/queries/plan-schema.ts";
import type { ParameterValue } from "@/server/queries/schema.ts";
import { PlanPicture } from "./plan-picture.tsx";

export type SqlToExplain = {
  dataSourceId: number;
  sql: string;
  parameters: Record<string, ParameterValue>;
  /** In a sentence: "the query". */
  label: string;
};

/** How the database would run a step, without running it. */
export function PlanDialog({ asked, onClose }: { asked: SqlToExplain; onClose: () => void }) {
  const { client } = trpc.useUtils();
  const { run, start } = useRun<QueryPlan>();
  useEffect(() => {
    const { label: _, ...input } = asked;
    void start(({ signal }) => client.queries.explain.mutate(input, { signal }));
  }, [asked, client, start]);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="How the database would run it" size="lg">
      <div className="flex flex-col gap-3">
        <p className="text-xs text-ink-3">
          The database’s own estimates: nothing was run. Costs are in its units, so compare them only with
          each other.
        </p>
        {run?.state === "running" && <SkeletonRows rows={4} columns={3} />}
        {run?.state === "failed" && <FormError>There is no plan: {run.message}</FormError>}
        {run?.state === "done" && <PlanPicture plan={run.result} label={asked.label} />}
      </div>
    </Dialog>
  );
}
