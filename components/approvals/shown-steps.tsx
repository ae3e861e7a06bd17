"use client";
import dynamic from "next/dynamic";
import { textOfStep } from "@/components/queries/query-draft.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Step } from "@/server/queries/schema.ts";

// The editor loads only for people who view steps.
const SqlText = dynamic(() => import("@/components/actors/sql-text.tsx").then((module) => module.SqlText), {
  ssr: false,
  loading: () => <Skeleton className="h-32 w-full rounded-md" />,
});

/** A query's steps, read-only. */
export function ShownSteps({ steps, sources }: { steps: readonly Step[]; sources: readonly DataSource[] }) {
  return (
    <div className="flex flex-col gap-6">
      {steps.map((step, place) => {
        const source = sources.find(({ id }) => id === step.dataSourceId);
        return (
          <section key={step.order} aria-label={`Step ${place + 1}`} className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-2">
              <h3 className="text-sm font-medium">
                <span className="pr-2 text-ink-3 tabular-nums">{place + 1}</span>
                {step.name}
              </h3>
              <span className="text-ink-3">{source?.name ?? "earlier results"}</span>
            </div>
            <div className="overflow-hidden rounded-md border">
              <SqlText text={textOfStep(step)} label={step.name} engine={source?.kind ?? null} />
            </div>
          </section>
        );
      })}
    </div>
  );
}
